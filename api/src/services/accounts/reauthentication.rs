//! What somebody who is signed in gives once more before an account is deleted or its address changed: a session left open or stolen
//! is not enough. The password or, for an account that is connected with Google, a sign-in there of just now.

use crate::{
    app::login_attempts::Attempter, base::password, clients::google::Google, http::extract::CurrentUser,
};
use crate::{
    app::state::AppState,
    domain::error::{ApiError, FieldError},
    storage::identities,
};
use serde::Deserialize;
use utoipa::ToSchema;

/// Either of the two.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct Proof {
    /// The account's password.
    #[schema(format = Password)]
    password: Option<String>,
    /// An ID token that Google gave the browser within the last minutes.
    credential: Option<String>,
}

impl Proof {
    /// Whether it is the account's holder who calls.
    ///
    /// # Errors
    /// 422 where it is not shown, 429 after too many attempts, 503 when Google can't be asked.
    pub async fn hold(self, state: &AppState, caller: &CurrentUser) -> Result<(), ApiError> {
        match (self.password, self.credential) {
            (Some(password), _) if caller.password_hash.is_some() => {
                check_password(state, caller, password, "password", "Wrong password").await
            }
            (_, Some(credential)) if caller.has_google => {
                let google = Google::of(state)?.verify_fresh(&credential).await?;
                if identities::user_of(&state.db, &google.subject).await? == Some(caller.id) {
                    return Ok(());
                }
                Err(invalid("credential", "That Google account is not connected with this one"))
            }
            _ if caller.password_hash.is_some() => Err(invalid("password", "Enter your password")),
            _ => Err(invalid("credential", "Please sign in with Google once more")),
        }
    }
}

/// Whether this is the caller's password.
///
/// # Errors
/// 422 with these words for the field where it is not, 429 after too many attempts.
pub async fn check_password(
    state: &AppState,
    caller: &CurrentUser,
    given: String,
    field: &str,
    wrong: &str,
) -> Result<(), ApiError> {
    // By session: whoever has stolen one must not keep the user out of the others.
    let attempter = Attempter::new(["session", &caller.0.session.to_string(), ""]);
    state.attempts.count(attempter)?;
    let is_bearable = given.len() <= password::LONGEST;
    let stored = caller.password_hash.as_deref().filter(|_| is_bearable);
    if !state.passwords.verify(if is_bearable { given } else { String::new() }, stored).await? {
        return Err(invalid(field, wrong));
    }
    state.attempts.forget(attempter);
    Ok(())
}

fn invalid(field: &str, message: &str) -> ApiError {
    ApiError::Invalid(vec![FieldError::new(field, message)])
}
