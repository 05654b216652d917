//! The trace of a tender's changes, for operators: matches and deliveries.

use crate::domain::{channel::Channel, delivery::DeliveryState, suppression::SuppressionReason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::TenderStatus;
use utoipa::ToSchema;
use uuid::Uuid;

/// A revision of a tender in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedChange {
    /// The revision number, from 1.
    pub revision: i64,
    /// Its position in the change log.
    pub position: i64,
    /// When the change was made.
    pub at: Timestamp,
    /// The tender's status after the change.
    pub status: TenderStatus,
    /// How many alerts first matched the tender at this revision.
    pub matches: i64,
    /// Whether the matcher has processed the change.
    pub is_processed: bool,
}

/// A message about a tender, sent or pending.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedDelivery)]
pub struct TracedDelivery {
    /// The message's id.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Why the tender is in the message: `new`, `change:` with the revision, or `closes:` with the
    /// closing day and the number of days before it.
    pub reason: String,
    /// `email`, `sms`, `whatsapp` or `webhook`.
    #[schema(value_type = String)]
    pub channel: Channel,
    /// The recipient's address.
    pub address: String,
    /// The state of the message.
    pub state: DeliveryState,
    /// The number of attempts.
    pub attempts: i32,
    /// When the message was sent.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub sent_at: Option<Timestamp>,
    /// When the message is sealed or sent next; `null` if it was sent or given up.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    /// The error of the last attempt.
    pub error: Option<String>,
    /// The report that was received about the message.
    pub returned: Option<SuppressionReason>,
}

/// A recipient of messages about a tender, with the deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedRecipient {
    /// The alert that matched. `None`: the recipient has saved the tender.
    pub alert: Option<(Uuid, String)>,
    /// The e-mail address of the recipient's account.
    pub user: String,
    /// The revision that matched. `None` without an alert.
    pub revision: Option<i64>,
    /// When the tender matched. `None` without an alert.
    pub at: Option<Timestamp>,
    /// Whether a user marked the match as irrelevant.
    pub is_irrelevant: bool,
    /// The deliveries, oldest first.
    pub deliveries: Vec<TracedDelivery>,
}
