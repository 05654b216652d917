//! POST and PUT /auth/totp, POST /auth/totp/removal: sets up, confirms and removes an authenticator app.

use super::second_factors::{RecoveryCodes, SecondFactorChange, changing_session};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::{google_nonce::GoogleBrowser, reauthentication::Proof, second_factors::totp},
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What an authenticator app needs.
#[derive(Debug, Serialize, ToSchema)]
pub struct TotpSetUpView {
    /// The secret as Base32, for typing.
    secret: String,
    /// The `otpauth` URL, for a QR code.
    url: String,
}

/// A code of the authenticator app.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TotpCode {
    /// The code.
    #[schema(max_length = 20)]
    code: String,
    /// Whether all other sessions end.
    #[serde(default)]
    end_other_sessions: bool,
}

/// Set up an authenticator app
///
/// The app has no effect until it is confirmed with one of its codes.
#[utoipa::path(post, path = "/auth/totp", tag = "auth", operation_id = "setUpTotp",
request_body = Proof, security(("session" = [])), responses(
    (status = 200, description = "The new secret", body = Envelope<TotpSetUpView>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller has an authenticator app, or the account has just changed",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The proof (password or recent Google sign-in) is missing or wrong",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn set_up_totp(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(proof): Body<Proof>,
) -> ApiResult<TotpSetUpView> {
    proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    let totp::TotpSetUp { secret, url } = totp::begin(&state, (&caller, caller.0.session)).await?;
    Ok(Envelope::of(TotpSetUpView { secret, url }))
}

/// Confirm an authenticator app
///
/// From now on, a sign-in needs a second factor.
#[utoipa::path(put, path = "/auth/totp", tag = "auth", operation_id = "confirmTotp",
request_body = TotpCode, security(("session" = [])), responses(
    (status = 200, description = "Confirmed", body = Envelope<RecoveryCodes>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "There is no unconfirmed authenticator app of the last ten minutes, or the account has just \
        changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The code is wrong, or the second factor was not proved recently",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn confirm_totp(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<TotpCode>,
) -> ApiResult<RecoveryCodes> {
    let session = changing_session(&caller, form.end_other_sessions);
    let recovery_codes = totp::confirm(&state, (&caller, session), &form.code).await?;
    Ok(Envelope::with_message("Your authenticator app is set up", RecoveryCodes { recovery_codes }))
}

/// Remove the authenticator app
#[utoipa::path(post, path = "/auth/totp/removal", tag = "auth", operation_id = "removeTotp",
request_body = SecondFactorChange, security(("session" = [])), responses(
    (status = 200, description = "Removed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no authenticator app", body = FailureBody),
    (status = 409, description = "The account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The proof (password or recent Google sign-in) is missing or wrong",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn remove_totp(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(form): Body<SecondFactorChange>,
) -> ApiResult<NoData> {
    form.proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    totp::remove(&state, (&caller, changing_session(&caller, form.end_other_sessions))).await?;
    Ok(Envelope::with_message("Your authenticator app is removed", NoData {}))
}
