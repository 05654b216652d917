//! POST /operate/review/undo: undoes the caller's last decision.

use super::{OneReviewNotice, ReviewNotice};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Reviewer,
    },
    services::tenders::notices::review,
};
use axum::extract::State;

/// Undo the last decision
///
/// The notice and its tender become as they were before the caller's last decision, and the caller
/// holds the notice again. A tender that the decision published is withdrawn. A decision can be
/// undone for twelve hours.
#[utoipa::path(post, path = "/operate/review/undo", tag = "review", operation_id = "undoReview",
security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The notice", body = Envelope<OneReviewNotice>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no decision to undo", body = FailureBody),
    (status = 409, description = "The notice has changed since, or another reviewer holds it", body = FailureBody),
))]
pub async fn undo_review(
    State(state): State<AppState>,
    Reviewer { actor }: Reviewer,
) -> ApiResult<OneReviewNotice> {
    let found = review::undo(&state, &actor).await?;
    tracing::info!(notice = found.item.key, "a decision about a notice was undone");
    Ok(Envelope::of(OneReviewNotice { notice: ReviewNotice::new(&state, found) }))
}
