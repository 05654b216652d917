//! POST /auth/passkeys/options, /auth/passkeys and /auth/passkeys/{id}/removal: adds and removes
//! passkeys.

use super::second_factors::{RecoveryCodes, SecondFactorChange, changing_session};
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser, PathId},
    },
    services::accounts::{google_nonce::GoogleBrowser, reauthentication::Proof, second_factors::passkeys},
};
use axum::{extract::State, http::StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// The options for a new passkey.
#[derive(Debug, Serialize, ToSchema)]
pub struct PasskeyOptions {
    /// The options for `navigator.credentials.create`, as
    /// `PublicKeyCredential.parseCreationOptionsFromJSON` reads them.
    #[schema(value_type = HashMap<String, Value>)]
    options: Value,
}

/// A new passkey.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NewPasskeyForm {
    /// A name for it, 1 to 60 characters.
    #[schema(max_length = 60)]
    name: String,
    /// The browser's answer, as `PublicKeyCredential.toJSON` writes it.
    #[schema(value_type = HashMap<String, Value>)]
    credential: Value,
    /// Whether all other sessions end.
    #[serde(default)]
    end_other_sessions: bool,
}

/// Begin to add a passkey
#[utoipa::path(post, path = "/auth/passkeys/options", tag = "auth", operation_id = "beginPasskey",
request_body = Proof, security(("session" = [])), responses(
    (status = 200, description = "The options for the browser", body = Envelope<PasskeyOptions>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller has the maximum number of passkeys, or the account has just changed",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The proof (password or recent Google sign-in) is missing or wrong",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
    (status = 503, description = "Passkeys are not offered on this portal", body = FailureBody),
))]
pub async fn begin_passkey(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(proof): Body<Proof>,
) -> ApiResult<PasskeyOptions> {
    proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    let options = passkeys::begin(&state, (&caller, caller.0.session)).await?;
    let options = serde_json::to_value(options.public_key).map_err(anyhow::Error::from)?;
    Ok(Envelope::of(PasskeyOptions { options }))
}

/// Add a passkey
///
/// From now on, a sign-in needs a second factor.
#[utoipa::path(post, path = "/auth/passkeys", tag = "auth", operation_id = "addPasskey",
request_body = NewPasskeyForm, security(("session" = [])), responses(
    (status = 201, description = "Added", body = Envelope<RecoveryCodes>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The name or the browser's answer is invalid, the options have expired, or the second \
        factor was not proved recently", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
    (status = 503, description = "Passkeys are not offered on this portal", body = FailureBody),
))]
pub async fn add_passkey(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<NewPasskeyForm>,
) -> Result<(StatusCode, Envelope<RecoveryCodes>), ServiceError> {
    let answer = serde_json::from_value(form.credential).map_err(|_| {
        let message = "This is not the answer of a passkey";
        ServiceError::Invalid(vec![FieldError::new("credential", message)])
    })?;
    let session = changing_session(&caller, form.end_other_sessions);
    let recovery_codes = passkeys::add(&state, (&caller, session), &form.name, &answer).await?;
    let added = Envelope::with_message("The passkey is added", RecoveryCodes { recovery_codes });
    Ok((StatusCode::CREATED, added))
}

/// Remove a passkey
#[utoipa::path(post, path = "/auth/passkeys/{id}/removal", tag = "auth", operation_id = "removePasskey",
params(("id" = Uuid, Path, description = "`_id` of the passkey")),
request_body = SecondFactorChange, security(("session" = [])), responses(
    (status = 200, description = "Removed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no such passkey", body = FailureBody),
    (status = 409, description = "The account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The id is not a UUID, or the proof (password or recent Google sign-in) is missing \
        or wrong", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn remove_passkey(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    PathId(id): PathId,
    Body(form): Body<SecondFactorChange>,
) -> ApiResult<NoData> {
    form.proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    passkeys::remove(&state, (&caller, changing_session(&caller, form.end_other_sessions)), id).await?;
    Ok(Envelope::with_message("The passkey is removed", NoData {}))
}
