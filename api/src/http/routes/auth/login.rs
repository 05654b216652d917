//! POST /auth/login: a session for an address and its password.

use super::Session;
use crate::{
    app::{login_attempts::Attempter, state::AppState},
    base::password,
    domain::error::{FieldError, ServiceError},
    http::{
        cookie::SetCookie,
        error::FailureBody,
        extract::{Body, Device, rate_limit::CallerAddress},
    },
    services::accounts::session,
    storage::users,
};
use axum::{Json, extract::State, http::HeaderMap};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The form.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Login {
    /// Required.
    #[schema(required)]
    email: String,
    /// Required.
    #[schema(required, format = Password)]
    password: String,
    /// Whether the session outlasts the browser: thirty days (the default), or one.
    remember: Option<bool>,
}

/// The session; the access token stands at the root as well.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoggedIn {
    /// Always true.
    success: bool,
    /// For people.
    message: String,
    /// The same as `data.token`.
    token: String,
    /// The session.
    data: Session,
}

/// Sign in
///
/// Wrong passwords are counted for one account and one network. A device that its user has signed in with before, known by a
/// cookie, is counted for itself, and is not hindered by what others do.
#[utoipa::path(post, path = "/auth/login", tag = "auth", operation_id = "login",
request_body = Login, responses(
    (status = 200, description = "A session", body = LoggedIn),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "No such address, or another password", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "A field is missing", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn login(
    State(state): State<AppState>,
    CallerAddress(address): CallerAddress,
    headers: HeaderMap,
    agent: session::UserAgent,
    Body(form): Body<Login>,
) -> Result<(Option<SetCookie>, Json<LoggedIn>), ServiceError> {
    let missing = [("email", form.email.trim().is_empty()), ("password", form.password.is_empty())]
        .into_iter()
        .filter(|(_, empty)| *empty)
        .map(|(field, _)| FieldError::new(field, "Please fill in all fields"));
    let missing: Vec<FieldError> = missing.collect();
    if !missing.is_empty() {
        return Err(ServiceError::Invalid(missing));
    }
    // One word for all causes, and one time: nobody learns here which addresses have an account.
    const REFUSED: ServiceError = ServiceError::Unauthenticated("Invalid email or password");
    // Postgres knows no NUL in a text.
    let email = form.email.trim().replace('\0', "");
    let device = Device::of(&headers, &state);
    if device.is_none() {
        state.sign_in_limit.count(address)?;
    }
    if form.password.len() > password::LONGEST || email.len() > 1024 {
        return Err(REFUSED);
    }
    let user = users::by_email(&state.db, &email, state.clock.now()).await?;
    let known = device.filter(|device| user.as_ref().is_some_and(|user| user.id == device.user_id));
    if device.is_some() && known.is_none() {
        state.sign_in_limit.count(address)?;
    }
    // Counted by what was typed, whether or not there is such an account: nor does the limit tell.
    let attempter = match known {
        Some(device) => Attempter::new(["device", &device.id.to_string(), ""]),
        None => Attempter::new(["login", &email.to_lowercase(), &address.to_string()]),
    };
    state.attempts.count(attempter)?;
    let stored = user.as_ref().and_then(|user| user.password_hash.as_deref());
    let right = state.passwords.verify(form.password, stored).await?;
    let user = user.filter(|_| right).ok_or(REFUSED)?;
    state.attempts.forget(attempter);
    let mut tx = state.db.begin().await?;
    let tokens = session::begin(&state, &mut tx, user.id, agent, form.remember.unwrap_or(true)).await?;
    tx.commit().await?;
    let cookie = Device::remember(&headers, user.id, &state);
    let data = Session::new(tokens, user);
    let message = "Successfully logged in".into();
    Ok((cookie, Json(LoggedIn { success: true, message, token: data.token.clone(), data })))
}
