//! PUT and DELETE /operate/users/{id}/lock: locks and unlocks an account.

use super::{OneListedUser, user_response};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Body, PathId},
    },
    services::accounts::administration,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// Why an account is locked.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LockForm {
    /// The reason, for other administrators. The user does not see it.
    reason: String,
}

/// Lock an account
///
/// All sessions of the user are signed out. The user cannot sign in, and the user's API keys are
/// refused.
#[utoipa::path(put, path = "/operate/users/{id}/lock", tag = "operate", operation_id = "lockUser",
params(("id" = Uuid, Path, description = "The user's id")),
request_body = LockForm, security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<OneListedUser>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such user", body = FailureBody),
    (status = 409, description = "It is the caller's own account", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The reason is missing or too long", body = FailureBody),
))]
pub async fn lock_user(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
    Body(form): Body<LockForm>,
) -> ApiResult<OneListedUser> {
    administration::lock_user(&state, &actor, id, &form.reason).await?;
    user_response(&state, id).await
}

/// Unlock an account
#[utoipa::path(delete, path = "/operate/users/{id}/lock", tag = "operate", operation_id = "unlockUser",
params(("id" = Uuid, Path, description = "The user's id")), security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<OneListedUser>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such user", body = FailureBody),
))]
pub async fn unlock_user(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathId(id): PathId,
) -> ApiResult<OneListedUser> {
    administration::unlock_user(&state, &actor, id).await?;
    user_response(&state, id).await
}
