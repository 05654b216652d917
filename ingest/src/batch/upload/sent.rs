//! What became of the notices at the portal.

use crate::publish::Outcome;
use serde::Serialize;

/// What became of notices at the portal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UploadCounts {
    /// New at the portal.
    pub created: usize,
    /// Replaced there.
    pub updated: usize,
    /// The portal had them.
    pub unchanged: usize,
    /// Further prints of tenders that were there.
    pub merged: usize,
    /// Corrigenda that changed a tender there.
    pub corrected: usize,
    /// Waiting there for an operator's decision.
    pub review: usize,
    /// Published by an earlier run, and not sent.
    pub before: usize,
    /// Not to be published: they wait for review, or were rejected.
    pub held: usize,
    /// Not sent, or without an answer.
    pub unsent: usize,
    /// Not to be read, or sent in vain while others were answered, each with why.
    pub unanswered: Vec<String>,
    /// Sent, but the answer could not be recorded.
    pub unrecorded: usize,
    /// Refused, each with why.
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

    /// Whether the portal was asked and answered for some.
    pub(crate) fn is_any(&self) -> bool {
        self.created + self.updated + self.unchanged + self.merged + self.corrected + self.review > 0
    }

    /// Adds another page's.
    pub fn add(&mut self, other: Self) {
        self.created += other.created;
        self.updated += other.updated;
        self.unchanged += other.unchanged;
        self.merged += other.merged;
        self.corrected += other.corrected;
        self.review += other.review;
        self.before += other.before;
        self.held += other.held;
        self.unsent += other.unsent;
        self.unrecorded += other.unrecorded;
        self.unanswered.extend(other.unanswered);
        self.refused.extend(other.refused);
    }
}
