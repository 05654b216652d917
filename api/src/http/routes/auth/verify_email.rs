//! POST /auth/verify-email: confirms an address with a mailed link.

use crate::{
    app::state::AppState,
    base::{i18n::mail_texts::MailTexts, secret::secret_hash},
    domain::{
        error::{FieldError, ServiceError},
        mailed_link::LinkPurpose,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::Body,
    },
    services::notifications::account_mail::{self, Recipient},
    storage::{self, mailed_links, users},
};
use axum::extract::State;
use serde::Deserialize;
use sqlx::PgConnection;
use utoipa::ToSchema;
use uuid::Uuid;

/// The token of a mailed link.
#[derive(Debug, Deserialize, ToSchema)]
pub struct VerifyEmail {
    /// The token of the link.
    token: String,
}

/// Confirm an address
///
/// No sign-in is needed. For a requested change of address, the new address replaces the old one.
/// The sessions then continue, because the change was requested with a password or a Google
/// sign-in.
#[utoipa::path(post, path = "/auth/verify-email", tag = "auth", operation_id = "verifyEmail",
request_body = VerifyEmail, responses(
    (status = 200, description = "Confirmed", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 409, description = "Another account has taken the address in the meantime", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The link is used, expired or invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn verify_email(State(state): State<AppState>, Body(form): Body<VerifyEmail>) -> ApiResult<NoData> {
    let now = state.clock.now();
    let hash = secret_hash(&form.token);
    let mut tx = storage::begin(&state.db).await?;
    for purpose in [LinkPurpose::Verify, LinkPurpose::Alert] {
        if let Some((user_id, email)) = mailed_links::take(&mut tx, purpose, &hash, now).await? {
            users::verify_address(&mut tx, user_id, &email, now).await?;
            tx.commit().await?;
            return Ok(Envelope::with_message("Your email address is confirmed", NoData {}));
        }
    }
    if let Some((user_id, email)) = mailed_links::take(&mut tx, LinkPurpose::Change, &hash, now).await? {
        change_address(&state, &mut tx, user_id, &email).await?;
        tx.commit().await?;
        tracing::info!(user = %user_id, "the address of an account was changed");
        return Ok(Envelope::with_message("Your email address is changed", NoData {}));
    }
    let message = "This link is not valid any more. Sign in to have another one sent.";
    Err(ServiceError::Invalid(vec![FieldError::new("token", message)]))
}

/// Replaces the account's address with a confirmed one. Notifies the old address if it was
/// confirmed.
async fn change_address(
    state: &AppState,
    tx: &mut PgConnection,
    user_id: Uuid,
    email: &str,
) -> Result<(), ServiceError> {
    let now = state.clock.now();
    users::lock(tx, user_id).await?;
    let user = users::by_id(&mut *tx, user_id, now).await?.ok_or(ServiceError::NotFound("User"))?;
    if !users::change_address(tx, &user, email, now).await? {
        return Err(ServiceError::Conflict("Another account has this email address".into()));
    }
    // Links mailed to the old address become invalid.
    mailed_links::revoke_all(tx, user_id, now).await?;
    if user.email_verified {
        let text = MailTexts::of(user.language).mails.changed.fill(&[("email", &email)]);
        let link = format!("{}/contact", state.config.base_url());
        account_mail::seal(state, tx, Recipient::user(&user), &text.mail(&user.first_name, &link)).await?;
    }
    Ok(())
}
