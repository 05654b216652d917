//! Sign-in with Google. A Google account is identified by Google's own id. Its address counts only
//! at the first sign-in, and only if both sides know it to belong to the holder:
//!
//! - An account here with an unconfirmed address may have been opened by anybody. The holder of the
//!   Google account takes it over, and everything else that could open it (password, sessions, mailed
//!   links, further addresses) is revoked.
//! - An account here with a confirmed address is connected, and its holder is informed by mail.
//! - Both apply only if Google runs the mailbox or the domain. For other addresses Google knows
//!   only a past holder, so the user signs in here first and connects the accounts.

use crate::{
    app::context::Context,
    base::i18n::mail_words::Words,
    clients::google::{Google, GoogleAccount},
    domain::{
        error::ServiceError,
        user::{NewUser, Role, User},
        validation::{self, Email},
    },
    services::{
        accounts::{
            mailed_links::{self, Link},
            session::{self, Tokens, UserAgent},
        },
        notifications::account_mail::{self, Recipient},
    },
    storage::{identities, mailed_links as stored_links, refresh_tokens, users},
};
use index::vocabulary::Language;
use jiff::Timestamp;
use sqlx::PgConnection;

/// The verifier, if sign-in with Google is configured.
///
/// # Errors
/// 503 if it is not.
pub fn offered(google: Option<&Google>) -> Result<&Google, ServiceError> {
    const NOT_OFFERED: ServiceError =
        ServiceError::Unavailable("Sign-in with Google is not set up on this portal");
    google.ok_or(NOT_OFFERED)
}

/// Signs in the user of a Google account. A new user gets an account with this role and language.
///
/// # Errors
/// 401 if Google does not vouch for the address, 409 if the account with this address may belong to
/// another person. Nothing is changed.
pub async fn with_google(
    context: &Context,
    google: &GoogleAccount,
    (role, language): (Role, Language),
    (agent, is_remembered): (UserAgent, bool),
) -> Result<(Tokens, User), ServiceError> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let user_id = match identities::user_of(&mut *tx, &google.subject).await? {
        Some(known) => known,
        None => first_meeting(context, &mut tx, google, (role, language), now).await?.id,
    };
    let tokens = session::begin(context, &mut tx, user_id, agent, is_remembered).await?;
    let user = users::by_id(&mut *tx, user_id, now).await?.ok_or(ServiceError::NotFound("User"))?;
    tx.commit().await?;
    Ok((tokens, user))
}

/// Connects a Google account with a user.
///
/// # Errors
/// 409 while the user's address is not confirmed, or if either side is connected with another
/// account.
pub async fn connect_google(
    context: &Context,
    user: &User,
    google: &GoogleAccount,
) -> Result<(), ServiceError> {
    if !user.email_verified {
        // Otherwise an account opened with another person's address would keep a way in after its
        // holder has taken it over.
        return Err(ServiceError::Conflict("Please confirm your email address first".into()));
    }
    let mut tx = context.db.begin().await?;
    connect(context, &mut tx, user, google).await?;
    tx.commit().await?;
    Ok(())
}

async fn first_meeting(
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
    let user = user
        .ok_or_else(|| ServiceError::Conflict("Your account has just changed. Please try again.".into()))?;
    if user.email_verified {
        connect(context, tx, &user, google).await?;
    } else {
        take_over(tx, &user, now).await?;
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
    let name = |given: &Option<String>| given.as_deref().map(name).unwrap_or_default();
    let (mut first_name, last_name) = (name(&google.given_name), name(&google.family_name));
    if first_name.is_empty() {
        first_name = self::name(email.as_str().split('@').next().unwrap_or_default());
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

/// Revokes every way into an account except the caller's.
async fn take_over(tx: &mut PgConnection, user: &User, now: Timestamp) -> Result<(), ServiceError> {
    users::set_password(tx, user.id, None, now).await?;
    refresh_tokens::revoke_others(&mut *tx, user.id, None, now).await?;
    stored_links::revoke_all(tx, user.id, now).await?;
    identities::disconnect(tx, user.id).await?;
    users::forget_other_addresses(tx, user.id).await?;
    users::verify_address(tx, user.id, &user.email, now).await?;
    Ok(())
}

async fn connect(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    google: &GoogleAccount,
) -> Result<(), ServiceError> {
    if !identities::connect(tx, &google.subject, user.id, context.clock.now()).await? {
        let message = "Your account, or that Google account, is connected with another one already";
        return Err(ServiceError::Conflict(message.into()));
    }
    let link = format!("{}/account", context.config.base_url());
    let told = Words::of(user.language).letters.google.written(&[]);
    account_mail::seal(context, tx, Recipient::user(user), &told.letter(&user.first_name, &link)).await?;
    Ok(())
}

/// A name from Google as one bounded line.
fn name(text: &str) -> String {
    let line: String = text.chars().filter(|c| !c.is_control()).take(100).collect();
    validation::line(&line, "Name", 100).unwrap_or_default()
}
