//! POST and PUT /auth/google, POST /auth/google/removal: signs in with Google, connects and disconnects a
//! Google account.

use super::{Session, me::Me, parse_role, second_factor::SecondFactorChallenge};
use crate::{
    app::{
        login_attempts::{SignInFactor, SignInOutcome, log_sign_in},
        state::AppState,
    },
    base::i18n::messages,
    domain::error::{NOT_SIGNED_IN, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::{
        google_nonce::GoogleBrowser, google_sign_in, reauthentication,
        second_factors::sign_in::FirstFactorOutcome, session,
    },
};
use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// A sign-in with Google.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GoogleSignIn {
    /// The ID token from Google, with a nonce of `/auth/google/nonce`.
    credential: String,
    /// The role of a new account: `supplier` (the default) or `buyer`.
    role: Option<String>,
    /// Whether the session lasts thirty days (the default) or one day.
    remember: Option<bool>,
}

/// A Google credential of a user who is already signed in to the portal.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GoogleCredential {
    /// The ID token from Google, with a nonce of `/auth/google/nonce`.
    credential: String,
    /// The account's password. Not needed if the account has none.
    #[schema(format = Password)]
    password: Option<String>,
}

/// The password of a user who disconnects Google.
#[derive(Debug, Deserialize, ToSchema)]
pub struct GoogleRemoval {
    /// The account's password.
    #[schema(format = Password)]
    password: String,
}

/// Sign in with Google
///
/// Creates an account if none exists.
#[utoipa::path(post, path = "/auth/google", tag = "auth", operation_id = "signInWithGoogle",
request_body = GoogleSignIn, responses(
    (status = 200, description = "The new session", body = Envelope<Session>),
    (status = 202, description = "A second factor is needed", body = Envelope<SecondFactorChallenge>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "The credential was not issued by Google for this portal and this browser, was \
        used before, or Google has not verified the account's address", body = FailureBody),
    (status = 403, description = "The account is locked", body = FailureBody),
    (status = 409, description = "The address already has an account. Sign in to it and connect Google there. Or \
        the account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
    (status = 503, description = "Not offered here, or Google cannot be reached", body = FailureBody),
))]
pub async fn sign_in(
    State(state): State<AppState>,
    headers: HeaderMap,
    browser: session::SignInBrowser,
    google_browser: GoogleBrowser,
    Body(form): Body<GoogleSignIn>,
) -> Result<Response, ServiceError> {
    let role = parse_role(form.role.as_deref()).map_err(|error| ServiceError::Invalid(vec![error]))?;
    let google = google_sign_in::verify(state.credentials(), &google_browser, &form.credential).await?;
    let account = (role, messages::preferred_language(&headers));
    let outcome = google_sign_in::sign_in(&state, &google, account, (browser, form.remember.unwrap_or(true)))
        .await
        .inspect_err(|error| log_sign_in(None, SignInFactor::Google, SignInOutcome::of_error(error)))?;
    Ok(match outcome {
        FirstFactorOutcome::SignedIn(tokens, user) => {
            log_sign_in(Some(user.id), SignInFactor::Google, SignInOutcome::Succeeded);
            let message = "Successfully logged in with Google";
            Envelope::with_message(message, Session::new(tokens, *user)).into_response()
        }
        FirstFactorOutcome::SecondFactorNeeded(challenge) => SecondFactorChallenge::respond(challenge),
    })
}

/// Connect Google
///
/// The Google account can be used to sign in from now on. An account with a password needs the password.
#[utoipa::path(put, path = "/auth/google", tag = "auth", operation_id = "connectGoogle",
request_body = GoogleCredential, security(("session" = [])), responses(
    (status = 200, description = "Connected", body = Envelope<Me>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller's address is not confirmed, one of the two accounts is already \
        connected with another account, or the account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The credential was not issued by Google for this portal and this browser in the \
        last few minutes, or was used before; the password is missing or wrong; or the second factor was not \
        proved recently", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
    (status = 503, description = "Not offered here, or Google cannot be reached", body = FailureBody),
))]
pub async fn connect(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(form): Body<GoogleCredential>,
) -> ApiResult<Me> {
    let proved = (&*caller, caller.0.session);
    // An ID token of Google is accepted once, so the other proofs are checked before.
    reauthentication::verify_password(state.credentials(), proved, form.password).await?;
    let google = google_sign_in::verify_fresh(state.credentials(), &browser, &form.credential).await?;
    google_sign_in::connect_google(&state, proved, &google).await?;
    respond_with_user(&state, &caller, "Your Google account is connected").await
}

/// Disconnect Google
#[utoipa::path(post, path = "/auth/google/removal", tag = "auth", operation_id = "disconnectGoogle",
request_body = GoogleRemoval, security(("session" = [])), responses(
    (status = 200, description = "No Google account is connected any more", body = Envelope<Me>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The account has no password, or has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The password is missing or wrong, or the second factor was not proved recently",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn disconnect(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<GoogleRemoval>,
) -> ApiResult<Me> {
    if caller.password_hash.is_none() {
        let message = "Choose a password first: without Google you could not sign in any more";
        return Err(ServiceError::Conflict(message.into()));
    }
    let proved = (&*caller, caller.0.session);
    reauthentication::verify_password(state.credentials(), proved, Some(form.password)).await?;
    google_sign_in::disconnect_google(&state, proved).await?;
    respond_with_user(&state, &caller, "Your Google account is disconnected").await
}

async fn respond_with_user(state: &AppState, caller: &CurrentUser, message: &str) -> ApiResult<Me> {
    let user = session::user_of(state, &state.db, caller.id, caller.0.session).await?;
    let user = user.ok_or(NOT_SIGNED_IN)?.into();
    Ok(Envelope::with_message(message, Me { user }))
}
