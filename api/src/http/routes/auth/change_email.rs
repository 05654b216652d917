//! POST /auth/change-email: requests a new address for the caller's account. The change takes
//! effect when the new address is confirmed.

use crate::{
    app::state::AppState,
    base::i18n::mail_texts::MailTexts,
    domain::{
        error::{FieldError, ServiceError},
        validation::Email,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::{
        accounts::{
            google_nonce::GoogleBrowser,
            mailed_links::{self, Link},
            reauthentication::Proof,
            second_factors::proof_check,
        },
        notifications::account_mail::{self, Recipient},
    },
    storage,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// The new address, and proof that the request comes from the account's owner.
#[derive(Debug, Deserialize, ToSchema)]
pub struct ChangeEmail {
    /// An address other than the current one.
    #[schema(format = Email, max_length = 254)]
    email: String,
    #[serde(flatten)]
    proof: Proof,
}

/// Change the mail address
///
/// A confirmation link is mailed to the new address, and the old address is notified if it is
/// confirmed. The response does not reveal whether the new address already has an account.
#[utoipa::path(post, path = "/auth/change-email", tag = "auth", operation_id = "changeEmail",
request_body = ChangeEmail, security(("session" = [])), responses(
    (status = 200, description = "A mail to the new address is queued for sending", body = Envelope<NoData>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The account has just changed", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The address is invalid or is the account's current one, or the proof (password \
        or recent Google sign-in) is missing or wrong", body = FailureBody),
    (status = 429, description = "Too many attempts or mails in the last hour", body = FailureBody),
))]
pub async fn change_email(
    State(state): State<AppState>,
    caller: CurrentUser,
    browser: GoogleBrowser,
    Body(form): Body<ChangeEmail>,
) -> ApiResult<NoData> {
    let invalid = |message: &str| ServiceError::Invalid(vec![FieldError::new("email", message)]);
    let email: Email = form.email.parse().map_err(invalid)?;
    if email.as_str().to_lowercase() == caller.email.to_lowercase() {
        return Err(invalid("That is your email address already"));
    }
    form.proof.verify(state.credentials(), &browser, (&caller, caller.0.session)).await?;
    let mut tx = storage::begin(&state.db).await?;
    let user = proof_check::hold_proved(&state, &mut tx, (&caller, caller.0.session)).await?;
    if !mailed_links::send(&state, &mut tx, &user, Link::Change(&email)).await? {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    // An unconfirmed address may belong to a stranger.
    if user.email_verified {
        let text = MailTexts::of(user.language).mails.change_asked.fill(&[("email", &email.as_str())]);
        let link = format!("{}/account", state.config.base_url());
        let mail = text.mail(&user.first_name, &link);
        account_mail::seal(&state, &mut tx, Recipient::user(&user), &mail).await?;
    }
    tx.commit().await?;
    Ok(Envelope::with_message("A link is on its way to the new address", NoData {}))
}
