//! Webhooks of users.

use crate::domain::delivery::DeliveryState;
use jiff::Timestamp;
use uuid::Uuid;

/// The URL of a webhook and its secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEndpoint {
    /// The URL that is called.
    pub url: String,
    /// The key that signs its calls.
    pub secret: Vec<u8>,
}

/// A user's webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Webhook {
    /// The URL that is called.
    pub url: String,
    /// When its calls began to fail. `None`: the last call succeeded, or none was made.
    pub failing_since: Option<Timestamp>,
    /// When it was switched off because of failures.
    pub off_at: Option<Timestamp>,
}

/// A past or pending call of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookCall {
    /// The id of the delivery, which the receiver sees as the webhook id.
    pub id: Uuid,
    /// When the call's content was sealed.
    pub at: Timestamp,
    /// Its state.
    pub state: DeliveryState,
    /// The number of attempts.
    pub attempts: i32,
    /// The error of the last attempt.
    pub last_error: Option<String>,
}
