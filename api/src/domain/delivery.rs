//! Deliveries: outgoing messages.

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
    /// An attempt failed, and it will be retried.
    Retry,
    /// It was sent.
    Sent,
    /// It could not be delivered and is not retried.
    Dead,
}

/// A delivery that failed permanently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadDelivery {
    /// Its id.
    pub id: Uuid,
    /// The recipient's address.
    pub address: String,
    /// The number of attempts.
    pub attempts: i32,
    /// The error of the last attempt.
    pub last_error: String,
    /// When it was sealed, or when it was opened if it never was.
    pub at: Timestamp,
}
