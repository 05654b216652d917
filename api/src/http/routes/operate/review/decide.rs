//! POST /operate/review/{key}: decides about a notice in the review queue.

use super::check_key;
use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, ServiceError},
        review::ReviewDecisionKind,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, PathName, Reviewer},
    },
    services::tenders::notices::review::decisions::{self, ReviewForm, Verdict},
};
use axum::extract::State;
use serde::Deserialize;
use std::collections::BTreeMap;
use tender_model::{deduplication::Role, publish_receipt::Receipt, tender::PageBox};
use utoipa::ToSchema;
use uuid::Uuid;

/// The decision about a notice.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(as = ReviewDecision)]
pub struct DecisionForm {
    /// What to do with the notice.
    decision: ReviewDecisionKind,
    /// The tender that the notice belongs to. It is required for `source` and `correction`, and
    /// not permitted for the other decisions.
    #[serde(default)]
    tender: Option<Uuid>,
    /// Why the notice is rejected. Only for `reject`.
    #[serde(default)]
    reason: Option<String>,
    /// Whether the text is no tender notice. Only for `reject`. It tells how accurate the readers are.
    #[serde(default)]
    is_no_notice: bool,
    /// The corrected fields: the path of each, such as `dates.closing`, and the value as a person
    /// types it, such as `2026-12-01 14:00`. An empty value clears the field. Not for `reject` and
    /// `split`.
    #[serde(default)]
    fields: BTreeMap<String, String>,
    /// The areas of the parts on the page. They are required for `split`, and not permitted for the
    /// other decisions.
    #[serde(default)]
    #[schema(value_type = Vec<Vec<f64>>)]
    areas: Vec<PageBox>,
    /// The version of the notice that the reviewer saw. Without it, any version is decided.
    #[serde(default)]
    version: Option<String>,
}

impl DecisionForm {
    fn verdict(&self) -> Result<Verdict, ServiceError> {
        let is_join = matches!(self.decision, ReviewDecisionKind::Source | ReviewDecisionKind::Correction);
        let is_split = self.decision == ReviewDecisionKind::Split;
        if !is_join && self.tender.is_some() {
            return Err(invalid("tender", "Only a source or a correction belongs to a tender"));
        }
        if self.decision != ReviewDecisionKind::Reject && self.reason.is_some() {
            return Err(invalid("reason", "Only a rejection has a reason"));
        }
        if self.decision != ReviewDecisionKind::Reject && self.is_no_notice {
            return Err(invalid("isNoNotice", "Only a rejected text is no tender notice"));
        }
        if !is_split && !self.areas.is_empty() {
            return Err(invalid("areas", "Only a split has parts"));
        }
        if (is_split || self.decision == ReviewDecisionKind::Reject) && !self.fields.is_empty() {
            return Err(invalid("fields", "A notice that is rejected or split has no corrected fields"));
        }
        let tender = || {
            self.tender.ok_or_else(|| {
                invalid("tender", "A source or a correction needs the tender that it belongs to")
            })
        };
        Ok(match self.decision {
            ReviewDecisionKind::Accept => Verdict::Accept,
            ReviewDecisionKind::Tender => Verdict::Tender,
            ReviewDecisionKind::Source => Verdict::Joins(tender()?, Role::Source),
            ReviewDecisionKind::Correction => Verdict::Joins(tender()?, Role::Correction),
            ReviewDecisionKind::Reject => Verdict::Reject {
                reason: self.reason.as_deref().map(str::trim).map(str::to_owned),
                is_no_notice: self.is_no_notice,
            },
            ReviewDecisionKind::Split => Verdict::Split(self.areas.clone()),
        })
    }
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}

/// Decide about a notice
///
/// An accepted or joined notice gets the corrected fields, and all its fields become certain.
#[utoipa::path(post, path = "/operate/review/{key}", tag = "review", operation_id = "decideReview",
params(("key" = String, Path, description = "The notice's key: 32 hex digits")),
request_body = DecisionForm, security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The receipt of the notice", body = Envelope<Receipt>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "The notice or the tender does not exist", body = FailureBody),
    (status = 409, description =
        "The notice was already decided, has changed, or is held by another reviewer", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The decision or a field is invalid", body = FailureBody),
))]
pub async fn decide_review(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathName(key): PathName,
    Body(form): Body<DecisionForm>,
) -> ApiResult<Receipt> {
    check_key(&key)?;
    let verdict = form.verdict()?;
    let decision = form.decision;
    let form = ReviewForm { verdict, edits: form.fields.into_iter().collect(), version: form.version };
    let receipt = decisions::decide(&state, &actor, &key, form).await?;
    tracing::info!(notice = key, tender = ?receipt.id, ?decision, "a notice in review was decided");
    Ok(Envelope::of(receipt))
}
