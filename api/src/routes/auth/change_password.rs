//! PUT /auth/change-password: sets another password for whoever knows the present one, and signs out everywhere else.

use super::check_password;
use crate::{
    auth::{Attempter, CurrentUser, password},
    db::{refresh_tokens, users},
    edge::{Answer, Body, Empty, Envelope, limit::SignInLimit},
    error::{ApiError, FailureBody, FieldError},
    state::AppState,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The present password and the new one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangePassword {
    /// As it is.
    #[schema(format = Password)]
    current_password: String,
    /// At least 6 characters.
    #[schema(format = Password, min_length = 6, max_length = 256)]
    new_password: String,
}

/// Set another password
///
/// Every other session of the account ends.
#[utoipa::path(put, path = "/auth/change-password", tag = "auth", operation_id = "changePassword",
request_body = ChangePassword, security(("session" = [])), responses(
    (status = 200, description = "Set", body = Envelope<Empty>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "The present password is another one, or the new one too short", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn change_password(
    _: SignInLimit,
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<ChangePassword>,
) -> Answer<Empty> {
    check_password("newPassword", &form.new_password)?;
    // By session: whoever has stolen one must not keep the user out of the others.
    let attempter = Attempter::new(["session", &caller.0.session.to_string(), ""]);
    state.attempts.count(attempter)?;
    let is_bearable = form.current_password.len() <= password::LONGEST;
    let stored = caller.password_hash.as_deref().filter(|_| is_bearable);
    let given = if is_bearable { form.current_password } else { String::new() };
    if !state.passwords.verify(given, stored).await? {
        let wrong = FieldError::new("currentPassword", "Your current password is another one");
        return Err(ApiError::Invalid(vec![wrong]));
    }
    state.attempts.forget(attempter);
    let hash = state.passwords.hash(form.new_password).await?;
    let now = state.clock.now();
    let mut tx = state.db.begin().await?;
    users::set_password(&mut tx, caller.id, Some(&hash), now).await?;
    refresh_tokens::revoke_others(&mut *tx, caller.id, Some(caller.0.session), now).await?;
    tx.commit().await?;
    Ok(Envelope::saying("Your password is changed", Empty {}))
}
