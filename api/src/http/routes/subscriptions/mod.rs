//! What is sold, what the caller holds of it, what it costs, and what is used.

pub mod cancel;
pub mod create_checkout_session;
pub mod current;
pub mod invoices;
pub mod manager;
pub mod plans;
pub mod quote;
pub mod resume;
pub mod subscribe;
pub mod update;
pub mod usage;
pub mod verify_session;

use crate::{
    app::state::AppState,
    domain::{
        checkout::Checkout,
        cycle::Cycle,
        error::ServiceError,
        plan::PlanName,
        subscription::{Subscription, SubscriptionStatus},
        user::HeldPlan,
    },
    http::extract::CurrentUser,
    services::{billing::checkout::PlanRequestOutcome, entitlement::quota_periods as periods},
    storage::subscriptions as stored,
};
use index::vocabulary::Moment;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The plan that is wished for.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanWish {
    /// Its `_id` or its name. `plan` says the same.
    #[serde(rename = "planId", alias = "plan")]
    plan: String,
    /// How often it is to be paid for.
    #[serde(default)]
    billing_cycle: Cycle,
}

/// What the caller holds, or is about to.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnSubscription {
    subscription: SubscriptionView,
}

/// A subscription. Amounts are in rupees.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Subscription)]
struct SubscriptionView {
    /// UUIDv7.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Whose it is.
    user: Uuid,
    /// What is subscribed to.
    #[schema(value_type = String)]
    plan: PlanName,
    /// `active`, or `pending` until it is paid.
    #[schema(value_type = String)]
    status: SubscriptionStatus,
    /// `monthly` or `yearly`.
    billing_cycle: Cycle,
    /// Since when.
    start_date: Moment,
    /// Until when it is paid.
    end_date: Moment,
    /// When it is paid for again; `null` where it ends then.
    #[schema(required)]
    next_billing_date: Option<Moment>,
    /// Whether it goes on at its end.
    auto_renew: bool,
    /// What each period costs.
    price: f64,
    /// Of all amounts.
    currency: String,
    /// Nobody pays for it: the operator gave it.
    is_given: bool,
    /// Since when the period that runs is not paid for; `null` where it is.
    #[schema(required)]
    unpaid_since: Option<Moment>,
    /// Until when the plan holds: its end, or that of the grace after it.
    holds_until: Moment,
    /// What takes its place at its end; `null`: nothing else.
    #[schema(required)]
    next: Option<NextView>,
    /// Where it is paid, while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkout_url: Option<String>,
    /// What is paid there, while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment: Option<f64>,
    /// What was taken off for the unused time of the plan before, while it is pending.
    #[serde(skip_serializing_if = "Option::is_none")]
    credit: Option<f64>,
    /// What is used in the running period.
    usage: UsageView,
}

/// What takes a subscription's place at its end.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NextSubscription)]
struct NextView {
    /// The plan.
    #[schema(value_type = String)]
    plan: PlanName,
    /// How often it is paid for.
    billing_cycle: Cycle,
    /// What each period costs.
    price: f64,
    /// It has to be paid by hand, as the card was asked for another amount.
    by_hand: bool,
}

impl OwnSubscription {
    async fn of(state: &AppState, caller: &CurrentUser, found: Subscription) -> Result<Self, ServiceError> {
        Self::with(state, caller, found, None).await
    }

    async fn became(
        state: &AppState,
        caller: &CurrentUser,
        became: PlanRequestOutcome,
    ) -> Result<Self, ServiceError> {
        match became {
            PlanRequestOutcome::Checkout(checkout, pending) => {
                Self::with(state, caller, *pending, Some(*checkout)).await
            }
            PlanRequestOutcome::Scheduled(found) => Self::with(state, caller, *found, None).await,
        }
    }

    async fn with(
        state: &AppState,
        caller: &CurrentUser,
        found: Subscription,
        checkout: Option<Checkout>,
    ) -> Result<Self, ServiceError> {
        let end = Moment::new(found.end);
        let subscription = SubscriptionView {
            id: found.id,
            user: caller.id,
            plan: found.plan,
            status: found.status,
            billing_cycle: found.cycle,
            start_date: Moment::new(found.start),
            end_date: end,
            next_billing_date: found.auto_renew.then_some(end),
            auto_renew: found.auto_renew,
            price: found.price.rupees(),
            currency: found.currency,
            is_given: found.provider.is_none(),
            unpaid_since: found.unpaid_since.map(Moment::new),
            holds_until: Moment::new(found.holds_until),
            next: found.next.map(|next| NextView {
                plan: next.plan,
                billing_cycle: next.cycle,
                price: next.price.rupees(),
                by_hand: next.by_hand,
            }),
            first_payment: checkout.as_ref().map(|checkout| checkout.amount.rupees()),
            credit: checkout.as_ref().map(|checkout| (checkout.price - checkout.amount).rupees()),
            checkout_url: checkout.and_then(|checkout| checkout.url),
            usage: used(state, caller).await?,
        };
        Ok(Self { subscription })
    }
}

/// What the caller has used in the running period.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Usage)]
struct UsageView {
    /// When the period began.
    current_period_start: Moment,
    /// When the next begins, and all counts with it.
    current_period_end: Moment,
    /// Details opened.
    tender_views: i64,
    /// Tenders published.
    tender_uploads: i64,
    /// Documents fetched.
    documents_downloaded: i64,
    /// Calls of the API with a key.
    api_calls: i64,
}

async fn used(state: &AppState, caller: &CurrentUser) -> Result<UsageView, ServiceError> {
    let HeldPlan { since, .. } = caller.plan;
    let start = periods::period_start(since, state.clock.now());
    let used = stored::usage(&state.db, caller.id, start).await?;
    Ok(UsageView {
        current_period_start: Moment::new(start),
        current_period_end: Moment::new(periods::period_end(since, start)),
        tender_views: used.tender_views,
        tender_uploads: used.tender_uploads,
        documents_downloaded: used.documents_downloaded,
        api_calls: used.api_calls,
    })
}
