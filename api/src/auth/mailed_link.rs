//! Links that are mailed: one to confirm an address, one to set another password. The mail is sealed in the transaction that stores
//! the link, so that one is there exactly when the other is.

use super::secret_hash;
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

/// Mails a link to a user in the caller's transaction. `false`: it is not, as enough were mailed in the last hour, or as it can't be put
/// together.
///
/// # Errors
/// When the database fails.
pub async fn send(
    state: &AppState,
    tx: &mut PgConnection,
    user: &User,
    purpose: Purpose,
) -> Result<bool, ApiError> {
    let now = state.clock.now();
    let hour_ago = now.checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN);
    users::lock(tx, user.id).await?;
    if mailed_links::count_since(&mut *tx, purpose, user.id, hour_ago).await? >= AN_HOUR {
        return Ok(false);
    }
    let token = state.random.secret();
    let base_url = state.config.base_url();
    let (life, path) = match purpose {
        Purpose::Verify => (VERIFY_LIFE, "verify-email"),
        Purpose::Reset => (RESET_LIFE, "reset-password"),
    };
    let link = format!("{base_url}/{path}?token={token}");
    let letter = match purpose {
        Purpose::Verify => Letter {
            first_name: &user.first_name,
            subject: "Confirm your e-mail address",
            text: "Please confirm that this is your e-mail address. Alerts and reminders are sent to confirmed addresses only.",
            action: "Confirm my address",
            link: &link,
            note: "The link is good for two days. If you did not sign up, nothing needs to be done.",
        },
        Purpose::Reset => Letter {
            first_name: &user.first_name,
            subject: "Choose a new password",
            text: "You asked for a new password. Choose one here; you will be signed out on every device.",
            action: "Choose a new password",
            link: &link,
            note: "The link is good for one hour, once. If you did not ask for it, your password stays as it is and nothing needs to be done.",
        },
    };
    if !letter::seal(state, tx, Recipient::user(user), &letter).await? {
        return Ok(false);
    }
    let stored = NewLink {
        token_hash: &secret_hash(&token),
        purpose,
        user_id: user.id,
        email: &user.email,
        expires_at: now.saturating_add(life).unwrap_or(Timestamp::MAX),
    };
    mailed_links::insert(tx, &stored, now).await?;
    Ok(true)
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
            send(state, &mut tx, &user, Purpose::Reset).await?;
        }
        tx.commit().await?;
        answered += 1;
    }
}
