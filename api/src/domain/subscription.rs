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
    /// Its user. `None`: the account is deleted.
    pub user_id: Option<Uuid>,
    /// What is subscribed to.
    pub plan: PlanName,
    /// Its status.
    pub status: SubscriptionStatus,
    /// The billing cycle.
    pub cycle: Cycle,
    /// Since when.
    pub start: Timestamp,
    /// Until when it is paid.
    pub end: Timestamp,
    /// Whether it renews at its end.
    pub auto_renew: bool,
    /// The price of a period; 0 if the operator gave the plan.
    pub price: Cents,
    /// ISO 4217.
    pub currency: String,
    /// When the paid period began.
    pub period_start: Timestamp,
    /// The end is this many periods after the anchor.
    pub anchor: Timestamp,
    /// See `anchor`.
    pub periods: i32,
    /// Until when the plan holds: the end, or the end of the grace after it.
    pub holds_until: Timestamp,
    /// Who charges for it.
    pub provider: Option<String>,
    /// What they call it.
    pub agreement: Option<String>,
    /// When the provider stopped charging.
    pub agreement_ended_at: Option<Timestamp>,
    /// When an unpaid period began.
    pub unpaid_since: Option<Timestamp>,
    /// When the user was warned that the grace ends.
    pub grace_warned_at: Option<Timestamp>,
    /// The plan that replaces it at its end.
    pub next: Option<NextPlan>,
    /// The user's reason for cancelling.
    pub cancel_reason: Option<String>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// The plan that replaces a subscription at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPlan {
    /// The plan.
    pub plan: PlanName,
    /// The billing cycle.
    pub cycle: Cycle,
    /// What a period costs.
    pub price: Cents,
    /// It has to be paid by hand, because the agreement cannot be changed.
    pub by_hand: bool,
}

/// A subscription that waits for its first payment.
#[derive(Debug, Clone, Copy)]
pub struct NewSubscription<'a> {
    /// UUIDv7.
    pub id: Uuid,
    /// Whose it will be.
    pub user_id: Uuid,
    /// The plan.
    pub plan: PlanName,
    /// The billing cycle.
    pub cycle: Cycle,
    /// What a period costs.
    pub price: Cents,
    /// ISO 4217.
    pub currency: &'a str,
    /// Who charges.
    pub provider: &'a str,
}

/// The times that decide which subscriptions are due.
#[derive(Debug, Clone, Copy)]
pub struct DueTimes {
    /// The time.
    pub now: Timestamp,
    /// A period that ended before this without an event of the provider counts as unpaid.
    pub silent_since: Timestamp,
    /// The user is warned if the grace ends before this.
    pub warned_until: Timestamp,
}

/// What a user has used in a period.
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
