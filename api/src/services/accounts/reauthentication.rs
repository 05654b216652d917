//! Reauthentication of a signed-in user before critical changes, such as the deletion of the
//! account. It needs the password or a recent Google sign-in, and the second factor of a user who has
//! one, because the session may be stolen or left open.

use crate::{
    app::{context::CredentialContext, shared_limit::AttemptKey},
    base::password,
    domain::{
        error::{FieldError, ServiceError},
        user::User,
    },
    services::accounts::{google_nonce::GoogleBrowser, google_sign_in, second_factors::proof_check},
    storage::identities,
};
use serde::Deserialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A password or a Google ID token.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Proof {
    /// The account's password.
    #[schema(format = Password)]
    password: Option<String>,
    /// An ID token that Google gave the browser within the last minutes, with a nonce of the portal.
    credential: Option<String>,
}

impl Proof {
    /// Verifies that the caller is the holder of the account.
    ///
    /// # Errors
    /// 422 if the proof is missing or wrong, or if the second factor was not proved recently. 429 after
    /// too many attempts. 503 if sign-in with Google is not configured or Google is unreachable.
    pub async fn verify(
        self,
        credentials: CredentialContext<'_>,
        browser: &GoogleBrowser,
        (caller, session): (&User, Uuid),
    ) -> Result<(), ServiceError> {
        // An ID token of Google is accepted once, so the second factor is checked before.
        proof_check::require(credentials.context, (caller, session)).await?;
        match (self.password, self.credential) {
            (Some(password), _) if caller.password_hash.is_some() => {
                check_password(credentials, (caller, session), password, "password", "Wrong password").await
            }
            (_, Some(credential)) if caller.has_google => {
                let google = google_sign_in::verify_fresh(credentials, browser, &credential).await?;
                if identities::user_of(&credentials.db, &google.subject).await? == Some(caller.id) {
                    return Ok(());
                }
                Err(invalid("credential", "That Google account is not connected with this one"))
            }
            _ if caller.password_hash.is_some() => Err(password_missing()),
            _ => Err(invalid("credential", "Please sign in with Google once more")),
        }
    }
}

/// Verifies the password of a caller who has one, and the second factor. This is for changes that a
/// connected Google account must not prove, because they change how Google signs in.
///
/// # Errors
/// 422 if the password is missing or wrong, or if the second factor was not proved recently. 429 after
/// too many attempts.
pub async fn verify_password(
    credentials: CredentialContext<'_>,
    (caller, session): (&User, Uuid),
    given: Option<String>,
) -> Result<(), ServiceError> {
    proof_check::require(credentials.context, (caller, session)).await?;
    if caller.password_hash.is_none() {
        return Ok(());
    }
    let given = given.ok_or_else(password_missing)?;
    check_password(credentials, (caller, session), given, "password", "Wrong password").await
}

/// Checks the caller's password.
///
/// # Errors
/// 422 with the message `wrong` for the field if the password is wrong, 429 after too many
/// attempts.
pub async fn check_password(
    credentials: CredentialContext<'_>,
    (caller, session): (&User, Uuid),
    given: String,
    field: &str,
    wrong: &str,
) -> Result<(), ServiceError> {
    // Attempts are counted by session, so that a stolen session does not lock the user out of other
    // sessions.
    let key = AttemptKey::new(["session", &session.to_string(), ""]);
    credentials.attempts.try_acquire(key).await?;
    let fits = given.len() <= password::MAX_LENGTH;
    let stored = caller.password_hash.as_deref().filter(|_| fits);
    if !credentials.passwords.verify(if fits { given } else { String::new() }, stored).await? {
        return Err(invalid(field, wrong));
    }
    credentials.attempts.forget(key).await?;
    Ok(())
}

fn password_missing() -> ServiceError {
    invalid("password", "Enter your password")
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}
