//! POST /mail/reports: processes a bounce or complaint that the operator's mail server received.

use crate::{
    app::{metrics::portal::MailReportOutcome, state::AppState},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Operator, input::read_up_to, scope},
    },
    services::notifications::{
        bounces::{self, Outcome},
        dsn::MAX_REPORT_BYTES,
    },
};
use axum::{
    body::Body,
    extract::{Request, State},
};
use serde::Serialize;
use utoipa::ToSchema;

/// The result of processing a report.
#[derive(Debug, Serialize, ToSchema)]
pub struct Received {
    /// How the report was processed.
    outcome: Outcome,
}

/// Process a bounce or complaint
///
/// The body is a mail sent to the bounce address: a delivery status notification (RFC 3464) or a
/// complaint (RFC 5965). Other mails, and reports about unknown messages, are ignored.
#[utoipa::path(post, path = "/mail/reports", tag = "mail", operation_id = "receiveReport",
request_body(content = String, content_type = "message/rfc822", description = "The report as received"),
security(("operator" = [])), responses(
    (status = 200, description = "The report was processed or ignored", body = Envelope<Received>),
    (status = 400, description = "The body is incomplete", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope bounces", body = FailureBody),
    (status = 413, description = "The report is too large", body = FailureBody),
))]
pub async fn receive_report(
    State(state): State<AppState>,
    _: Operator<scope::Bounces>,
    request: Request<Body>,
) -> ApiResult<Received> {
    let bytes = read_up_to(request.into_body(), MAX_REPORT_BYTES, "a report").await?;
    let outcome = bounces::receive(&state.db, &state.clock, &bytes).await?;
    state.metrics.portal.record_mail_report(match outcome {
        Outcome::Ignored => MailReportOutcome::Ignored,
        Outcome::Noted => MailReportOutcome::Noted,
        Outcome::Suppressed => MailReportOutcome::Suppressed,
    });
    Ok(Envelope::of(Received { outcome }))
}
