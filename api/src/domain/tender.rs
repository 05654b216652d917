//! Tenders, for their owners and for viewers.

use jiff::{Timestamp, civil};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The current state of a tender, with its owner.
#[derive(Debug, Clone, PartialEq)]
pub struct CurrentTender {
    /// The current revision's record.
    pub tender: Tender,
    /// The owner. `None`: the tender was read from a newspaper.
    pub owner_id: Option<Uuid>,
    /// The number of the current revision.
    pub revision: i64,
}

/// How many tenders an owner has, not counting withdrawn ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnerCounts {
    /// All of them.
    pub all: i64,
    /// Open to bids.
    pub live: i64,
    /// Not yet published.
    pub draft: i64,
}

/// Which tenders of an owner to list. `None` means no filter.
#[derive(Debug, Clone, Default)]
pub struct OwnerFilter {
    /// Only these categories.
    pub categories: Option<Vec<&'static str>>,
    /// Only registrations of suppliers, or everything else.
    pub is_registration: Option<bool>,
    /// Lower-case substrings that must all occur.
    pub words: Vec<String>,
    /// Only tenders in this state.
    pub state: Option<OwnerState>,
}

/// A state by which an owner's tenders are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnerState {
    /// Published between these two moments.
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
pub struct OwnerPage {
    /// The tenders in their current state, newest first.
    pub tenders: Vec<Tender>,
    /// How many there are on all pages.
    pub count: i64,
    /// How many there are in each state. The filter's state is ignored.
    pub counts: OwnerCounts,
}

/// A reminder for saved tenders that close on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosingReminder {
    /// The closing day.
    pub closes: civil::Date,
    /// How many days before it the reminder is sent.
    pub before: i8,
}
