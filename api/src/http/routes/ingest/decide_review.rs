//! POST /ingest/review/{key}: an operator says what a waiting notice is.

use super::{is_key, refused};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{Body, Name, OperatorOrAdmin},
    },
    services::tenders::notices::{self, Verdict},
};
use axum::extract::State;
use index::notices::Role;
use serde::Deserialize;
use tender_model::receipt::Receipt;
use utoipa::ToSchema;
use uuid::Uuid;

/// What the notice is.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewDecision {
    /// What to do with it.
    decision: Choice,
    /// The tender it belongs to, where it is a source or a correction.
    #[serde(default)]
    tender: Option<Uuid>,
}

/// What to do with a waiting notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
enum Choice {
    /// Publish it as a tender of its own.
    Tender,
    /// Another print of the tender named.
    Source,
    /// A corrigendum of the tender named; what it says plainly is applied.
    Correction,
    /// Nothing for readers.
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

/// Decide what a waiting notice is
#[utoipa::path(post, path = "/ingest/review/{key}", tag = "ingest", operation_id = "decideReview",
params(("key" = String, Path, description = "The notice's key: 32 hex digits")),
request_body = ReviewDecision, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "Done", body = Envelope<Receipt>),
    (status = 400, description = "No JSON body", body = FailureBody),
    (status = 401, description = "No valid operator token, and nobody signed in", body = FailureBody),
    (status = 403, description = "Signed in, but not as an administrator", body = FailureBody),
    (status = 404, description = "There is no such notice or tender", body = FailureBody),
    (status = 409, description = "The notice has been decided already", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The decision does not fit", body = FailureBody),
))]
pub async fn decide_review(
    State(state): State<AppState>,
    _: OperatorOrAdmin,
    Name(key): Name,
    Body(decision): Body<ReviewDecision>,
) -> Answer<Receipt> {
    if !is_key(&key) {
        return Err(ServiceError::NotFound("Notice"));
    }
    let verdict = decision.verdict()?;
    let published = notices::judge(&state, &key, verdict).await?;
    tracing::info!(tender = ?published.id, ?verdict, "a waiting notice was decided");
    Ok(Envelope::of(published))
}
