//! Newspaper notices and how they relate to tenders.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use tender_model::{
    deduplication::{Candidate, Doubt, Role},
    tender::Tender,
};
use uuid::Uuid;

/// A stored notice.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The key, which identifies the newspaper page and the notice's place on it.
    pub key: String,
    /// How the notice relates to tenders.
    pub standing: NoticeStanding,
    /// The tender record read from this notice alone.
    pub record: Tender,
    /// The hash of the uploaded content.
    pub content_hash: Vec<u8>,
    /// The hash of the clip that the notice was read from.
    pub clip_hash: String,
    /// When it was last uploaded.
    pub received_at: Timestamp,
    /// When its standing was decided.
    pub decided_at: Timestamp,
    /// Whether an operator decided its standing.
    pub by_operator: bool,
    /// When a person last checked its fields. `None`: nobody has.
    pub reviewed_at: Option<Timestamp>,
}

/// How a notice relates to tenders.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "standing", rename_all = "kebab-case")]
pub enum NoticeStanding {
    /// It belongs to a tender.
    Joined {
        /// The tender.
        tender_id: Uuid,
        /// The notice's role in the tender.
        role: Role,
    },
    /// An operator must review it.
    Review {
        /// Why it needs review.
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

    pub(crate) const fn as_str(&self) -> &'static str {
        match self {
            Self::Joined { role, .. } => role.as_str(),
            Self::Review { .. } => "review",
            Self::Rejected => "rejected",
        }
    }
}
