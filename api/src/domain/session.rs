//! Sessions and their refresh tokens.

use jiff::Timestamp;
use uuid::Uuid;

/// A stored token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Its row.
    pub id: Uuid,
    /// The sign-in it goes back to.
    pub family: Uuid,
    /// Whose.
    pub user_id: Uuid,
    /// Its session outlasts the browser that it was begun in.
    pub is_remembered: bool,
    /// After this it is worth nothing.
    pub expires_at: Timestamp,
    /// When it was exchanged for the next.
    pub rotated_at: Option<Timestamp>,
    /// When its family was signed out.
    pub revoked_at: Option<Timestamp>,
}

/// A sign-in that has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSession {
    /// Its family.
    pub family: Uuid,
    /// What it was begun with.
    pub user_agent: Option<String>,
    /// When it was begun.
    pub begun_at: Timestamp,
    /// When its token was renewed last.
    pub used_at: Timestamp,
}
