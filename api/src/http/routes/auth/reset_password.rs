//! PUT /auth/reset-password: sets a new password with a mailed link, and ends all sessions.

use crate::{
    app::state::AppState,
    base::secret::secret_hash,
    domain::{
        error::{FieldError, ServiceError},
        mailed_link::LinkPurpose,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::Body,
    },
    services::accounts::{
        access_withdrawal,
        password_rules::{self, Owner},
        security_mails::{self, SecurityEvent},
    },
    storage::{self, mailed_links, users},
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The link and the new password.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ResetPassword {
    /// The token of the link.
    token: String,
    /// The new password, at least 6 characters.
    #[schema(format = Password, min_length = 6, max_length = 256)]
    password: String,
    /// Whether to delete the API keys and the webhook too, and to change the addresses of feeds.
    #[serde(default)]
    withdraw_access: bool,
}

/// Reset the password
///
/// The link is valid once. All sessions end, and a connected Google account is disconnected. If the address
/// was not confirmed before, somebody else may have opened the account. Its second factors, API keys,
/// webhook and telephone are then deleted, and its feeds get new addresses.
#[utoipa::path(put, path = "/auth/reset-password", tag = "auth", operation_id = "resetPassword",
request_body = ResetPassword, responses(
    (status = 200, description = "The password was changed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The link is used, expired or invalid, or the password is too short or too long",
        body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn reset_password(
    State(state): State<AppState>,
    Body(form): Body<ResetPassword>,
) -> ApiResult<NoData> {
    let now = state.clock.now();
    let token_hash = secret_hash(&form.token);
    let mut tx = storage::begin(&state.db).await?;
    let taken = mailed_links::take(&mut tx, LinkPurpose::Reset, &token_hash, now).await?;
    let (user_id, email) = taken.ok_or_else(|| {
        let message = "This link is not valid any more. Please ask for another one.";
        ServiceError::Invalid(vec![FieldError::new("token", message)])
    })?;
    let user = users::by_id(&mut *tx, user_id, now).await?.ok_or(ServiceError::NotFound("User"))?;
    let owner = Owner { role: user.role, words: [&user.email, &user.first_name, &user.last_name] };
    // An error ends the transaction, so that the link stays valid for another password.
    password_rules::check(&state, owner, "password", &form.password)
        .map_err(|error| ServiceError::Invalid(vec![error]))?;
    let hash = state.passwords.hash(form.password).await?;
    users::set_password(&mut tx, user_id, Some(&hash), now).await?;
    // Opening the link proves access to the mailbox, and the new password becomes the only way to sign in.
    access_withdrawal::end_sign_ins(&state, &mut tx, &user).await?;
    users::verify_address(&mut tx, user_id, &email, now).await?;
    let user = users::by_id(&mut *tx, user_id, now).await?.ok_or(ServiceError::NotFound("User"))?;
    security_mails::seal(&state, &mut tx, &user, SecurityEvent::PasswordChanged).await?;
    if form.withdraw_access {
        access_withdrawal::withdraw(&state, &mut tx, user_id).await?;
    }
    tx.commit().await?;
    tracing::info!(user = %user_id, "a password was reset");
    Ok(Envelope::with_message("Your password is changed. Please log in with it.", NoData {}))
}
