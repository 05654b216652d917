//! Decisions of administrators about tenders: the check of a new publisher's first publication, and
//! taking tenders down.

use jiff::Timestamp;
use tender_model::tender::Tender;
use uuid::Uuid;

/// What administrators have decided, or have to decide, about a tender.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Moderation {
    /// Since when the tender waits for a check before its publication.
    pub held_at: Option<Timestamp>,
    /// Why the publication was refused.
    pub refusal: Option<ModerationReason>,
    /// Why the tender was taken down.
    pub takedown: Option<ModerationReason>,
}

/// A decision with its reason, which the owner of the tender sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModerationReason {
    /// When it was decided.
    pub at: Timestamp,
    /// The reason.
    pub reason: String,
}

/// A tender that waits for a check.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldPublication {
    /// The place in the queue. Tenders that were submitted later have higher numbers.
    pub number: i64,
    /// When the publisher submitted the tender.
    pub held_at: Timestamp,
    /// The tender.
    pub tender: Tender,
    /// The current revision of the tender.
    pub revision: i64,
    /// The publisher.
    pub publisher: Publisher,
}

/// The account of a publisher whose tender waits for a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Publisher {
    /// The user's id.
    pub id: Uuid,
    /// The mail address, as entered.
    pub email: String,
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// The telephone number.
    pub phone: Option<String>,
    /// The name of the company.
    pub company: Option<String>,
    /// When the user registered.
    pub created_at: Timestamp,
    /// Since when the account is locked.
    pub locked_at: Option<Timestamp>,
    /// The number of tenders that were published, in any status.
    pub published: i64,
    /// The number of tenders that wait for a check.
    pub held: i64,
    /// The number of drafts whose publication was refused.
    pub refused: i64,
    /// The number of tenders that are taken down.
    pub taken_down: i64,
}
