//! PUT /operate/users/{id}/role: gives a user another role.

use super::{OneListedUser, user_response};
use crate::{
    app::state::AppState,
    domain::user::Role,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Body, CurrentUser, PathId},
    },
    services::accounts::{administration, google_nonce::GoogleBrowser, reauthentication::Proof},
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The new role of a user. A role with more rights needs proof that the request comes from the
/// administrator: the session may be stolen or left open.
#[derive(Debug, Deserialize, ToSchema)]
pub struct RoleForm {
    /// The role.
    role: Role,
    #[serde(flatten)]
    proof: Proof,
}

/// Change a user's role
///
/// All sessions of the user are signed out, and the user's API keys are deleted. To make a user a
/// reviewer or an administrator, send your own password or a recent Google sign-in.
#[utoipa::path(put, path = "/operate/users/{id}/role", tag = "operate", operation_id = "changeRole",
params(("id" = Uuid, Path, description = "The user's id")),
request_body = RoleForm, security(("session" = [])), responses(
    (status = 200, description = "The user", body = Envelope<OneListedUser>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such user", body = FailureBody),
    (status = 409, description = "It is the caller's own account, the caller's account has just changed, or the \
        address of a new reviewer or administrator is not confirmed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The role is invalid, or the proof (password or recent Google sign-in) is \
        missing or wrong", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn change_role(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    caller: CurrentUser,
    browser: GoogleBrowser,
    PathId(id): PathId,
    Body(form): Body<RoleForm>,
) -> ApiResult<OneListedUser> {
    let session = caller.0.session;
    if administration::role_needs_proof(form.role) {
        form.proof.verify(state.credentials(), &browser, (&caller, session)).await?;
    }
    administration::change_role(&state, (&actor, (&caller, session)), id, form.role).await?;
    user_response(&state, id).await
}
