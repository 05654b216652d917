//! POST /auth/delete-account: deletes the caller's account.

use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser, rate_limit::SignInLimit},
    },
    services::accounts::{erasure, reauthentication::Proof},
};
use axum::extract::State;

/// Delete the account
///
/// For good. Drafts, alerts, sessions and whatever says who the caller is are deleted; open tenders are withdrawn, those that have
/// closed stay without a contact person.
#[utoipa::path(post, path = "/auth/delete-account", tag = "auth", operation_id = "deleteAccount",
request_body = Proof, security(("session" = [])), responses(
    (status = 200, description = "Deleted", body = Envelope<Empty>),
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
) -> Answer<Empty> {
    proof.hold(state.credentials(), (&caller, caller.0.session)).await?;
    erasure::erase(&state, &caller).await?;
    Ok(Envelope::saying("Your account is deleted", Empty {}))
}
