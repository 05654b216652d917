//! POST /ingest/review/{key}: decides a notice in review.

use super::{is_key, refused};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, OperatorOrAdmin, PathName},
    },
    services::tenders::notices::{self, Verdict},
};
use axum::extract::State;
use index::notices::Role;
use serde::Deserialize;
use tender_model::receipt::Receipt;
use utoipa::ToSchema;
use uuid::Uuid;

/// The decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDecision {
    /// What to do with it.
    decision: Choice,
    /// The tender it belongs to, for a source or a correction.
    #[serde(default)]
    tender: Option<Uuid>,
}

/// What to do with a notice in review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Choice {
    /// Publish it as a new tender.
    Tender,
    /// Attach it as another print of the named tender.
    Source,
    /// Attach it as a corrigendum of the named tender and apply its unambiguous changes.
    Correction,
    /// Don't publish it.
    Reject,
}

impl ReviewDecision {
    fn verdict(&self) -> Result<Verdict, ServiceError> {
        match (self.decision, self.tender) {
            (Choice::Tender, None) => Ok(Verdict::Tender),
            (Choice::Reject, None) => Ok(Verdict::Reject),
            (Choice::Source, Some(tender)) => Ok(Verdict::Joins(tender, Role::Source)),
            (Choice::Correction, Some(tender)) => Ok(Verdict::Joins(tender, Role::Correction)),
            (Choice::Source | Choice::Correction, None) => {
                Err(refused("tender", "Which tender? A source or a correction belongs to one"))
            }
            (Choice::Tender | Choice::Reject, Some(_)) => {
                Err(refused("tender", "Only a source or a correction belongs to a tender"))
            }
        }
    }
}

/// Decide a notice in review
#[utoipa::path(post, path = "/ingest/review/{key}", tag = "ingest", operation_id = "decideReview",
params(("key" = String, Path, description = "The notice's key: 32 hex digits")),
request_body = ReviewDecision, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "Done", body = Envelope<Receipt>),
    (status = 400, description = "No JSON body", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "Not an administrator", body = FailureBody),
    (status = 404, description = "There is no such notice or tender", body = FailureBody),
    (status = 409, description = "The notice was already decided", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The decision is invalid", body = FailureBody),
))]
pub async fn decide_review(
    State(state): State<AppState>,
    _: OperatorOrAdmin,
    PathName(key): PathName,
    Body(decision): Body<ReviewDecision>,
) -> ApiResult<Receipt> {
    if !is_key(&key) {
        return Err(ServiceError::NotFound("Notice"));
    }
    let verdict = decision.verdict()?;
    let published = notices::judge(&state, &key, verdict).await?;
    tracing::info!(tender = ?published.id, ?verdict, "a notice in review was decided");
    Ok(Envelope::of(published))
}
