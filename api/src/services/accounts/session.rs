//! Sessions. A sign-in starts a family of refresh tokens. Each use of a token exchanges it for the
//! next token. An exchanged token is accepted for 30 seconds, because two tabs may refresh at once.
//! If it is used later, it counts as stolen, and the whole family is signed out.

use super::access_token::{self, AccessClaims};
use crate::{
    app::context::Context,
    base::secret::secret_hash,
    domain::{error::ServiceError, session::RefreshToken, user::User},
    storage::{refresh_tokens, users},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use uuid::Uuid;

/// How long a refresh token is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(30 * 24);
/// How long a refresh token is valid if the session ends with the browser. The time is short,
/// because a browser may keep the token on disk.
pub const UNREMEMBERED_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The maximum number of stored characters of a user agent.
const MAX_USER_AGENT_LENGTH: usize = 300;
/// How long a refresh token is still accepted after it was exchanged.
pub const ROTATION_GRACE: SignedDuration = SignedDuration::from_secs(30);

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

/// Begins a session in the caller's transaction. A session that is not remembered ends with its
/// browser.
///
/// # Errors
/// Forbidden if the account is locked.
pub async fn begin(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    UserAgent(user_agent): UserAgent,
    is_remembered: bool,
) -> Result<Tokens, ServiceError> {
    if users::hold_lock_state(&mut *tx, user_id).await? {
        return Err(LOCKED);
    }
    let session = Session { user_id, family: context.random.id(&context.clock), is_remembered };
    issue_tokens(context, tx, session, user_agent.as_deref()).await
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
}

/// Exchanges a refresh token. `None`: the token is unknown, expired, signed out or stolen.
pub async fn rotate(context: &Context, refresh: &str) -> Result<Option<(Tokens, User)>, ServiceError> {
    let now = context.clock.now();
    let mut tx = context.db.begin().await?;
    let Some(token) = refresh_tokens::lock(&mut tx, &secret_hash(refresh)).await? else { return Ok(None) };
    match token_state(&token, now) {
        TokenState::Invalid => return Ok(None),
        TokenState::Reused => {
            refresh_tokens::revoke_family(&mut tx, token.family, now).await?;
            tx.commit().await?;
            tracing::warn!(user = %token.user_id, session = %token.family, "a refresh token was reused, so its session was signed out");
            return Ok(None);
        }
        TokenState::Valid => {}
    }
    let user = users::by_id(&mut *tx, token.user_id, now).await?;
    let Some(user) = user.filter(|user| !user.is_locked) else { return Ok(None) };
    refresh_tokens::mark_rotated(&mut tx, token.id, now).await?;
    let session = Session { user_id: user.id, family: token.family, is_remembered: token.is_remembered };
    let tokens = issue_tokens(context, &mut tx, session, None).await?;
    tx.commit().await?;
    Ok(Some((tokens, user)))
}

/// Signs out the family of a refresh token. An unknown token is ignored.
pub async fn end(context: &Context, refresh: &str) -> Result<(), ServiceError> {
    let mut tx = context.db.begin().await?;
    if let Some(token) = refresh_tokens::lock(&mut tx, &secret_hash(refresh)).await? {
        refresh_tokens::revoke_family(&mut tx, token.family, context.clock.now()).await?;
    }
    tx.commit().await?;
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
enum TokenState {
    Valid,
    Invalid,
    Reused,
}

fn token_state(token: &RefreshToken, now: Timestamp) -> TokenState {
    if token.revoked_at.is_some() || token.expires_at <= now {
        return TokenState::Invalid;
    }
    match token.rotated_at {
        Some(rotated_at) if now.duration_since(rotated_at) > ROTATION_GRACE => TokenState::Reused,
        _ => TokenState::Valid,
    }
}

struct Session {
    user_id: Uuid,
    family: Uuid,
    is_remembered: bool,
}

async fn issue_tokens(
    context: &Context,
    tx: &mut PgConnection,
    Session { user_id, family, is_remembered }: Session,
    user_agent: Option<&str>,
) -> Result<Tokens, ServiceError> {
    let now = context.clock.now();
    let refresh = context.random.secret();
    let life = if is_remembered { LIFETIME } else { UNREMEMBERED_LIFETIME };
    let token = RefreshToken {
        id: context.random.id(&context.clock),
        family,
        user_id,
        is_remembered,
        expires_at: now.saturating_add(life).unwrap_or(Timestamp::MAX),
        rotated_at: None,
        revoked_at: None,
    };
    refresh_tokens::insert(tx, &token, &secret_hash(&refresh), user_agent, now).await?;
    let access = access_token::issue(&context.signing_key, AccessClaims { user_id, session: family }, now)?;
    Ok(Tokens { access, refresh })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exchanged_token_is_accepted_for_thirty_seconds() {
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        let token = RefreshToken {
            id: Uuid::nil(),
            family: Uuid::nil(),
            user_id: Uuid::nil(),
            is_remembered: true,
            expires_at: at(1000),
            rotated_at: Some(at(100)),
            revoked_at: None,
        };
        assert_eq!(token_state(&token, at(130)), TokenState::Valid);
        assert_eq!(token_state(&token, at(131)), TokenState::Reused);
        assert_eq!(token_state(&token, at(1000)), TokenState::Invalid);
        assert_eq!(token_state(&RefreshToken { rotated_at: None, ..token }, at(999)), TokenState::Valid);
        assert_eq!(
            token_state(&RefreshToken { revoked_at: Some(at(101)), ..token }, at(131)),
            TokenState::Invalid
        );
    }
}
