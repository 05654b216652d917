//! Links that are mailed: one to confirm an address, one to set another password. The mail is sealed in the transaction that stores
//! the link, so that one is there exactly when the other is.

use super::{person::Email, secret_hash};
use crate::{
    db::{
        mailed_links::{self, NewLink, Purpose},
        users::{self, User},
    },
    error::ApiError,
    mail::letter::{self, Letter, Recipient},
    state::AppState,
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// How long a link that confirms an address is good for.
const VERIFY_LIFE: SignedDuration = SignedDuration::from_hours(48);
/// How long a link that sets a password is good for.
const RESET_LIFE: SignedDuration = SignedDuration::from_hours(1);
/// Links of one kind that a user is mailed in an hour.
const AN_HOUR: i64 = 4;

/// A link to be mailed to a user.
#[derive(Debug, Clone, Copy)]
pub enum Link<'a> {
    /// Confirms the account's address.
    Verify,
    /// Sets another password.
    Reset,
    /// Goes to another address, and makes it the account's.
    Change(&'a Email),
    /// Goes to an address that alerts are to be mailed to, and confirms it.
    Alert(&'a str),
}

impl Link<'_> {
    const fn purpose(self) -> Purpose {
        match self {
            Self::Verify => Purpose::Verify,
            Self::Reset => Purpose::Reset,
            Self::Change(_) => Purpose::Change,
            Self::Alert(_) => Purpose::Alert,
        }
    }
}

/// Mails a link to a user in the caller's transaction. `false`: it is not, as enough were mailed in the last hour, or as it can't be put
/// together. An address that has an account already is told so instead of getting a link: its reader may know, and
/// whoever asked learns nothing.
///
/// # Errors
/// When the database fails.
pub async fn send(
    state: &AppState,
    tx: &mut PgConnection,
    user: &User,
    link: Link<'_>,
) -> Result<bool, ApiError> {
    let now = state.clock.now();
    let hour_ago = now.checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN);
    users::lock(tx, user.id).await?;
    if mailed_links::count_since(&mut *tx, link.purpose(), user.id, hour_ago).await? >= AN_HOUR {
        return Ok(false);
    }
    let (email, is_taken) = match link {
        Link::Verify | Link::Reset => (user.email.as_str(), false),
        Link::Alert(email) => (email, false),
        Link::Change(email) => {
            // Only the address asked for last can become the account's.
            mailed_links::revoke(tx, Purpose::Change, user.id, now).await?;
            (email.as_str(), users::by_email(&mut *tx, email.as_str(), now).await?.is_some())
        }
    };
    let token = state.random.secret();
    let (path, life) = match link {
        _ if is_taken => ("login".to_owned(), VERIFY_LIFE),
        Link::Verify | Link::Change(_) | Link::Alert(_) => {
            (format!("verify-email?token={token}"), VERIFY_LIFE)
        }
        Link::Reset => (format!("reset-password?token={token}"), RESET_LIFE),
    };
    let address = format!("{}/{path}", state.config.base_url());
    let letter = if is_taken { told_taken(&address) } else { letter(link, user, &address) };
    if !letter::seal(state, tx, Recipient::user_at(user, email), &letter).await? {
        return Ok(false);
    }
    // For a taken address too, so that both count alike; nobody was mailed that token.
    let stored = NewLink {
        token_hash: &secret_hash(&token),
        purpose: link.purpose(),
        user_id: user.id,
        email,
        expires_at: now.saturating_add(life).unwrap_or(Timestamp::MAX),
    };
    mailed_links::insert(tx, &stored, now).await?;
    Ok(true)
}

fn letter<'a>(link: Link<'_>, user: &'a User, address: &'a str) -> Letter<'a> {
    let first_name = &user.first_name;
    match link {
        Link::Verify => Letter {
            first_name,
            subject: "Confirm your e-mail address",
            text: "Please confirm that this is your e-mail address. Alerts and reminders are sent to confirmed addresses only.",
            action: "Confirm my address",
            link: address,
            note: "The link is good for two days. If you did not sign up, nothing needs to be done.",
        },
        Link::Reset => Letter {
            first_name,
            subject: "Choose a new password",
            text: "You asked for a new password. Choose one here; you will be signed out on every device.",
            action: "Choose a new password",
            link: address,
            note: "The link is good for one hour, once. If you did not ask for it, your password stays as it is and nothing needs to be done.",
        },
        Link::Change(_) => Letter {
            first_name,
            subject: "Confirm your new e-mail address",
            text: "You asked to use this address for your account. It is used from the moment you confirm it; until then the old one stays.",
            action: "Confirm my address",
            link: address,
            note: "The link is good for two days. If you did not ask for it, nothing needs to be done.",
        },
        Link::Alert(_) => Letter {
            first_name,
            subject: "Confirm that alerts may be mailed here",
            text: "An alert for new tenders is to be mailed to this address. Please confirm that it may; until then nothing is sent here.",
            action: "Confirm this address",
            link: address,
            note: "The link is good for two days. If you do not know of it, nothing needs to be done, and nothing will be sent.",
        },
    }
}

/// Mails a link to the address that an alert of a user's is to be mailed to, where it is another than the account's and its reader has
/// not confirmed it. Where enough were mailed in the last hour, none is; saving the alert again asks again.
///
/// # Errors
/// When the database fails.
pub async fn ask_for_alerts(
    state: &AppState,
    tx: &mut PgConnection,
    user: &User,
    address: Option<&str>,
) -> Result<(), ApiError> {
    let Some(address) = address else { return Ok(()) };
    if !users::add_address(tx, user.id, address, state.clock.now()).await? {
        send(state, tx, user, Link::Alert(address)).await?;
    }
    Ok(())
}

fn told_taken(address: &str) -> Letter<'_> {
    Letter {
        first_name: "reader",
        subject: "This address has an account already",
        text: "Somebody asked to use this address for another account. It has one already, so nothing was changed. If it was you, sign in to that account, or choose a new password for it.",
        action: "Sign in",
        link: address,
        note: "If it was not you, nothing needs to be done.",
    }
}

/// Answers the requests for a new password that wait, one transaction each. Answers how many.
///
/// # Errors
/// When the database fails.
pub async fn answer_requests(state: &AppState) -> anyhow::Result<usize> {
    let mut answered = 0;
    loop {
        let mut tx = state.db.begin().await?;
        let Some(email) = mailed_links::take_request(&mut tx).await? else { return Ok(answered) };
        if let Some(user) = users::by_email(&mut *tx, &email, state.clock.now()).await? {
            send(state, &mut tx, &user, Link::Reset).await?;
        }
        tx.commit().await?;
        answered += 1;
    }
}
