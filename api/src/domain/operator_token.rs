//! Tokens of operators.

use jiff::Timestamp;
use uuid::Uuid;

/// A token without its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorToken {
    /// Its row.
    pub id: Uuid,
    /// What its maker called it.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last presented, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// From when it is refused.
    pub revoked_at: Option<Timestamp>,
}
