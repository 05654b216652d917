//! POST /auth/login: creates a session from a mail address and a password.

use super::{LoggedIn, second_factor::SecondFactorChallenge};
use crate::{
    app::{
        login_attempts::{SignInFactor, SignInOutcome, SignInSource, log_sign_in},
        route_class::{LimitSubject, RouteClass},
        state::AppState,
    },
    base::password,
    domain::{
        error::{FieldError, ServiceError},
        session::SignInStrength,
    },
    http::{
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, CallerAddress, TrustedDevice},
    },
    services::accounts::{
        password_rules,
        second_factors::sign_in::{self, FirstFactorOutcome},
        security_mails::{self, SecurityEvent},
        session::{self, SignIn},
    },
    storage::{self, users},
};
use axum::{extract::State, http::HeaderMap, response::Response};
use serde::Deserialize;
use utoipa::ToSchema;

/// The login form.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Login {
    /// The mail address.
    #[schema(required)]
    email: String,
    /// The password.
    #[schema(required, format = Password)]
    password: String,
    /// Whether the session lasts thirty days (the default) or one day.
    remember: Option<bool>,
}

/// Sign in
///
/// Attempts are counted per account and network, until a password is correct. Attempts from a
/// trusted device, identified by a cookie, are counted separately, so failures elsewhere do not
/// affect them. A user with a second factor gets a challenge instead of a session.
#[utoipa::path(post, path = "/auth/login", tag = "auth", operation_id = "login",
request_body = Login, responses(
    (status = 200, description = "The new session", body = LoggedIn),
    (status = 202, description = "The password is right, but a second factor is needed",
        body = Envelope<SecondFactorChallenge>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "The address or the password is wrong", body = FailureBody),
    (status = 403, description = "The account is locked", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is missing", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn login(
    State(state): State<AppState>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    browser: session::SignInBrowser,
    Body(form): Body<Login>,
) -> Result<Response, ServiceError> {
    let missing = [("email", form.email.trim().is_empty()), ("password", form.password.is_empty())]
        .into_iter()
        .filter(|(_, empty)| *empty)
        .map(|(field, _)| FieldError::new(field, "Please fill in all fields"));
    let missing: Vec<FieldError> = missing.collect();
    if !missing.is_empty() {
        return Err(ServiceError::Invalid(missing));
    }
    // The message and the timing are the same for an unknown address and a wrong password, so they
    // do not reveal which addresses have an account.
    const REFUSED: ServiceError = session::WRONG_CREDENTIALS;
    // A text in Postgres can't contain NUL.
    let email = form.email.trim().replace('\0', "");
    let device = TrustedDevice::of(&headers, &state);
    if form.password.len() > password::MAX_LENGTH || email.len() > 1024 {
        return Err(REFUSED);
    }
    let user = users::by_email(&state.db, &email, state.clock.now()).await?;
    let known = device.filter(|device| user.as_ref().is_some_and(|user| user.id == device.user_id));
    if device.is_some() && known.is_none() {
        // The request was counted by the device of another account.
        state.limits.try_acquire(RouteClass::SignIn, LimitSubject::Address(address)).await?;
    }
    let source = known.map_or(SignInSource::Network(address), |device| SignInSource::Device(device.id));
    let account = user.as_ref().map(|user| user.id);
    let log_failure =
        |error: &ServiceError| log_sign_in(account, SignInFactor::Password, SignInOutcome::of_error(error));
    // Postgres finds an account under several spellings of its address. Each has the same key.
    let counted = user.as_ref().map_or(email.as_str(), |user| user.email.as_str());
    let attempt = state.attempts.begin_sign_in(counted, source).await.inspect_err(log_failure)?;
    let stored = user.as_ref().and_then(|user| user.password_hash.clone());
    let has_short_password = password_rules::is_short_for_staff(&form.password);
    let is_correct =
        state.passwords.verify(form.password, stored.as_deref()).await.inspect_err(log_failure)?;
    let user = user.filter(|_| is_correct).ok_or(REFUSED).inspect_err(log_failure)?;
    state.attempts.accept_sign_in(attempt).await?;
    let mut tx = storage::begin(&state.db).await?;
    session::check_password_is(&mut tx, user.id, stored.as_deref()).await?;
    let sign_in = SignIn {
        browser,
        is_remembered: form.remember.unwrap_or(true),
        strength: SignInStrength { has_second_factor: false, has_short_password },
    };
    let outcome = sign_in::continue_sign_in(&state, &mut tx, user.id, &sign_in).await;
    let outcome = outcome.inspect_err(log_failure)?;
    if matches!(outcome, FirstFactorOutcome::SignedIn(..)) && known.is_none() {
        security_mails::seal(&state, &mut tx, &user, SecurityEvent::NewBrowser).await?;
    }
    tx.commit().await?;
    Ok(match outcome {
        FirstFactorOutcome::SignedIn(tokens, user) => {
            log_sign_in(account, SignInFactor::Password, SignInOutcome::Succeeded);
            LoggedIn::respond(&state, &headers, tokens, *user)
        }
        FirstFactorOutcome::SecondFactorNeeded(challenge) => {
            log_sign_in(account, SignInFactor::Password, SignInOutcome::SecondFactorNeeded);
            SecondFactorChallenge::respond(challenge)
        }
    })
}
