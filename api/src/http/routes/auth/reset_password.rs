//! PUT /auth/reset-password: sets another password by a mailed link, and signs out everywhere.

use super::check_password;
use crate::{
    app::state::AppState,
    base::secret::secret_hash,
    domain::{
        error::{FieldError, ServiceError},
        mailed_link::LinkPurpose,
    },
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{Body, rate_limit::SignInLimit},
    },
    storage::{identities, mailed_links, refresh_tokens, users},
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The link and the new password.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ResetPassword {
    /// As it stands in the link.
    token: String,
    /// At least 6 characters.
    #[schema(format = Password, min_length = 6, max_length = 256)]
    password: String,
}

/// Set another password by a mailed link
///
/// The link is good once. Every session of the account ends, and an account at Google is no longer connected.
#[utoipa::path(put, path = "/auth/reset-password", tag = "auth", operation_id = "resetPassword",
request_body = ResetPassword, responses(
    (status = 200, description = "Set", body = Envelope<Empty>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "The link is used, too old, or none of ours; or the password is too short", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn reset_password(
    _: SignInLimit,
    State(state): State<AppState>,
    Body(form): Body<ResetPassword>,
) -> Answer<Empty> {
    check_password("password", &form.password)?;
    let now = state.clock.now();
    let hash = state.passwords.hash(form.password).await?;
    let mut tx = state.db.begin().await?;
    let taken = mailed_links::take(&mut tx, LinkPurpose::Reset, &secret_hash(&form.token), now).await?;
    let (user_id, email) = taken.ok_or_else(|| {
        let message = "This link is not valid any more. Please ask for another one.";
        ServiceError::Invalid(vec![FieldError::new("token", message)])
    })?;
    users::set_password(&mut tx, user_id, Some(&hash), now).await?;
    mailed_links::revoke_all(&mut tx, user_id, now).await?;
    // Who could read the mail has the address.
    users::verify_address(&mut tx, user_id, &email, now).await?;
    // From here on the new password is the only way in.
    refresh_tokens::revoke_others(&mut *tx, user_id, None, now).await?;
    identities::disconnect(&mut tx, user_id).await?;
    tx.commit().await?;
    tracing::info!(user = %user_id, "a password was reset");
    Ok(Envelope::saying("Your password is changed. Please log in with it.", Empty {}))
}
