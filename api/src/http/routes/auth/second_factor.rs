//! POST /auth/second-factor: proves the second factor and begins the session. POST
//! /auth/second-factor/challenge and PUT /auth/second-factor: prove it in an open session.

use super::LoggedIn;
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::{
        second_factors::{
            challenge::{Answer, Challenge},
            session_proof, sign_in,
        },
        session::SignInBrowser,
    },
};
use axum::{
    extract::State,
    http::{HeaderMap, StatusCode},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

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
        let message = "Confirm the sign-in with your second factor";
        let body = Envelope::with_message(message, Self::from(challenge));
        (StatusCode::ACCEPTED, body).into_response()
    }
}

impl From<Challenge> for SecondFactorChallenge {
    fn from(challenge: Challenge) -> Self {
        let options = challenge.passkeys.and_then(|options| serde_json::to_value(options.public_key).ok());
        Self { challenge: challenge.token, accepts_totp: challenge.accepts_totp, passkey_options: options }
    }
}

/// The proof of a second factor: exactly one of `code`, `recoveryCode` and `passkey`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorProof {
    /// The challenge of the login, or of `/auth/second-factor/challenge`.
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

impl SecondFactorProof {
    /// Returns the token of the challenge and the answer.
    fn into_answer(self) -> Result<(String, Answer), ServiceError> {
        let invalid = |field: &str, text: &str| ServiceError::Invalid(vec![FieldError::new(field, text)]);
        let passkey = self.passkey.map(serde_json::from_value).transpose();
        let passkey = passkey.map_err(|_| invalid("passkey", "This is not the answer of a passkey"))?;
        let answer = match (self.code, self.recovery_code, passkey) {
            (Some(code), None, None) => Answer::Code(code),
            (None, Some(code), None) => Answer::RecoveryCode(code),
            (None, None, Some(answer)) => Answer::Passkey(Box::new(answer)),
            _ => return Err(invalid("code", "Enter a code, or use a passkey")),
        };
        Ok((self.challenge, answer))
    }
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
    browser: SignInBrowser,
    Body(form): Body<SecondFactorProof>,
) -> Result<Response, ServiceError> {
    let (challenge, answer) = form.into_answer()?;
    let (tokens, user) =
        sign_in::answer(state.credentials(), browser.earlier_session, &challenge, &answer).await?;
    Ok(LoggedIn::respond(&state, &headers, tokens, user))
}

/// Begin to prove the second factor again
///
/// A change of the credentials of an account with a second factor needs a proof that is at most ten
/// minutes old. The sign-in counts, too.
#[utoipa::path(post, path = "/auth/second-factor/challenge", tag = "auth", operation_id = "challengeSecondFactor",
security(("session" = [])), responses(
    (status = 200, description = "The challenge", body = Envelope<SecondFactorChallenge>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller has no second factor", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn challenge_second_factor(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<SecondFactorChallenge> {
    let challenge = session_proof::begin(&state, (&caller, caller.0.session)).await?;
    Ok(Envelope::of(challenge.into()))
}

/// Prove the second factor again
///
/// A code is accepted once. After five wrong answers, the challenge expires.
#[utoipa::path(put, path = "/auth/second-factor", tag = "auth", operation_id = "confirmSecondFactor",
request_body = SecondFactorProof, security(("session" = [])), responses(
    (status = 200, description = "Proved", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is missing or invalid, the answer is wrong, or the challenge has expired",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
    (status = 503, description = "Passkeys are not offered on this portal", body = FailureBody),
))]
pub async fn confirm_second_factor(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<SecondFactorProof>,
) -> ApiResult<NoData> {
    let (challenge, answer) = form.into_answer()?;
    let session = (&*caller, caller.0.session);
    session_proof::answer(state.credentials(), session, &challenge, &answer).await?;
    Ok(Envelope::with_message("Confirmed", NoData {}))
}
