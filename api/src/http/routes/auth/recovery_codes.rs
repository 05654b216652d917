//! POST /auth/recovery-codes: replaces the caller's recovery codes.

use super::second_factors::{RecoveryCodes, SecondFactorChange, changing_session};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::{google_nonce::GoogleBrowser, second_factors::recovery_codes},
};
use axum::extract::State;

/// Renew the recovery codes
///
/// The earlier codes are no longer accepted.
#[utoipa::path(post, path = "/auth/recovery-codes", tag = "auth", operation_id = "renewRecoveryCodes",
request_body = SecondFactorChange, security(("session" = [])), responses(
    (status = 200, description = "The new codes", body = Envelope<RecoveryCodes>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller has no second factor, or the account has just changed",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The proof (password or recent Google sign-in) is missing or wrong",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn renew_recovery_codes(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(form): Body<SecondFactorChange>,
) -> ApiResult<RecoveryCodes> {
    form.proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    let session = changing_session(&caller, form.end_other_sessions);
    let recovery_codes = recovery_codes::renew(&state, (&caller, session)).await?;
    Ok(Envelope::with_message("You have new recovery codes", RecoveryCodes { recovery_codes }))
}
