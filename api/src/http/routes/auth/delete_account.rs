//! POST /auth/delete-account: deletes the caller's account.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser, rate_limit::SignInLimit},
    },
    services::accounts::{erasure, reauthentication::Proof},
};
use axum::extract::State;

/// Delete the account
///
/// This is permanent. Drafts, alerts, sessions and personal data are deleted. Open tenders are
/// withdrawn; closed ones stay without a contact person.
#[utoipa::path(post, path = "/auth/delete-account", tag = "auth", operation_id = "deleteAccount",
request_body = Proof, security(("session" = [])), responses(
    (status = 200, description = "Deleted", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "Neither the password nor a sign-in with Google of just now", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn delete_account(
    _: SignInLimit,
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(proof): Body<Proof>,
) -> ApiResult<NoData> {
    proof.hold(state.credentials(), (&caller, caller.0.session)).await?;
    erasure::erase(&state, &caller).await?;
    Ok(Envelope::saying("Your account is deleted", NoData {}))
}
