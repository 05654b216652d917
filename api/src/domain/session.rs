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
    /// When the token was exchanged for the next one.
    pub rotated_at: Option<Timestamp>,
    /// When the token was revoked, because its session was ended.
    pub revoked_at: Option<Timestamp>,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// The token family, which identifies the session.
    pub family: Uuid,
    /// The user agent of the browser at sign-in.
    pub user_agent: Option<String>,
    /// When the user signed in.
    pub begun_at: Timestamp,
    /// When its token was last renewed.
    pub used_at: Timestamp,
}
