//! Deliveries: messages on their way out.

use jiff::Timestamp;
use uuid::Uuid;

/// A message that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadDelivery {
    /// Its id.
    pub id: Uuid,
    /// Where it was to go.
    pub address: String,
    /// How often it was tried.
    pub attempts: i32,
    /// What was said last.
    pub last_error: String,
    /// When it was fixed, or first collected for where it never was.
    pub at: Timestamp,
}
