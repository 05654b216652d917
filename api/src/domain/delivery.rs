//! Deliveries: outgoing messages.

use crate::domain::channel::Channel;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// The state of a delivery.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, Display, IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum DeliveryState {
    /// It collects items.
    Open,
    /// Its content is fixed, and no attempt to send it was made yet.
    Sealed,
    /// A process is sending it.
    Leased,
    /// An attempt failed, and it will be retried.
    Retry,
    /// It was sent.
    Sent,
    /// It was given up and is not retried automatically.
    Dead,
}

/// A delivery that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadDelivery {
    /// Its id.
    pub id: Uuid,
    /// The channel.
    pub channel: Channel,
    /// The recipient's address.
    pub address: String,
    /// The number of attempts.
    pub attempts: i32,
    /// Why it was given up: the last error.
    pub last_error: String,
    /// When it was sealed. If it was never sealed, when it was opened.
    pub at: Timestamp,
    /// The beginning of the content. `None`: the message could not be composed.
    pub beginning: Option<Vec<u8>>,
    /// Whether the address is suppressed.
    pub is_suppressed: bool,
}

/// Which dead deliveries are listed or sent again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeadFilter {
    /// Only this delivery.
    pub id: Option<Uuid>,
    /// A part of the address.
    pub address: Option<String>,
    /// A part of the last error.
    pub reason: Option<String>,
}
