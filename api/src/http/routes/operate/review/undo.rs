//! POST /operate/review/undo: undoes the caller's last decision.

use super::{OneReviewNotice, ReviewNotice};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Query, Reviewer},
    },
    services::tenders::notices::review::decisions,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

/// Which decision to undo.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct UndoQuery {
    /// The key of the notice that the last decision was about. Another last decision is not undone.
    /// Without it, the last decision is undone, whatever it was about.
    notice: Option<String>,
}

/// Undo the last decision
///
/// The notice and its tender become as they were before the caller's last decision, and the caller
/// holds the notice again. A tender that the decision published is withdrawn. A decision can be
/// undone for twelve hours.
#[utoipa::path(post, path = "/operate/review/undo", tag = "review", operation_id = "undoReview",
params(UndoQuery), security(("operator" = []), ("session" = [])), responses(
    (status = 200, description = "The notice", body = Envelope<OneReviewNotice>),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "There is no decision to undo", body = FailureBody),
    (status = 409, description =
        "The last decision was about another notice, the notice or its tender has changed since, or another \
        reviewer holds the notice", body = FailureBody),
    (status = 422, description = "A parameter is unknown", body = FailureBody),
))]
pub async fn undo_review(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    Query(query): Query<UndoQuery>,
) -> ApiResult<OneReviewNotice> {
    let found = decisions::undo(&state, &actor, query.notice.as_deref()).await?;
    tracing::info!(notice = found.item.key, "a decision about a notice was undone");
    Ok(Envelope::of(OneReviewNotice { notice: ReviewNotice::new(&state, found) }))
}
