//! The result of percolating one tender.

use crate::tender_texts::{TextField, text_of};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The result of percolating one tender.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Percolation {
    /// The matching alerts, sorted by id.
    pub hits: Vec<AlertHit>,
    /// The work that was done.
    pub counters: PercolationCounters,
}

/// A matching alert, with its first keyword that was found and the first position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlertHit {
    /// The alert.
    pub alert: Uuid,
    /// The index of the keyword, from 0.
    pub keyword: usize,
    /// The position of the match.
    pub passage: MatchedPassage,
}

/// A position in one of the tender's texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatchedPassage {
    /// The text.
    pub field: TextField,
    /// First byte in that text.
    pub start: usize,
    /// End in that text, exclusive.
    pub end: usize,
}

impl MatchedPassage {
    /// The matched text. `tender` must be the tender that was percolated.
    #[must_use]
    pub fn of(self, tender: &Tender) -> &str {
        text_of(tender, self.field).get(self.start..self.end).unwrap_or_default()
    }
}

/// How many patterns and alerts were checked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PercolationCounters {
    /// Patterns that may occur in the tender.
    pub candidates: usize,
    /// Patterns that do occur.
    pub verified: usize,
    /// Matching alerts.
    pub matched: usize,
}
