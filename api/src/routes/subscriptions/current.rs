//! GET /subscriptions/user/current: what the caller holds.

use super::{UsageView, used};
use crate::{
    auth::CurrentUser,
    db::subscriptions,
    edge::{Answer, Envelope},
    error::{ApiError, FailureBody},
    state::AppState,
};
use axum::extract::State;
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// What the caller holds.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnSubscription {
    subscription: SubscriptionView,
}

/// A subscription.
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
    plan: String,
    /// `active`.
    status: String,
    /// `monthly` or `yearly`.
    billing_cycle: String,
    /// Since when.
    start_date: Moment,
    /// Until when it is paid.
    end_date: Moment,
    /// When it is paid for again; `null` where it ends then.
    #[schema(required)]
    next_billing_date: Option<Moment>,
    /// Whether it goes on at its end.
    auto_renew: bool,
    /// What is used of it in the running period.
    usage: UsageView,
}

/// What the caller holds
#[utoipa::path(get, path = "/subscriptions/user/current", tag = "subscriptions", operation_id = "currentSubscription",
security(("session" = [])), responses(
    (status = 200, description = "The subscription", body = Envelope<OwnSubscription>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has none: the free plan", body = FailureBody),
))]
pub async fn current_subscription(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> Answer<OwnSubscription> {
    let found = subscriptions::current(&state.db, caller.id, state.clock.now()).await?;
    let found = found.ok_or(ApiError::NotFound("Subscription"))?;
    let end = Moment::new(found.end_date.to_jiff());
    let subscription = SubscriptionView {
        id: found.id,
        user: caller.id,
        plan: found.plan,
        status: found.status,
        billing_cycle: found.billing_cycle,
        start_date: Moment::new(found.start_date.to_jiff()),
        end_date: end,
        next_billing_date: found.auto_renew.then_some(end),
        auto_renew: found.auto_renew,
        usage: used(&state, &caller).await?,
    };
    Ok(Envelope::of(OwnSubscription { subscription }))
}
