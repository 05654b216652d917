//! DELETE /operate/users/{id}/sessions: signs out all sessions of a user.

use super::{OneListedUser, user_response};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, PathId},
    },
    services::accounts::administration,
};
use axum::extract::State;

/// Sign out all sessions of a user
#[utoipa::path(delete, path = "/operate/users/{id}/sessions", tag = "operate", operation_id = "endUserSessions",
params(("id" = Uuid, Path, description = "The user's id")), security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<OneListedUser>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such user", body = FailureBody),
))]
pub async fn end_user_sessions(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<OneListedUser> {
    administration::end_sessions(&state, &actor, id).await?;
    user_response(&state, id).await
}
