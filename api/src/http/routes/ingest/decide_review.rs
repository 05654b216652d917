//! POST /ingest/review/{key}: applies a decision about a notice in review.

use super::{invalid, is_key};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, PathName, Reviewer},
    },
    services::tenders::notices::{self, ReviewDecision},
};
use axum::extract::State;
use serde::Deserialize;
use tender_model::deduplication::Role;
use tender_model::publish_receipt::Receipt;
use utoipa::ToSchema;
use uuid::Uuid;

/// The decision about a notice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = ReviewDecision)]
pub struct DecisionForm {
    /// What to do with the notice.
    decision: Choice,
    /// The tender that the notice belongs to. It is required for `source` and `correction`, and
    /// not permitted for the other decisions.
    #[serde(default)]
    tender: Option<Uuid>,
}

/// What to do with a notice in review.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Choice {
    /// Publish the notice as a new tender.
    Tender,
    /// Attach the notice to the named tender, as another publication of the tender.
    Source,
    /// Attach the notice to the named tender as a corrigendum, and apply its unambiguous changes.
    Correction,
    /// Do not publish the notice.
    Reject,
}

impl DecisionForm {
    fn decision(&self) -> Result<ReviewDecision, ServiceError> {
        match (self.decision, self.tender) {
            (Choice::Tender, None) => Ok(ReviewDecision::Tender),
            (Choice::Reject, None) => Ok(ReviewDecision::Reject),
            (Choice::Source, Some(tender)) => Ok(ReviewDecision::Joins(tender, Role::Source)),
            (Choice::Correction, Some(tender)) => Ok(ReviewDecision::Joins(tender, Role::Correction)),
            (Choice::Source | Choice::Correction, None) => {
                Err(invalid("tender", "A source or a correction needs the tender that it belongs to"))
            }
            (Choice::Tender | Choice::Reject, Some(_)) => {
                Err(invalid("tender", "Only a source or a correction belongs to a tender"))
            }
        }
    }
}

/// Decide on a notice in review
#[utoipa::path(post, path = "/ingest/review/{key}", tag = "ingest", operation_id = "decideReview",
params(("key" = String, Path, description = "The notice's key: 32 hex digits")),
request_body = DecisionForm, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The receipt of the notice", body = Envelope<Receipt>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "The notice or the tender does not exist", body = FailureBody),
    (status = 409, description = "The notice was already decided", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The decision is invalid", body = FailureBody),
))]
pub async fn decide_review(
    State(state): State<AppState>,
    Reviewer { actor }: Reviewer,
    PathName(key): PathName,
    Body(form): Body<DecisionForm>,
) -> ApiResult<Receipt> {
    if !is_key(&key) {
        return Err(ServiceError::NotFound("Notice"));
    }
    let decision = form.decision()?;
    let published = notices::apply_review(&state, &actor, &key, decision).await?;
    tracing::info!(tender = ?published.id, verdict = ?decision, "a notice in review was decided");
    Ok(Envelope::of(published))
}
