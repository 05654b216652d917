//! Sign-in with Google. A Google account is identified by Google's own id. The address of the
//! Google account matters only at the first sign-in, under these rules:
//!
//! - An account here with an unconfirmed address may have been opened by anybody. The holder of the
//!   Google account takes it over. All other ways into it (password, sessions, mailed links, second
//!   factors, API keys, feed addresses, webhook, telephone, further addresses) are removed.
//! - An account here with a confirmed address is connected, and its holder is informed by mail.
//! - Both rules apply only if Google runs the mailbox or the domain. For other addresses, Google
//!   knows only who held the address in the past. The user must then sign in here with the password
//!   first, and connect the accounts afterwards.

use crate::{
    app::context::{Context, CredentialContext},
    clients::google::{self, Google, GoogleAccount},
    domain::{
        error::{FieldError, ServiceError},
        user::{NewUser, Role, User},
        validation::{self, Email},
    },
    services::accounts::{
        access_withdrawal,
        google_nonce::{self, GoogleBrowser},
        mailed_links::{self, Link},
        second_factors::{
            proof_check,
            sign_in::{self, FirstFactorOutcome},
        },
        security_mails::{self, SecurityEvent},
        session::{SignIn, SignInBrowser},
    },
    storage::{self, identities, users},
};
use jiff::Timestamp;
use sqlx::PgConnection;
use tender_model::vocabulary::Language;
use uuid::Uuid;

/// The verifier of Google's ID tokens.
///
/// # Errors
/// 503 if sign-in with Google is not configured.
pub fn configured_verifier(google: Option<&Google>) -> Result<&Google, ServiceError> {
    const NOT_OFFERED: ServiceError =
        ServiceError::Unavailable("Sign-in with Google is not set up on this portal");
    google.ok_or(NOT_OFFERED)
}

/// Verifies an ID token that Google issued for a page in this browser. Each token is accepted once.
///
/// # Errors
/// 401 if the token is invalid, for another page or used before; 503 if sign-in with Google is not
/// configured or the issuer's keys are unavailable.
pub async fn verify(
    credentials: CredentialContext<'_>,
    browser: &GoogleBrowser,
    token: &str,
) -> Result<GoogleAccount, ServiceError> {
    let account = configured_verifier(credentials.google)?.verify(token).await?;
    let nonce = account.nonce.as_deref().unwrap_or_default();
    if !google_nonce::consume(credentials.context, browser, nonce).await? {
        tracing::info!("an ID token of Google was refused because of its nonce");
        return Err(google::REFUSED);
    }
    Ok(account)
}

/// Verifies the token of a user who is signed in here and has just signed in at Google again.
///
/// # Errors
/// 422 if the token is invalid or older than five minutes. It is not 401, because the session itself is
/// valid. 503 as for [`verify`].
pub async fn verify_fresh(
    credentials: CredentialContext<'_>,
    browser: &GoogleBrowser,
    token: &str,
) -> Result<GoogleAccount, ServiceError> {
    let invalid = |message: &str| ServiceError::Invalid(vec![FieldError::new("credential", message)]);
    match verify(credentials, browser, token).await {
        Ok(account) if account.is_fresh => Ok(account),
        Ok(_) => Err(invalid("Please sign in with Google once more")),
        Err(ServiceError::Unauthenticated(message)) => Err(invalid(message)),
        Err(other) => Err(other),
    }
}

/// Signs in the user of a Google account. A user with a second factor gets a challenge. A new user
/// gets an account with this role and language.
///
/// # Errors
/// 401 if Google does not confirm the address, 409 if the account with this address may belong to
/// another person or has just changed. On an error, nothing is changed.
pub async fn sign_in(
    context: &Context,
    google: &GoogleAccount,
    (role, language): (Role, Language),
    (browser, is_remembered): (SignInBrowser, bool),
) -> Result<FirstFactorOutcome, ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let user_id = match identities::user_of(&mut *tx, &google.subject).await? {
        Some(known) => {
            users::hold_credentials(&mut tx, known).await?;
            // A reset of the password may have disconnected Google before the credentials were held.
            if identities::user_of(&mut *tx, &google.subject).await? != Some(known) {
                return Err(just_changed());
            }
            known
        }
        None => sign_in_first_time(context, &mut tx, google, (role, language), now).await?.id,
    };
    let sign_in = SignIn { is_remembered, ..SignIn::remembered(browser) };
    let outcome = sign_in::continue_sign_in(context, &mut tx, user_id, &sign_in).await?;
    tx.commit().await?;
    Ok(outcome)
}

/// Connects a Google account with a user who has proved the password.
///
/// # Errors
/// 409 if the user's address is not confirmed, or if the user or the Google account is already
/// connected with another account. Also the errors of [`proof_check::hold_proved`].
pub async fn connect_google(
    context: &Context,
    caller: (&User, Uuid),
    google: &GoogleAccount,
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, caller).await?;
    if !user.email_verified {
        // Otherwise somebody could open an account with another person's address and keep access
        // after that person takes it over.
        return Err(ServiceError::Conflict("Please confirm your email address first".into()));
    }
    connect(context, &mut tx, &user, google).await?;
    tx.commit().await?;
    Ok(())
}

