//! POST /ingest/awards: publishes the awards of a decision.

use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, Operator, scope},
    },
    services::awards,
};
use axum::{extract::State, http::StatusCode};
use tender_model::award::{AwardDecision, AwardOutcome, AwardReceipt};

/// Publish the awards of a decision
///
/// The request is idempotent. A decision with a known key replaces the earlier version.
#[utoipa::path(post, path = "/ingest/awards", tag = "ingest", operation_id = "postAwards",
request_body = AwardDecision, security(("operator" = [])), responses(
    (status = 200, description = "The decision was already known", body = Envelope<AwardReceipt>),
    (status = 201, description = "The decision is new", body = Envelope<AwardReceipt>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token", body = FailureBody),
    (status = 403, description = "The operator token lacks the scope publish", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn post_awards(
    State(state): State<AppState>,
    _: Operator<scope::Publish>,
    Body(decision): Body<AwardDecision>,
) -> Result<(StatusCode, Envelope<AwardReceipt>), ServiceError> {
    let outcome = awards::publish(&state, &decision).await?;
    tracing::info!(decision = %decision.key, awards = decision.awards.len(), ?outcome, "awards were published");
    let status = if outcome == AwardOutcome::Created { StatusCode::CREATED } else { StatusCode::OK };
    Ok((status, Envelope::of(AwardReceipt { outcome })))
}
