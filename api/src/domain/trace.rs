//! What became of the changes of a tender, for operators.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// A revision of a tender in the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedChange {
    /// From 1.
    pub revision: i64,
    /// Its place in the log.
    pub position: i64,
    /// When it was made.
    pub at: Timestamp,
    /// The tender's status from then on.
    pub status: String,
    /// How many alerts first matched it.
    pub matches: i64,
    /// Whether the matcher has processed it.
    pub is_matched: bool,
}

/// A message that told of a tender, or is to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = TracedDelivery)]
pub struct TracedDelivery {
    /// Which message.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// What it told: `new`, `change:` with the revision, or `closes:` with the day.
    pub reason: String,
    /// `email`, `sms`, `whatsapp` or `webhook`.
    pub channel: String,
    /// Where it went.
    pub address: String,
    /// `open`, `sealed`, `leased`, `retry`, `sent` or `dead`.
    pub state: String,
    /// How often it was tried.
    pub attempts: i32,
    /// When it left.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub sent_at: Option<Timestamp>,
    /// When it is tried, or sealed, next; none once it is over.
    #[schema(value_type = Option<String>, format = DateTime)]
    pub next_at: Option<Timestamp>,
    /// What went wrong last.
    pub error: Option<String>,
    /// What came back of it: `bounce` or `complaint`.
    pub returned: Option<String>,
}

/// A reader of a tender and what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TracedReader {
    /// The alert that matched. `None`: the reader has saved the tender.
    pub alert: Option<(Uuid, String)>,
    /// The reader's account.
    pub user: String,
    /// The revision that matched.
    pub revision: Option<i64>,
    /// When it matched.
    pub at: Option<Timestamp>,
    /// The reader marked it as irrelevant.
    pub is_irrelevant: bool,
    /// The deliveries, oldest first.
    pub deliveries: Vec<TracedDelivery>,
}
