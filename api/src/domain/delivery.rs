//! Deliveries: messages on their way out.

use jiff::Timestamp;
use strum::EnumString;
use uuid::Uuid;

/// The state of a delivery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum DeliveryState {
    /// It collects items.
    Open,
    /// Its content is fixed, and it waits to be sent.
    Sealed,
    /// A process is sending it.
    Leased,
    /// An attempt failed, and it is tried again.
    Retry,
    /// It was sent.
    Sent,
    /// It was given up.
    Dead,
}

/// A delivery that was given up.
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
    /// When it was sealed, or when it was opened if it never was.
    pub at: Timestamp,
}
