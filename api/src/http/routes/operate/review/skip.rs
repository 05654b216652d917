//! POST /operate/review/{key}/skip: leaves a notice undecided.

use super::check_key;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        error::FailureBody,
        extract::{PathName, Reviewer},
    },
    services::tenders::notices::review::claims,
};
use axum::{extract::State, http::StatusCode};

/// Skip a notice
///
/// The notice moves to the end of the queue.
#[utoipa::path(post, path = "/operate/review/{key}/skip", tag = "review", operation_id = "skipReview",
params(("key" = String, Path, description = "The notice's key: 32 hex digits")),
security(("operator" = []), ("session" = [])), responses(
    (status = 204, description = "The notice is the last in the queue"),
    (status = 401, description = "No valid operator token or session", body = FailureBody),
    (status = 403, description = "The caller is neither a reviewer nor an administrator", body = FailureBody),
    (status = 404, description = "The notice is not in the queue", body = FailureBody),
    (status = 409, description = "Another reviewer holds the notice", body = FailureBody),
))]
pub async fn skip_review(
    State(state): State<AppState>,
    Reviewer { actor, .. }: Reviewer,
    PathName(key): PathName,
) -> Result<StatusCode, ServiceError> {
    check_key(&key)?;
    claims::skip(&state, &actor, &key).await?;
    Ok(StatusCode::NO_CONTENT)
}
