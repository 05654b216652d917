//! POST /auth/second-factor: proves the second factor and begins the session.

use super::LoggedIn;
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{envelope::Envelope, error::FailureBody, extract::Body},
    services::accounts::second_factors::sign_in::{self, Answer, Challenge},
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;
use webauthn_rs::prelude::PublicKeyCredential;

/// The challenge to prove a second factor. A recovery code is always accepted.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorChallenge {
    /// Identifies the challenge. It is valid for ten minutes.
    challenge: String,
    /// Whether a code of an authenticator app is accepted.
    accepts_totp: bool,
    /// The options for `navigator.credentials.get`, as `PublicKeyCredential.parseRequestOptionsFromJSON`
    /// reads them; `null` if no passkey is accepted.
    #[schema(required, value_type = Option<HashMap<String, Value>>)]
    passkey_options: Option<Value>,
}

impl SecondFactorChallenge {
    /// Answers a right first factor with the challenge.
    pub(super) fn respond(challenge: Challenge) -> Response {
        let options = challenge.passkeys.and_then(|options| serde_json::to_value(options.public_key).ok());
        let data = Self {
            challenge: challenge.token,
            accepts_totp: challenge.accepts_totp,
            passkey_options: options,
        };
        let body = Envelope::with_message("Confirm the sign-in with your second factor", data);
        (StatusCode::ACCEPTED, body).into_response()
    }
}

/// The proof of a second factor: exactly one of `code`, `recoveryCode` and `passkey`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorProof {
    /// The challenge of the login.
    #[schema(max_length = 100)]
    challenge: String,
    /// The code that the authenticator app shows.
    #[schema(max_length = 20)]
    code: Option<String>,
    /// A recovery code.
    #[schema(max_length = 60)]
    recovery_code: Option<String>,
    /// The browser's answer, as `PublicKeyCredential.toJSON` writes it.
    #[schema(value_type = Option<HashMap<String, Value>>)]
    passkey: Option<Value>,
}

/// Prove the second factor
///
/// A code is accepted once. After five wrong answers, the challenge expires.
#[utoipa::path(post, path = "/auth/second-factor", tag = "auth", operation_id = "proveSecondFactor",
request_body = SecondFactorProof, responses(
    (status = 200, description = "The new session", body = LoggedIn),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "The answer is wrong, or the challenge has expired", body = FailureBody),
    (status = 403, description = "The account is locked", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is missing or invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
    (status = 503, description = "Passkeys are not offered on this portal", body = FailureBody),
))]
pub async fn prove_second_factor(
    State(state): State<AppState>,
    headers: HeaderMap,
    Body(form): Body<SecondFactorProof>,
) -> Result<Response, ServiceError> {
    let invalid = |field: &str, message: &str| ServiceError::Invalid(vec![FieldError::new(field, message)]);
    let passkey = form.passkey.map(serde_json::from_value::<PublicKeyCredential>).transpose();
    let passkey = passkey.map_err(|_| invalid("passkey", "This is not the answer of a passkey"))?;
    let answer = match (&form.code, &form.recovery_code, &passkey) {
        (Some(code), None, None) => Answer::Code(code),
        (None, Some(code), None) => Answer::RecoveryCode(code),
        (None, None, Some(answer)) => Answer::Passkey(answer),
        _ => return Err(invalid("code", "Enter a code, or use a passkey")),
    };
    let (tokens, user) = sign_in::answer(state.credentials(), &form.challenge, &answer).await?;
    Ok(LoggedIn::respond(&state, &headers, tokens, user))
}
