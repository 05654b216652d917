//! Sessions and their refresh tokens.

use jiff::Timestamp;
use uuid::Uuid;

/// A stored refresh token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Its id.
    pub id: Uuid,
    /// The token family, which identifies the session.
    pub family: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// Whether the session outlasts the browser.
    pub is_remembered: bool,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was exchanged for the next token.
    pub rotated_at: Option<Timestamp>,
    /// When its session was signed out.
    pub revoked_at: Option<Timestamp>,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// The token family, which identifies the session.
    pub family: Uuid,
    /// The browser's user agent.
    pub user_agent: Option<String>,
    /// When it began.
    pub begun_at: Timestamp,
    /// When its token was last renewed.
    pub used_at: Timestamp,
}