/// Disconnects the Google account of a user who has proved the password.
///
/// # Errors
/// Those of [`proof_check::hold_proved`].
pub async fn disconnect_google(context: &Context, caller: (&User, Uuid)) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = proof_check::hold_proved(context, &mut tx, caller).await?;
    if user.has_google {
        identities::disconnect(&mut tx, user.id).await?;
        security_mails::seal(context, &mut tx, &user, SecurityEvent::GoogleDisconnected).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn sign_in_first_time(
    context: &Context,
    tx: &mut PgConnection,
    google: &GoogleAccount,
    (role, language): (Role, Language),
    now: Timestamp,
) -> Result<User, ServiceError> {
    const UNCONFIRMED: ServiceError =
        ServiceError::Unauthenticated("The email address of your Google account is not confirmed");
    let email = google.email.as_deref().filter(|_| google.email_verified).ok_or(UNCONFIRMED)?;
    let email: Email = email.parse().map_err(|_| UNCONFIRMED)?;
    let Some(user) = users::by_email(&mut *tx, email.as_str(), now).await? else {
        return open_account(context, tx, google, &email, (role, language), now).await;
    };
    if !google.is_authoritative {
        let message = "An account with this email already exists. Log in with your password, then connect Google on your account page.";
        return Err(ServiceError::Conflict(message.into()));
    }
    users::lock(tx, user.id).await?;
    // Read again under the lock, because the address may have been confirmed or changed meanwhile.
    let user = users::by_email(&mut *tx, email.as_str(), now).await?.filter(|again| again.id == user.id);
    let user = user.ok_or_else(just_changed)?;
    if user.email_verified {
        connect(context, tx, &user, google).await?;
    } else {
        take_over(context, tx, &user).await?;
        identities::connect(tx, &google.subject, user.id, now).await?;
        tracing::info!(user = %user.id, "an account was taken over by the holder of its address");
    }
    Ok(user)
}

async fn open_account(
    context: &Context,
    tx: &mut PgConnection,
    google: &GoogleAccount,
    email: &Email,
    (role, language): (Role, Language),
    now: Timestamp,
) -> Result<User, ServiceError> {
    let name = |given: &Option<String>| given.as_deref().map(clean_name).unwrap_or_default();
    let (mut first_name, last_name) = (name(&google.given_name), name(&google.family_name));
    if first_name.is_empty() {
        let local_part = email.as_str().split('@').next().unwrap_or_default();
        first_name = clean_name(local_part);
        if first_name.is_empty() {
            first_name = clean_name(&local_part.replace('.', " "));
        }
    }
    let new = NewUser {
        email: email.as_str(),
        password_hash: None,
        first_name: &first_name,
        last_name: &last_name,
        phone: None,
        company: None,
        role,
        language,
        email_verified: google.is_authoritative,
    };
    let id = context.random.id(&context.clock);
    if !users::insert(tx, id, &new, now).await? || !identities::connect(tx, &google.subject, id, now).await? {
        // The same sign-in was sent twice at once.
        return Err(ServiceError::Conflict("Your account has just been opened. Please try again.".into()));
    }
    let user = users::by_id(&mut *tx, id, now).await?.ok_or(ServiceError::NotFound("User"))?;
    if !user.email_verified {
        mailed_links::send(context, tx, &user, Link::Verify).await?;
    }
    tracing::info!(user = %id, "an account was opened by a sign-in with Google");
    Ok(user)
}

/// Removes all ways into an account whose address nobody has confirmed, and confirms the address.
async fn take_over(context: &Context, tx: &mut PgConnection, user: &User) -> Result<(), ServiceError> {
    let now = context.clock.now();
    users::set_password(tx, user.id, None, now).await?;
    access_withdrawal::end_sign_ins(context, tx, user).await?;
    users::verify_address(tx, user.id, &user.email, now).await?;
    Ok(())
}

/// Connects a Google account with a user. Nothing happens if they are connected already.
async fn connect(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    google: &GoogleAccount,
) -> Result<(), ServiceError> {
    if !identities::connect(tx, &google.subject, user.id, context.clock.now()).await? {
        let message = "Your account or this Google account is already connected to another one";
        return Err(ServiceError::Conflict(message.into()));
    }
    if !user.has_google {
        security_mails::seal(context, tx, user, SecurityEvent::GoogleConnected).await?;
    }
    Ok(())
}

fn just_changed() -> ServiceError {
    ServiceError::Conflict("Your account has just changed. Please try again.".into())
}

/// Converts a name from Google to one line of limited length. A name with an address is dropped.
fn clean_name(text: &str) -> String {
    let line: String = text.chars().filter(|c| !c.is_control()).take(100).collect();
    validation::parse_name(&line, "Name", 100).unwrap_or_default()
}
