//! Mailed links that confirm an address or set a new password. The mail is sealed in the
//! transaction that stores the link.

use crate::{
    app::context::Context,
    base::{
        i18n::mail_texts::{AccountMails, MailText, MailTexts},
        secret::secret_hash,
    },
    domain::{
        error::ServiceError,
        mailed_link::{LinkPurpose, NewLink},
        user::User,
        validation::Email,
    },
    services::notifications::account_mail::{self, Recipient},
    storage::{self, mailed_links, users},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// How long a link that confirms an address is valid.
const VERIFY_LIFETIME: SignedDuration = SignedDuration::from_hours(48);
/// How long a link that sets a password is valid.
const RESET_LIFETIME: SignedDuration = SignedDuration::from_hours(1);
/// The maximum number of links of one purpose that are mailed to a user in an hour.
const MAX_PER_HOUR: i64 = 4;

/// A link to be mailed to a user.
#[derive(Debug, Clone, Copy)]
pub enum Link<'a> {
    /// Confirms the account's address.
    Verify,
    /// Sets a new password.
    Reset,
    /// Confirms a new address and makes it the account's address. The link is mailed to the new
    /// address.
    Change(&'a Email),
    /// Confirms an address for alerts. The link is mailed to that address.
    Alert(&'a str),
}

impl Link<'_> {
    const fn purpose(self) -> LinkPurpose {
        match self {
            Self::Verify => LinkPurpose::Verify,
            Self::Reset => LinkPurpose::Reset,
            Self::Change(_) => LinkPurpose::Change,
            Self::Alert(_) => LinkPurpose::Alert,
        }
    }
}

/// Mails a link to a user in the caller's transaction. `false`: too many links were mailed in the
/// last hour, or the mail cannot be composed. If [`Link::Change`] names the address of another
/// account, a notice without a link is mailed instead. The user therefore cannot find out whether
/// that account exists.
pub async fn send(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    link: Link<'_>,
) -> Result<bool, ServiceError> {
    let now = context.clock.now();
    let hour_ago = now.checked_sub(SignedDuration::from_hours(1)).unwrap_or(Timestamp::MIN);
    users::lock(tx, user.id).await?;
    if mailed_links::count_since(&mut *tx, link.purpose(), user.id, hour_ago).await? >= MAX_PER_HOUR {
        return Ok(false);
    }
    let (email, holder) = match link {
        Link::Verify | Link::Reset => (user.email.as_str(), None),
        Link::Alert(email) => (email, None),
        Link::Change(email) => {
            // Only the address requested last can become the account's address.
            mailed_links::revoke(tx, LinkPurpose::Change, user.id, now).await?;
            (email.as_str(), users::by_email(&mut *tx, email.as_str(), now).await?)
        }
    };
    let token = context.random.secret();
    let (path, life) = match link {
        _ if holder.is_some() => ("login".to_owned(), VERIFY_LIFETIME),
        Link::Verify | Link::Change(_) | Link::Alert(_) => {
            (format!("verify-email?token={token}"), VERIFY_LIFETIME)
        }
        Link::Reset => (format!("reset-password?token={token}"), RESET_LIFETIME),
    };
    let address = format!("{}/{path}", context.config.base_url());
    // The holder of the address is another person, so the mail uses that person's language and
    // reveals nothing about the user.
    let language = holder.as_ref().map_or(user.language, |holder| holder.language);
    let words = MailTexts::of(language);
    let mail = if holder.is_some() { &words.mails.taken } else { text_of(link, &words.mails) };
    let written = mail.fill(&[]);
    let recipient = match link {
        Link::Reset => Recipient::user(user),
        Link::Verify | Link::Change(_) | Link::Alert(_) => {
            Recipient::unconfirmed(user, email).with_language(language)
        }
    };
    if !account_mail::seal(context, tx, recipient, &written.mail(&user.first_name, &address)).await? {
        return Ok(false);
    }
    // A link for a taken address is stored too, so that it counts towards the limit. Nobody
    // receives its token.
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

const fn text_of(link: Link<'_>, mails: &'static AccountMails) -> &'static MailText {
    match link {
        Link::Verify => &mails.verify,
        Link::Reset => &mails.reset,
        Link::Change(_) => &mails.change,
        Link::Alert(_) => &mails.alert_address,
    }
}

/// Mails a link to the address of a user's alert unless that address is confirmed. After too many
/// links in the last hour, no link is mailed. The user can then save the alert again later.
pub async fn confirm_alert_address(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    address: Option<&str>,
) -> Result<(), ServiceError> {
    let Some(address) = address else { return Ok(()) };
    if !users::add_address(tx, user.id, address, context.clock.now()).await? {
        send(context, tx, user, Link::Alert(address)).await?;
    }
    Ok(())
}

/// Processes waiting requests for a new password, one transaction each. Returns their number.
pub async fn process_reset_requests(context: &Context) -> anyhow::Result<usize> {
    let mut answered = 0;
    loop {
        let mut tx = storage::begin(&context.db).await?;
        let Some(email) = mailed_links::take_password_request(&mut tx).await? else { return Ok(answered) };
        let user = users::by_email(&mut *tx, &email, context.clock.now()).await?;
        if let Some(user) = user.filter(|user| !user.is_locked) {
            send(context, &mut tx, &user, Link::Reset).await?;
        }
        tx.commit().await?;
        answered += 1;
    }
}
