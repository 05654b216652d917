//! Routes of plans and subscriptions, and their common types and functions.

pub(crate) mod cancel;
pub(crate) mod create_checkout_session;
pub(crate) mod current;
pub(crate) mod invoices;
pub(crate) mod manager;
pub(crate) mod plans;
pub(crate) mod quote;
pub(crate) mod resume;
pub(crate) mod subscribe;
pub(crate) mod update;
pub(crate) mod usage;
pub(crate) mod verify_session;

use crate::{
    app::state::AppState,
    domain::{
        billing_cycle::BillingCycle,
        checkout::Checkout,
        error::ServiceError,
        plan::PlanName,
        subscription::{Subscription, SubscriptionStatus},
        user::HeldPlan,
    },
    http::extract::CurrentUser,
    services::{billing::checkout::PlanRequestOutcome, entitlement::quota_periods as periods},
    storage::subscriptions as stored,
};
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The plan that the caller wants.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PlanWish {
    /// The plan's `_id` or name. The field may also be called `plan`.
    #[serde(rename = "planId", alias = "plan")]
    plan: String,
    /// The billing cycle.
    #[serde(default)]
    billing_cycle: BillingCycle,
}

/// The caller's active or pending subscription.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnSubscription {
    subscription: SubscriptionView,
}

/// A subscription. Amounts are in rupees.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Subscription)]
struct SubscriptionView {
    /// The subscription's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The subscriber's user id.
    user: Uuid,
    /// The plan.
    #[schema(value_type = String)]
    plan: PlanName,
    /// `active`, or `pending` until the subscription is paid.
    #[schema(value_type = String)]
    status: SubscriptionStatus,
    /// `monthly` or `yearly`.
    billing_cycle: BillingCycle,
    /// When the subscription began.
    start_date: Moment,
    /// The end of the paid period.
    end_date: Moment,
    /// The date of the next charge; `null` if the subscription ends without renewal.
    #[schema(required)]
    next_billing_date: Option<Moment>,
    /// Whether the subscription renews at the end of the paid period.
    auto_renew: bool,
    /// The price of each period.
    price: f64,
    /// The currency of all amounts.
    currency: String,
    /// Whether the operator gave the subscription for free.
    is_given: bool,
    /// When the unpaid period began; `null` if the current period is paid.
    #[schema(required)]
    unpaid_since: Option<Moment>,
    /// Until when the plan is valid without a further payment: the end of the paid period or, if
    /// the subscription renews, the end of the grace period after it.
    holds_until: Moment,
    /// The plan that is scheduled to replace the current one when the paid period ends; `null` if
    /// no change is scheduled.
    #[schema(required)]
    next: Option<NextView>,
    /// The URL of the payment page. Only the response to a request for a plan contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    checkout_url: Option<String>,
    /// The amount of the first payment. Only the response to a request for a plan contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_payment: Option<f64>,
    /// The credit for the unused part of the previous plan. Only the response to a request for a
    /// plan contains it.
    #[serde(skip_serializing_if = "Option::is_none")]
    credit: Option<f64>,
    /// What the caller and the caller's team have used in the current period.
    usage: UsageView,
}

/// The plan that is scheduled to replace the current one when the paid period ends.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NextSubscription)]
struct NextView {
    /// The plan.
    #[schema(value_type = String)]
    plan: PlanName,
    /// The billing cycle.
    billing_cycle: BillingCycle,
    /// The price of each period.
    price: f64,
    /// Whether the user must pay for the plan on a payment page, because the provider cannot
    /// charge the new price by itself.
    by_hand: bool,
}

impl OwnSubscription {
    async fn of(state: &AppState, caller: &CurrentUser, found: Subscription) -> Result<Self, ServiceError> {
        Self::build(state, caller, found, None).await
    }

    async fn from_outcome(
        state: &AppState,
        caller: &CurrentUser,
        outcome: PlanRequestOutcome,
    ) -> Result<Self, ServiceError> {
        match outcome {
            PlanRequestOutcome::Checkout(checkout, pending) => {
                Self::build(state, caller, *pending, Some(*checkout)).await
            }
            PlanRequestOutcome::Scheduled(found) => Self::build(state, caller, *found, None).await,
        }
    }

    async fn build(
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
            usage: read_usage(state, caller).await?,
        };
        Ok(Self { subscription })
    }
}

/// What the caller and the caller's team have used in the current period.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Usage)]
struct UsageView {
    /// When the current period began.
    current_period_start: Moment,
    /// When the next period begins and all counts restart.
    current_period_end: Moment,
    /// The number of tenders whose details were opened.
    tender_views: i64,
    /// The number of tenders published.
    tender_uploads: i64,
    /// The number of documents downloaded.
    documents_downloaded: i64,
    /// The number of requests with API keys.
    api_calls: i64,
}

async fn read_usage(state: &AppState, caller: &CurrentUser) -> Result<UsageView, ServiceError> {
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
