//! The review of notices: what waits for a reviewer, what a reviewer decides, and the state of a
//! notice before and after a decision.

use crate::domain::notice::{Notice, NoticeStanding};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::{deduplication::Doubt, tender::Tender};
use utoipa::ToSchema;
use uuid::Uuid;

/// How long a reviewer holds a notice without renewing the claim.
pub const CLAIM_DURATION: SignedDuration = SignedDuration::from_mins(10);

/// The longest time that counts as work on one notice. Whoever takes longer was away.
const MAX_WORK: SignedDuration = SignedDuration::from_mins(10);

/// Why a notice is in the review queue.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ReviewReason {
    /// It is not published, because it may not be a tender notice or its fields are doubtful.
    Notice,
    /// It is not published, because it may belong to a known tender.
    Relation,
    /// It is published, and key fields are doubtful.
    Fields,
    /// It is published, and a reader reported a mistake in its tender.
    Mistake,
    /// It is published, every field is certain, and it was chosen at random to measure the readers.
    Sample,
}

impl From<Doubt> for ReviewReason {
    fn from(doubt: Doubt) -> Self {
        match doubt {
            Doubt::PossiblyNoNotice | Doubt::DoubtfulFields | Doubt::Part => Self::Notice,
            Doubt::PossiblePrint
            | Doubt::NoTender
            | Doubt::Ambiguous
            | Doubt::NoClearChange
            | Doubt::Owned => Self::Relation,
        }
    }
}

/// The kind of a decision.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum ReviewDecisionKind {
    /// Every field is right. A waiting notice is published; the rules decide whether it belongs to
    /// a known tender.
    Accept,
    /// The notice is published as a new tender.
    Tender,
    /// The notice is another publication of a tender.
    Source,
    /// The notice is a corrigendum of a tender.
    Correction,
    /// The notice is not published, or no longer published.
    Reject,
    /// The clip contains several notices. Each part becomes a notice in review.
    Split,
}

/// The order of the queue: open tenders, then closed ones, then skipped notices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReviewPriority {
    /// Bids are still possible.
    Open = 0,
    /// Bids have closed, or the notice is only a random check.
    Closed = 1,
    /// A reviewer skipped the notice.
    Skipped = 2,
}

impl ReviewPriority {
    /// The priority of a notice that closes at a time.
    #[must_use]
    pub fn of(closing: Option<Timestamp>, now: Timestamp) -> Self {
        if closing.is_some_and(|closing| closing < now) { Self::Closed } else { Self::Open }
    }
}

/// A notice in the queue.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewItem {
    /// The key of the notice.
    pub key: String,
    /// Why it is in the queue.
    pub reason: ReviewReason,
    /// When it entered the queue.
    pub entered_at: Timestamp,
    /// When bids close.
    pub closing_at: Option<Timestamp>,
    /// The number of active alerts that match.
    pub alerts: i32,
    /// The user or operator token that holds it.
    pub claimed_by: Option<Uuid>,
    /// Until when it is held.
    pub claimed_until: Option<Timestamp>,
    /// Since when the holder has held it.
    pub claimed_at: Option<Timestamp>,
}

impl ReviewItem {
    /// Whether somebody else holds the notice.
    #[must_use]
    pub fn is_held_from(&self, holder: Option<Uuid>, now: Timestamp) -> bool {
        self.claimed_until.is_some_and(|until| until > now) && self.claimed_by != holder
    }

    /// How long its holder has worked on the notice: since the claim or the holder's last decision,
    /// whichever is later. A reviewer may claim several notices at once and decide about them one
    /// after the other. `None`: `holder` does not hold it.
    #[must_use]
    pub fn work(
        &self,
        holder: Uuid,
        last_decision: Option<Timestamp>,
        now: Timestamp,
    ) -> Option<SignedDuration> {
        let claimed = self.claimed_at.filter(|_| self.claimed_by == Some(holder))?;
        let started = last_decision.map_or(claimed, |last| last.max(claimed));
        Some(now.duration_since(started).clamp(SignedDuration::ZERO, MAX_WORK))
    }
}

/// The numbers of notices in the queue.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReviewCounts {
    /// All notices.
    pub total: i64,
    /// Those that are not published.
    pub waiting: i64,
    /// Those that a reviewer holds now.
    pub claimed: i64,
}

/// What a decision can change about a notice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NoticeState {
    /// How it relates to tenders.
    pub standing: NoticeStanding,
    /// Its fields.
    pub record: Tender,
    /// Whether a person decided its standing.
    pub by_operator: bool,
    /// When a person checked its fields.
    pub reviewed_at: Option<Timestamp>,
    /// When its standing was decided.
    pub decided_at: Timestamp,
}

impl NoticeState {
    /// The state of a notice.
    #[must_use]
    pub fn of(notice: &Notice) -> Self {
        Self {
            standing: notice.standing.clone(),
            record: notice.record.clone(),
            by_operator: notice.by_operator,
            reviewed_at: notice.reviewed_at,
            decided_at: notice.decided_at,
        }
    }

    /// The notice in this state.
    #[must_use]
    pub fn applied_to(self, notice: Notice) -> Notice {
        Notice {
            standing: self.standing,
            record: self.record,
            by_operator: self.by_operator,
            reviewed_at: self.reviewed_at,
            decided_at: self.decided_at,
            ..notice
        }
    }
}

/// The revisions of a tender before and after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevisionChange {
    /// The revision before.
    pub before: i64,
    /// The revision after. It is the same if the decision changed nothing.
    pub after: i64,
}

/// A stored decision.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewDecision {
    /// Its id.
    pub id: Uuid,
    /// The key of the notice.
    pub key: String,
    /// When it was made.
    pub at: Timestamp,
    /// The user or operator token that made it.
    pub actor_id: Option<Uuid>,
    /// What was decided.
    pub kind: ReviewDecisionKind,
    /// Why the notice was rejected.
    pub reject_reason: Option<String>,
    /// The tender that the decision created.
    pub created_tender: Option<Uuid>,
    /// Whether the notice was in the queue as a random check.
    pub is_sample: bool,
    /// Whether the text was rejected because it is no tender notice.
    pub is_no_notice: bool,
    /// The change of the supplier's tender that the notice joined.
    pub owned_tender: Option<RevisionChange>,
    /// The notice before the decision.
    pub before: NoticeState,
    /// The notice after the decision.
    pub after: NoticeState,
}

/// A mistake that a reader reported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportedMistake {
    /// What the reader wrote.
    pub message: String,
    /// When.
    pub at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_begins_with_the_claim_or_the_last_decision_and_is_bounded() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let item = ReviewItem {
            key: String::new(),
            reason: ReviewReason::Notice,
            entered_at: at(0),
            closing_at: None,
            alerts: 0,
            claimed_by: Some(Uuid::max()),
            claimed_until: Some(at(700)),
            claimed_at: Some(at(100)),
        };
        let holder = Uuid::max();
        let work =
            |last: Option<i64>, now| item.work(holder, last.map(at), at(now)).map(|work| work.as_secs());
        assert_eq!(work(None, 130), Some(30));
        assert_eq!(work(Some(50), 130), Some(30));
        assert_eq!(work(Some(120), 130), Some(10));
        assert_eq!(work(None, 100_000), Some(600));
        assert_eq!(work(None, 90), Some(0), "the clock was set back");
        assert_eq!(item.work(Uuid::nil(), None, at(130)), None);
        assert_eq!(ReviewItem { claimed_at: None, ..item.clone() }.work(holder, None, at(130)), None);
    }
}
