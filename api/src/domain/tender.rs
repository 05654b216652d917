//! Tenders with their owners, lists of an owner's tenders, and closing reminders.

use jiff::{Timestamp, civil};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The current state of a tender, with its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentTender {
    /// The current revision's record.
    pub tender: Tender,
    /// The owner. `None`: the tender was read from a newspaper, or the owner's account is deleted.
    pub owner_id: Option<Uuid>,
    /// The number of the current revision.
    pub revision: i64,
}

/// The numbers of an owner's tenders by state, without those that the owner has withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnTenderCounts {
    /// In any state.
    pub all: i64,
    /// Open to bids.
    pub live: i64,
    /// Not yet published.
    pub draft: i64,
}

/// Which tenders of an owner to list. `None` means no filter.
#[derive(Debug, Clone, Default)]
pub struct OwnTenderFilter {
    /// Only these categories.
    pub categories: Option<Vec<&'static str>>,
    /// `true`: only registrations of suppliers. `false`: only other tenders.
    pub is_registration: Option<bool>,
    /// Lower-case texts. Each must occur in the tender.
    pub words: Vec<String>,
    /// Only tenders in this state.
    pub state: Option<OwnTenderState>,
}

/// A state by which an owner's tenders are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnTenderState {
    /// Published between these two moments, both included.
    Published(Timestamp, Timestamp),
    /// Open to bids.
    Live,
    /// No longer open to bids.
    Closed,
    /// Not yet published.
    Draft,
}

/// A page of an owner's tenders.
#[derive(Debug)]
pub struct OwnTenderPage {
    /// The tenders in their current state, newest first.
    pub tenders: Vec<Tender>,
    /// The number of tenders on all pages.
    pub count: i64,
    /// The numbers of tenders by state. All parts of the filter except its state apply.
    pub counts: OwnTenderCounts,
}

/// A reminder of saved tenders that close on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosingReminder {
    /// The closing day.
    pub closes: civil::Date,
    /// How many days before the closing day the reminder is due.
    pub before: i8,
}
