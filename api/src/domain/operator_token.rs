//! Operator tokens, with which `ingest` authenticates when it publishes.

use jiff::Timestamp;
use uuid::Uuid;

/// An operator token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorToken {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last used, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}
