//! Counts of uploads by outcome.

use crate::portal_client::Outcome;
use serde::Serialize;

/// The number of notices by outcome.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadCounts {
    /// New tenders.
    pub created: usize,
    /// Updated tenders.
    pub updated: usize,
    /// Unchanged tenders.
    pub unchanged: usize,
    /// Notices that repeat an existing tender.
    pub merged: usize,
    /// Corrigenda that changed an existing tender.
    pub corrected: usize,
    /// Notices that wait at the portal for a decision.
    pub review: usize,
    /// Notices published by an earlier run.
    #[serde(rename = "before")]
    pub already_published: usize,
    /// Notices that a reviewer rejected.
    pub held: usize,
    /// Notices that were not sent or have no answer.
    pub unsent: usize,
    /// The errors of notices that could not be read or have no answer.
    pub unanswered: Vec<String>,
    /// Notices whose answer could not be stored.
    pub unrecorded: usize,
    /// The refusals of the portal, with reasons.
    pub refused: Vec<String>,
}

impl UploadCounts {
    /// Counts an answer.
    pub fn count(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Created => self.created += 1,
            Outcome::Updated => self.updated += 1,
            Outcome::Unchanged => self.unchanged += 1,
            Outcome::Merged => self.merged += 1,
            Outcome::Corrected => self.corrected += 1,
            Outcome::Review => self.review += 1,
        }
    }

    /// Whether the portal answered for any notice.
    pub(crate) fn has_receipts(&self) -> bool {
        self.created + self.updated + self.unchanged + self.merged + self.corrected + self.review > 0
    }

    /// Adds other counts.
    pub fn add(&mut self, other: Self) {
        self.created += other.created;
        self.updated += other.updated;
        self.unchanged += other.unchanged;
        self.merged += other.merged;
        self.corrected += other.corrected;
        self.review += other.review;
        self.already_published += other.already_published;
        self.held += other.held;
        self.unsent += other.unsent;
        self.unrecorded += other.unrecorded;
        self.unanswered.extend(other.unanswered);
        self.refused.extend(other.refused);
    }
}
