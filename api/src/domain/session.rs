//! Sessions and their refresh tokens.

use jiff::Timestamp;
use uuid::Uuid;

/// A stored token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Its row.
    pub id: Uuid,
    /// The family: the session it belongs to.
    pub family: Uuid,
    /// Whose.
    pub user_id: Uuid,
    /// Whether the session outlasts the browser.
    pub is_remembered: bool,
    /// When it expires.
    pub expires_at: Timestamp,
    /// When it was exchanged for the next token.
    pub rotated_at: Option<Timestamp>,
    /// When the session was signed out.
    pub revoked_at: Option<Timestamp>,
}

/// An open session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// Its family.
    pub family: Uuid,
    /// The browser's user agent.
    pub user_agent: Option<String>,
    /// When it was begun.
    pub begun_at: Timestamp,
    /// When its token was last renewed.
    pub used_at: Timestamp,
}
