//! The trace of a tender's changes, for operators: matches and deliveries.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A revision of a tender in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedChange {
    /// The revision number, from 1.
    pub revision: i64,
    /// Its position in the change log.
    pub position: i64,
    /// When it was made.
    pub at: Timestamp,
    /// The tender's status after the change.
    pub status: String,
    /// How many alerts matched the tender first at this revision.
    pub matches: i64,
    /// Whether the matcher has processed it.
    pub is_matched: bool,
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
    /// day.
    pub reason: String,
    /// `email`, `sms`, `whatsapp` or `webhook`.
    pub channel: String,
    /// The recipient's address.
    pub address: String,
    /// `open`, `sealed`, `leased`, `retry`, `sent` or `dead`.
    pub state: String,
    /// The number of attempts.
    pub attempts: i32,
    /// When it was sent.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub sent_at: Option<Timestamp>,
    /// When it is next sealed or sent. It is absent once delivery has ended.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    /// The error of the last attempt.
    pub error: Option<String>,
    /// The report received about it: `bounce` or `complaint`.
    pub returned: Option<String>,
}

/// A recipient of messages about a tender, with the deliveries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedReader {
    /// The alert that matched. `None`: the recipient has saved the tender.
    pub alert: Option<(Uuid, String)>,
    /// The recipient's account.
    pub user: String,
    /// The revision that matched.
    pub revision: Option<i64>,
    /// When it matched.
    pub at: Option<Timestamp>,
    /// Whether the recipient marked it as irrelevant.
    pub is_irrelevant: bool,
    /// The deliveries, oldest first.
    pub deliveries: Vec<TracedDelivery>,
}
