//! `api admin create`: administrators and reviewers.

use super::record;
use crate::{
    base::{
        clock::Clock,
        password::{self, Passwords},
        random::Random,
        secret::secret_hash,
    },
    domain::{
        audit::{AuditAction, AuditSubject},
        mailed_link::{LinkPurpose, NewLink},
        user::{NewUser, Role},
        validation,
    },
    services::accounts::password_rules,
    storage::{self, mailed_links, second_factors, sessions, users},
};
use anyhow::{anyhow, bail};
use jiff::SignedDuration;
use serde_json::json;
use sqlx::PgPool;
use std::io::{self, BufRead, IsTerminal, Read};
use tender_model::vocabulary::Language;

/// A new administrator or reviewer.
#[derive(Debug, Clone, Copy)]
pub struct NewStaff<'a> {
    /// The role.
    pub role: Role,
    /// The mail address to sign in with.
    pub email: &'a str,
    /// The given name.
    pub first_name: &'a str,
    /// The family name.
    pub last_name: &'a str,
    /// The password. `None`: a link sets it.
    pub password: Option<&'a str>,
}

/// How long the link to set the first password is valid.
const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(24);

/// Creates an administrator or a reviewer with a confirmed address. Refuses invalid fields and a
/// taken address. Without a password, returns the token of a link that sets one.
pub async fn create_staff(
    db: &PgPool,
    staff: NewStaff<'_>,
    clock: &Clock,
    random: &Random,
) -> anyhow::Result<Option<String>> {
    let NewStaff { role, email, first_name, last_name, password } = staff;
    let email: validation::Email = email.parse().map_err(|message| anyhow!("--email: {message}"))?;
    let first_name = validation::parse_line(first_name, "--first-name", 100).map_err(anyhow::Error::msg)?;
    let last_name = validation::parse_line(last_name, "--last-name", 100).map_err(anyhow::Error::msg)?;
    let hash = match password {
        Some(password) => {
            check_password(password, &[email.as_str(), &first_name, &last_name])?;
            Some(Passwords::standard(random.clone())?.hash(password.to_owned()).await?)
        }
        None => None,
    };
    let new = NewUser {
        email: email.as_str(),
        password_hash: hash.as_deref(),
        first_name: &first_name,
        last_name: &last_name,
        phone: None,
        company: None,
        role,
        language: Language::English,
        email_verified: true,
    };
    let mut tx = storage::begin(db).await?;
    let id = random.id(clock);
    if !users::insert(&mut tx, id, &new, clock.now()).await? {
        bail!("an account with this email already exists");
    }
    let subject = id.to_string();
    let entry = (AuditAction::CreateUser, AuditSubject::User, subject.as_str());
    record(&mut *tx, entry, (None, Some(json!({"role": role}))), clock.now()).await?;
    let token = hash.is_none().then(|| random.secret());
    if let Some(token) = &token {
        let now = clock.now();
        let link = NewLink {
            token_hash: &secret_hash(token),
            purpose: LinkPurpose::Reset,
            user_id: id,
            email: email.as_str(),
            expires_at: now.saturating_add(LINK_LIFETIME).unwrap_or(now),
        };
        mailed_links::insert(&mut tx, &link, now).await?;
    }
    tx.commit().await?;
    Ok(token)
}

/// Refuses a password that is too short, too long or easy to guess.
fn check_password(password: &str, words: &[&str; 3]) -> anyhow::Result<()> {
    if password_rules::is_short_for_staff(password) || password.len() > password::MAX_LENGTH {
        bail!(
            "the password must have at least {} characters and at most {} bytes",
            password_rules::STAFF_MIN_LENGTH,
            password::MAX_LENGTH
        );
    }
    if password_rules::is_easy_to_guess(password, words) {
        bail!("the password is easy to guess; choose another");
    }
    Ok(())
}

/// Removes the second factors of the user with this address, and signs out all sessions. Returns
/// whether there were any second factors.
pub(super) async fn reset_second_factors(db: &PgPool, email: &str, clock: &Clock) -> anyhow::Result<bool> {
    let now = clock.now();
    let mut tx = storage::begin(db).await?;
    let user = users::by_email(&mut *tx, email, now).await?;
    let user = user.ok_or_else(|| anyhow!("no account has the address {email}"))?;
    users::lock(&mut tx, user.id).await?;
    if !second_factors::remove_all(&mut tx, user.id).await? {
        return Ok(false);
    }
    sessions::end_others(&mut tx, user.id, None, now).await?;
    let subject = user.id.to_string();
    let entry = (AuditAction::ResetSecondFactors, AuditSubject::User, subject.as_str());
    record(&mut *tx, entry, (None, None), now).await?;
    tx.commit().await?;
    Ok(true)
}

/// Returns the first line of standard input. `None` if the line is empty or standard input is a
/// terminal.
pub(super) fn read_password() -> io::Result<Option<String>> {
    let input = io::stdin();
    if input.is_terminal() {
        return Ok(None);
    }
    let mut line = String::new();
    // Two bytes more than allowed, so that a longer password is detected and not cut.
    input.lock().take(password::MAX_LENGTH as u64 + 2).read_line(&mut line)?;
    let line = line.trim_end_matches(['\r', '\n']).to_owned();
    Ok(Some(line).filter(|line| !line.is_empty()))
}
