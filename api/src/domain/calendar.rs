//! Calendars of deadlines.

use super::bid::BidStage;
use jiff::Timestamp;
use std::collections::HashMap;
use tender_model::tender::Tender;
use uuid::Uuid;

/// The address of a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarFeed {
    /// The secret key in the address.
    pub feed_key: String,
    /// When the calendar got this address.
    pub created_at: Timestamp,
}

/// A tender whose deadlines are in a calendar.
#[derive(Debug, Clone, PartialEq)]
pub struct CalendarTender {
    /// The current revision's record.
    pub tender: Tender,
    /// The account that published the tender.
    pub publisher_id: Option<Uuid>,
    /// The number of the current revision.
    pub revision: i64,
    /// When it was written.
    pub revised_at: Timestamp,
    /// The bid on the user's board, with its stage. `None`: the tender is only saved.
    pub bid: Option<(Uuid, BidStage)>,
    /// The fingerprints of the bid's ticks by the keys of their rows.
    pub ticks: HashMap<String, String>,
}
