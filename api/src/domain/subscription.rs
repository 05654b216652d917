//! Subscriptions: the plan of a user, and how long it is valid.

use crate::domain::{billing_cycle::BillingCycle, money::Cents, plan::PlanName};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// The status of a subscription.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum SubscriptionStatus {
    /// Its first payment was not received yet.
    Pending,
    /// It is in force.
    Active,
    /// It was replaced by another, or its user deleted the account.
    Cancelled,
    /// It ended, or was never paid for.
    Expired,
}

impl SubscriptionStatus {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// Its user. `None`: the account is deleted.
    pub user_id: Option<Uuid>,
    /// The plan.
    pub plan: PlanName,
    /// Its status.
    pub status: SubscriptionStatus,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// When it began.
    pub start: Timestamp,
    /// When the current period ends.
    pub end: Timestamp,
    /// Whether it continues at `end`, with the same plan or with `next`.
    pub auto_renew: bool,
    /// The price of a period; 0 if the operator gave the plan.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// When the current period began.
    pub period_start: Timestamp,
    /// The time from which period ends are computed.
    pub anchor: Timestamp,
    /// The number of periods from `anchor` to `end`.
    pub periods: i32,
    /// When the plan ends: at `end`, or after the grace period that follows.
    pub holds_until: Timestamp,
    /// The provider that charges for it. `None`: the operator gave the plan.
    pub provider: Option<String>,
    /// The provider's id of the agreement.
    pub agreement: Option<String>,
    /// When the provider stopped charging.
    pub agreement_ended_at: Option<Timestamp>,
    /// Since when it counts as unpaid. `None`: it is paid.
    pub unpaid_since: Option<Timestamp>,
    /// When the user was warned that the grace period ends.
    pub grace_warned_at: Option<Timestamp>,
    /// The plan and the billing cycle to which the subscription changes at `end`, if it changes.
    pub next: Option<NextPlan>,
    /// The user's reason for cancelling.
    pub cancel_reason: Option<String>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// The plan to which a subscription changes at the end of its current period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NextPlan {
    /// The plan.
    pub plan: PlanName,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// The price of a period.
    pub price: Cents,
    /// Whether the user must make the next payment by hand, because there is no agreement that can
    /// be changed.
    pub by_hand: bool,
}

/// A new subscription, for which the first payment was not received yet.
#[derive(Debug, Clone, Copy)]
pub struct NewSubscription<'a> {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// The plan.
    pub plan: PlanName,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// The price of a period.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: &'a str,
    /// The provider that charges.
    pub provider: &'a str,
}

/// The times that decide which subscriptions are due.
#[derive(Debug, Clone, Copy)]
pub struct DueTimes {
    /// The current time.
    pub now: Timestamp,
    /// A subscription whose `end` is at or before this time counts as unpaid, because no payment
    /// was reported for the next period.
    pub silent_since: Timestamp,
    /// The user is warned if the grace period ends at or before this time.
    pub warned_until: Timestamp,
}

/// Renewing subscriptions that may have been paid after a backup was made. The portal that is restored
/// from the backup does not know of these payments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UncertainRenewals {
    /// Their number.
    pub count: i64,
    /// When the first of their plans ends. `None`: there are no such subscriptions.
    pub first_ends_at: Option<Timestamp>,
}

/// What a user and the user's team have used in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanUsage {
    /// The number of tender details opened.
    pub tender_views: i64,
    /// The number of tenders published.
    pub tender_uploads: i64,
    /// The number of documents downloaded.
    pub documents_downloaded: i64,
    /// The number of calls made with API keys.
    pub api_calls: i64,
}

/// A subscription as administrators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedSubscription {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// The user. `None`: the account is deleted.
    pub user: Option<Subscriber>,
    /// The plan.
    pub plan: PlanName,
    /// The status.
    pub status: SubscriptionStatus,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// When it began.
    pub start: Timestamp,
    /// When the current period ends.
    pub end: Timestamp,
    /// Whether it continues at `end`.
    pub auto_renew: bool,
    /// The price of a period; 0 if the operator gave the plan.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// The provider that charges for it. `None`: the operator gave the plan.
    pub provider: Option<String>,
    /// Since when it counts as unpaid. `None`: it is paid.
    pub unpaid_since: Option<Timestamp>,
    /// The plan to which it changes at `end`, if it changes.
    pub next_plan: Option<PlanName>,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
}

/// The user of a listed subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscriber {
    /// The id.
    pub id: Uuid,
    /// The mail address.
    pub email: String,
    /// The given name and the family name.
    pub name: String,
}

/// Which subscriptions are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SubscriptionFilter {
    /// A part of the user's mail address, name or company.
    pub search: Option<String>,
    /// Only subscriptions with this status.
    pub status: Option<SubscriptionStatus>,
    /// Only subscriptions of this plan.
    pub plan: Option<PlanName>,
}
