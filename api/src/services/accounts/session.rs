//! Sessions. A sign-in begins a session with a refresh token. Each use of the token exchanges it
//! for the next one. Within 30 seconds, a second exchange gets the same next token, because two
//! tabs may refresh at once. A later use counts as theft and ends the session.
//!
//! A session ends when it is signed out, when its token is not exchanged for some time, and in any
//! case some time after the sign-in.

use super::access_token::{self, AccessClaims};
use crate::{
    app::context::Context,
    base::secret::secret_hash,
    domain::{
        error::ServiceError,
        session::{RefreshToken, Session, SignInStrength},
        user::{Role, User},
    },
    storage::{self, refresh_tokens, sessions, users},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// How long an unused session lasts.
pub const IDLE_LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long an unused session lasts if it ends with the browser. The time is short, because a
/// browser may keep the token on disk.
pub const UNREMEMBERED_IDLE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// How long an unused session of an administrator or reviewer lasts.
pub const STAFF_IDLE_LIFETIME: SignedDuration = SignedDuration::from_hours(12);
/// How long a session of an administrator or reviewer lasts at most.
pub const STAFF_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The maximum number of open sessions of a user. A further sign-in ends the least used one.
pub const MAX_OPEN_SESSIONS: i64 = 20;
/// The maximum number of stored characters of a user agent.
const MAX_USER_AGENT_LENGTH: usize = 300;
/// How long a refresh token is still accepted after it was exchanged.
pub const EXCHANGE_GRACE: SignedDuration = SignedDuration::from_secs(30);
/// The purpose that the refresh tokens' signatures are bound to.
const REFRESH_TOKEN: &str = "refresh token";

/// The tokens of a session.
#[derive(Debug)]
pub struct Tokens {
    /// The access token, valid for an hour.
    pub access: String,
    /// The refresh token, to be exchanged once.
    pub refresh: String,
}

/// The error if the account is locked.
pub const LOCKED: ServiceError =
    ServiceError::Forbidden("This account is locked. Please write to us if you think that this is a mistake");

/// The error if an address is unknown or a password is wrong.
pub const WRONG_CREDENTIALS: ServiceError = ServiceError::Unauthenticated("Invalid email or password");

/// What a sign-in knows about the new session.
#[derive(Debug, Clone)]
pub struct SignIn {
    /// The browser.
    pub browser: SignInBrowser,
    /// Whether the session outlasts the browser.
    pub is_remembered: bool,
    /// How well the user proved who they are.
    pub strength: SignInStrength,
}

impl SignIn {
    /// A remembered session without a second factor and without a short password.
    #[must_use]
    pub const fn remembered(browser: SignInBrowser) -> Self {
        let strength = SignInStrength { has_second_factor: false, has_short_password: false };
        Self { browser, is_remembered: true, strength }
    }
}

/// Begins a session in the caller's transaction, and ends the earlier one of the browser. Returns the
/// tokens and the user.
///
/// # Errors
/// Forbidden if the account is locked.
pub async fn begin(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    sign_in: &SignIn,
) -> Result<(Tokens, User), ServiceError> {
    let credentials = users::hold_credentials(&mut *tx, user_id).await?;
    let role = credentials.filter(|held| !held.is_locked).ok_or(LOCKED)?.role;
    let now = context.clock.now();
    let (idle, whole) = lifetimes(context, role, sign_in.is_remembered);
    let ends_at = now.saturating_add(whole).unwrap_or(Timestamp::MAX);
    let session = Session {
        id: context.random.id(&context.clock),
        user_id,
        is_remembered: sign_in.is_remembered,
        expires_at: now.saturating_add(idle).unwrap_or(Timestamp::MAX).min(ends_at),
        ends_at,
        ended_at: None,
    };
    if let Some(earlier) = sign_in.browser.earlier_session {
        sessions::end(&mut *tx, earlier, now).await?;
    }
    sessions::end_least_used(tx, user_id, MAX_OPEN_SESSIONS - 1, now).await?;
    sessions::insert(tx, &session, sign_in.strength, sign_in.browser.user_agent.as_deref(), now).await?;
    let id = context.random.id(&context.clock);
    let refresh = refresh_token(context, session.id, id);
    refresh_tokens::insert(tx, id, session.id, &secret_hash(&refresh), now).await?;
    let user = user_of(context, tx, user_id, session.id).await?.ok_or(LOCKED)?;
    Ok((tokens(context, &session, refresh)?, user))
}

/// Holds the credentials of a user until the transaction ends, and checks that the password is still
/// the one that was verified. Otherwise a sign-in that began before a change of the password could
/// end after it.
///
/// # Errors
/// 401 if the password has changed.
pub async fn check_password_is(
    tx: &mut PgConnection,
    user_id: Uuid,
    verified_hash: Option<&str>,
) -> Result<(), ServiceError> {
    let held = users::hold_credentials(tx, user_id).await?.ok_or(WRONG_CREDENTIALS)?;
    if held.password_hash.as_deref() == verified_hash { Ok(()) } else { Err(WRONG_CREDENTIALS) }
}

/// Refuses a locked account.
///
/// # Errors
/// Forbidden if the account is locked.
pub async fn check_not_locked(tx: &mut PgConnection, user_id: Uuid) -> Result<(), ServiceError> {
    match users::hold_credentials(tx, user_id).await? {
        Some(held) if !held.is_locked => Ok(()),
        _ => Err(LOCKED),
    }
}

/// How long a session of this role lasts unused, and at most.
fn lifetimes(context: &Context, role: Role, is_remembered: bool) -> (SignedDuration, SignedDuration) {
    let sign_in = &context.config.sign_in;
    let idle = if is_remembered { IDLE_LIFETIME } else { UNREMEMBERED_IDLE_LIFETIME };
    if role.may_review() && sign_in.requires_second_factor(context.config.demo) {
        (idle.min(STAFF_IDLE_LIFETIME), STAFF_LIFETIME)
    } else {
        (idle, sign_in.session_lifetime())
    }
}

/// The browser of a sign-in.
#[derive(Debug, Clone)]
pub struct SignInBrowser {
    /// Its user agent.
    pub user_agent: UserAgent,
    /// The session whose access token the browser sent.
    pub earlier_session: Option<Uuid>,
}

/// The shortened user agent of a browser. In the list of sessions, it helps the user tell them
/// apart.
#[derive(Debug, Clone)]
pub struct UserAgent(Option<String>);

impl UserAgent {
    /// Shortens the value of a `User-Agent` header.
    #[must_use]
    pub fn new(given: Option<&str>) -> Self {
        Self(given.map(|text| text.chars().take(MAX_USER_AGENT_LENGTH).collect()))
    }

    /// The shortened text.
    #[must_use]
    pub fn as_deref(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// Exchanges a refresh token. `None`: the token is unknown, its session is over, or it is stolen.
pub async fn exchange(context: &Context, refresh: &str) -> Result<Option<(Tokens, User)>, ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let Some((token, session)) = refresh_tokens::lock(&mut tx, &secret_hash(refresh)).await? else {
        return Ok(None);
    };
    if !session.is_open(now) {
        return Ok(None);
    }
    let successor = match token_use(&token, now) {
        TokenUse::First => context.random.id(&context.clock),
        TokenUse::Repeated(successor) => successor,
        TokenUse::Stolen => {
            sessions::end(&mut *tx, session.id, now).await?;
            tx.commit().await?;
            tracing::warn!(user = %session.user_id, session = %session.id, "a refresh token was reused, so its session was signed out");
            return Ok(None);
        }
    };
    let Some(user) = user_of(context, &mut *tx, session.user_id, session.id).await? else { return Ok(None) };
    let refresh = refresh_token(context, session.id, successor);
    if token_use(&token, now) == TokenUse::First {
        refresh_tokens::insert(&mut tx, successor, session.id, &secret_hash(&refresh), now).await?;
        refresh_tokens::mark_exchanged(&mut tx, token.id, successor, now).await?;
        let (idle, _) = lifetimes(context, user.whole_role(), session.is_remembered);
        let expires_at = now.saturating_add(idle).unwrap_or(Timestamp::MAX).min(session.ends_at);
        sessions::renew(&mut tx, session.id, expires_at, now).await?;
    }
    tx.commit().await?;
    Ok(Some((tokens(context, &session, refresh)?, user)))
}

/// The user of an open session. The role of an administrator or reviewer is suspended if the
/// sign-in was too weak for it. `None`: the session is over, or the account is locked.
pub async fn user_of(
    context: &Context,
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    session: Uuid,
) -> Result<Option<User>, sqlx::Error> {
    let found = users::of_session(db, user_id, session, context.clock.now()).await?;
    Ok(found.map(|(user, strength)| with_usable_role(context, user, strength)))
}

/// The user of an API key. A key proves no second factor, so it never carries a role that needs one.
pub fn user_of_key(context: &Context, user: User) -> User {
    with_usable_role(context, user, SignInStrength { has_second_factor: false, has_short_password: false })
}

fn with_usable_role(context: &Context, user: User, strength: SignInStrength) -> User {
    let is_strict = context.config.sign_in.requires_second_factor(context.config.demo);
    if is_strict { user.with_role_for(strength) } else { user }
}

/// Signs out the session of a refresh token. An unknown token is ignored.
pub async fn end(context: &Context, refresh: &str) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    if let Some((_, session)) = refresh_tokens::lock(&mut tx, &secret_hash(refresh)).await? {
        sessions::end(&mut *tx, session.id, context.clock.now()).await?;
    }
    tx.commit().await?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenUse {
    /// The token was not exchanged before.
    First,
    /// The token was just exchanged for the token with this id.
    Repeated(Uuid),
    /// The token was exchanged some time ago.
    Stolen,
}

fn token_use(token: &RefreshToken, now: Timestamp) -> TokenUse {
    match token.exchange {
        None => TokenUse::First,
        Some((at, Some(successor))) if now.duration_since(at) <= EXCHANGE_GRACE => {
            TokenUse::Repeated(successor)
        }
        Some(_) => TokenUse::Stolen,
    }
}

/// The refresh token with this id. It is a signature, so that a repeated exchange can issue the same
/// token again although only the hash is stored.
fn refresh_token(context: &Context, session: Uuid, id: Uuid) -> String {
    context.signing_key.sign(REFRESH_TOKEN, &[session.into_bytes(), id.into_bytes()].concat())
}

fn tokens(context: &Context, session: &Session, refresh: String) -> Result<Tokens, ServiceError> {
    let claims = AccessClaims { user_id: session.user_id, session: session.id };
    let access = access_token::issue(&context.signing_key, claims, context.clock.now())?;
    Ok(Tokens { access, refresh })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchanged_token_gets_the_same_successor_for_thirty_seconds() {
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        let successor = Uuid::from_u128(7);
        let token = RefreshToken { id: Uuid::nil(), exchange: Some((at(100), Some(successor))) };
        assert_eq!(token_use(&token, at(130)), TokenUse::Repeated(successor));
        assert_eq!(token_use(&token, at(131)), TokenUse::Stolen);
        assert_eq!(token_use(&RefreshToken { exchange: None, ..token }, at(999)), TokenUse::First);
        let earlier = RefreshToken { exchange: Some((at(100), None)), ..token };
        assert_eq!(token_use(&earlier, at(101)), TokenUse::Stolen);
    }
}
