//! Webhooks of users.

use crate::domain::delivery::DeliveryState;
use jiff::Timestamp;
use uuid::Uuid;

/// The URL of a webhook and its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    /// Its address.
    pub url: String,
    /// The key of its signatures.
    pub secret: Vec<u8>,
}

/// A user's endpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// Where and how.
    pub endpoint: WebhookEndpoint,
    /// Since when it has accepted nothing.
    pub failing_since: Option<Timestamp>,
    /// When it was switched off for that.
    pub off_at: Option<Timestamp>,
}

/// A call that was made, or will be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookCall {
    /// The delivery, which the receiver sees as the webhook id.
    pub id: Uuid,
    /// When its content was sealed.
    pub at: Timestamp,
    /// Its state.
    pub state: DeliveryState,
    /// How often it was tried.
    pub attempts: i32,
    /// What went wrong last.
    pub last_error: Option<String>,
}
