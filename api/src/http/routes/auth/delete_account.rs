//! POST /auth/delete-account: deletes the caller's account.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::{erasure, google_nonce::GoogleBrowser, reauthentication::Proof},
};
use axum::extract::State;

/// Delete the account
///
/// This is permanent. Drafts, alerts, sessions and personal data are deleted. Open tenders are
/// withdrawn. Closed tenders are kept without a contact person.
#[utoipa::path(post, path = "/auth/delete-account", tag = "auth", operation_id = "deleteAccount",
request_body = Proof, security(("session" = [])), responses(
    (status = 200, description = "Deleted", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller is the only administrator, or the account has just changed",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The proof (password or recent Google sign-in) is missing or wrong",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn delete_account(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(proof): Body<Proof>,
) -> ApiResult<NoData> {
    proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    erasure::erase(&state, (&caller, caller.0.session)).await?;
    Ok(Envelope::with_message("Your account is deleted", NoData {}))
}
