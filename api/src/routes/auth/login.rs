//! POST /auth/login: a session for an address and its password.

use super::Session;
use crate::{
    auth::{password, session},
    db::users,
    edge::{Body, limit::SignInLimit},
    error::{ApiError, FailureBody, FieldError},
    state::AppState,
};
use axum::{Json, extract::State};
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
    _: SignInLimit,
    State(state): State<AppState>,
    agent: session::UserAgent,
    Body(form): Body<Login>,
) -> Result<Json<LoggedIn>, ApiError> {
    let missing = [("email", form.email.trim().is_empty()), ("password", form.password.is_empty())]
        .into_iter()
        .filter(|(_, empty)| *empty)
        .map(|(field, _)| FieldError::new(field, "Please fill in all fields"));
    let missing: Vec<FieldError> = missing.collect();
    if !missing.is_empty() {
        return Err(ApiError::Invalid(missing));
    }
    // One word for all causes, and one time: nobody learns here which addresses have an account.
    const REFUSED: ApiError = ApiError::Unauthorized("Invalid email or password");
    if form.password.len() > password::LONGEST || form.email.len() > 1024 {
        return Err(REFUSED);
    }
    // Postgres knows no NUL in a text.
    let email = form.email.trim().replace('\0', "");
    let user = users::by_email(&state.db, &email, state.clock.now()).await?;
    let stored = user.as_ref().and_then(|user| user.password_hash.as_deref());
    let right = state.passwords.verify(form.password, stored).await?;
    let user = user.filter(|_| right).ok_or(REFUSED)?;
    let mut tx = state.db.begin().await?;
    let tokens = session::begin(&state, &mut tx, user.id, agent).await?;
    tx.commit().await?;
    let data = Session::new(tokens, user);
    Ok(Json(LoggedIn {
        success: true,
        message: "Successfully logged in".into(),
        token: data.token.clone(),
        data,
    }))
}
