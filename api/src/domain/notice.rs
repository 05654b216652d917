//! Newspaper notices and what each is to which tender.

use index::{
    notices::{Candidate, Doubt, Role},
    tender::Tender,
};
use jiff::Timestamp;
use uuid::Uuid;

/// A stored notice.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The key of its place on the page.
    pub key: String,
    /// What became of it.
    pub standing: NoticeStanding,
    /// What it says by itself.
    pub record: Tender,
    /// Of what was sent.
    pub content_hash: Vec<u8>,
    /// The clip it was read from.
    pub clip_hash: String,
    /// When it was sent last.
    pub received_at: Timestamp,
    /// When it got this standing.
    pub decided_at: Timestamp,
    /// A person said so.
    pub by_operator: bool,
}

/// What a notice is.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeStanding {
    /// It belongs to a tender.
    Joined {
        /// The tender.
        tender_id: Uuid,
        /// Its role in the tender.
        role: Role,
    },
    /// It waits for review.
    Review {
        /// Why.
        doubt: Doubt,
        /// The candidate tenders.
        candidates: Vec<Candidate>,
    },
    /// An operator rejected it.
    Rejected,
}

impl NoticeStanding {
    /// The tender it belongs to.
    #[must_use]
    pub const fn tender_id(&self) -> Option<Uuid> {
        match self {
            Self::Joined { tender_id, .. } => Some(*tender_id),
            Self::Review { .. } | Self::Rejected => None,
        }
    }

    pub(crate) const fn word(&self) -> &'static str {
        match self {
            Self::Joined { role, .. } => role.as_str(),
            Self::Review { .. } => "review",
            Self::Rejected => "rejected",
        }
    }
}
