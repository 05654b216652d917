//! Subscriptions: what a user pays for, and until when it holds.

use crate::domain::{cycle::Cycle, money::Cents, plan::PlanName};
use jiff::Timestamp;
use serde::Serialize;
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The status of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SubscriptionStatus {
    /// It waits for its first payment.
    Pending,
    /// It holds.
    Active,
    /// Another took its place, or its user has left.
    Cancelled,
    /// It ended, or was never paid for.
    Expired,
}

impl SubscriptionStatus {
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// UUIDv7.
    pub id: Uuid,
    /// Whose it is; `None` once the account is deleted.
    pub user_id: Option<Uuid>,
    /// What is subscribed to.
    pub plan: PlanName,
    /// Its status.
    pub status: SubscriptionStatus,
    /// How often it is paid for.
    pub cycle: Cycle,
    /// Since when.
    pub start: Timestamp,
    /// Until when it is paid.
    pub end: Timestamp,
    /// Whether it goes on then.
    pub auto_renew: bool,
    /// What a period costs; 0: it was given.
    pub price: Cents,
    /// ISO 4217.
    pub currency: String,
    /// When the period that is paid began.
    pub period_start: Timestamp,
    /// Its end is so many periods after this.
    pub anchor: Timestamp,
    /// See `anchor`.
    pub periods: i32,
    /// Until when the plan holds: its end, or that of the grace after it.
    pub holds_until: Timestamp,
    /// Who charges for it.
    pub provider: Option<String>,
    /// What they call it.
    pub agreement: Option<String>,
    /// Since when they charge no more.
    pub agreement_ended_at: Option<Timestamp>,
    /// Since when a period that has begun is not paid for.
    pub unpaid_since: Option<Timestamp>,
    /// When its reader was told that the grace ends.
    pub grace_warned_at: Option<Timestamp>,
    /// What takes its place at its end.
    pub next: Option<NextPlan>,
    /// Why it was cancelled, as its holder said.
    pub cancel_reason: Option<String>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// What takes a subscription's place at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPlan {
    /// The plan.
    pub plan: PlanName,
    /// How often it is paid for.
    pub cycle: Cycle,
    /// What a period costs.
    pub price: Cents,
    /// It has to be paid by hand, as the agreement can't be changed.
    pub by_hand: bool,
}

/// What somebody is about to pay for.
#[derive(Debug, Clone, Copy)]
pub struct NewSubscription<'a> {
    /// UUIDv7.
    pub id: Uuid,
    /// Whose it will be.
    pub user_id: Uuid,
    /// The plan.
    pub plan: PlanName,
    /// How often it is paid for.
    pub cycle: Cycle,
    /// What a period costs.
    pub price: Cents,
    /// ISO 4217.
    pub currency: &'a str,
    /// Who charges.
    pub provider: &'a str,
}

/// The times by which it is told which subscriptions want something done.
#[derive(Debug, Clone, Copy)]
pub struct DueTimes {
    /// The time.
    pub now: Timestamp,
    /// What ended before this, and nobody has said why it was not paid for, counts as unpaid.
    pub silent_since: Timestamp,
    /// Whose grace ends before this is told so.
    pub warned_until: Timestamp,
}

/// What a user has used of a plan in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanUsage {
    /// Details opened.
    pub tender_views: i64,
    /// Tenders published.
    pub tender_uploads: i64,
    /// Documents fetched.
    pub documents_downloaded: i64,
    /// Calls made with API keys.
    pub api_calls: i64,
}
