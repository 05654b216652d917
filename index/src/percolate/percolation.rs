//! The result of percolating one tender.

use crate::tender_texts::{TextField, text_of};
use tender_model::tender::Tender;
use uuid::Uuid;

/// The result of percolating one tender.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Percolation {
    /// The matching alerts, sorted by id.
    pub hits: Vec<AlertHit>,
    /// How many patterns and alerts were involved.
    pub counters: PercolationCounters,
}

/// A matching alert, with the first of its keywords that occurs in the tender, and the first
/// position of this keyword.
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
    /// The first byte of the passage in the text.
    pub start: usize,
    /// The end of the passage in the text, exclusive.
    pub end: usize,
}

impl MatchedPassage {
    /// The matched text. `tender` must be the tender that was percolated.
    #[must_use]
    pub fn of(self, tender: &Tender) -> &str {
        text_of(tender, self.field).get(self.start..self.end).unwrap_or_default()
    }
}

/// How many patterns were checked, and how many alerts matched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PercolationCounters {
    /// The number of patterns that may occur in the tender.
    pub candidates: usize,
    /// The number of patterns that do occur.
    pub verified: usize,
    /// The number of matching alerts.
    pub matched: usize,
}
