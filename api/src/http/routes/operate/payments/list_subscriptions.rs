//! GET /operate/payments/subscriptions: lists subscriptions.

use crate::{
    app::state::AppState,
    domain::{
        billing_cycle::BillingCycle,
        error::ServiceError,
        plan::PlanName,
        subscription::{ListedSubscription, Subscriber, SubscriptionFilter, SubscriptionStatus},
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    services::search::list_query,
    storage::subscription_directory,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested subscriptions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SubscriptionsQuery {
    /// Only subscriptions after the subscription with this id.
    after: Option<Uuid>,
    /// A part of the user's mail address, name or company.
    #[param(max_length = 200)]
    search: Option<String>,
    /// Only subscriptions with this status.
    status: Option<SubscriptionStatus>,
    /// Only subscriptions of this plan.
    plan: Option<PlanName>,
}

/// The user of a subscription.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Subscriber)]
pub struct SubscriberView {
    /// The user's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The mail address.
    email: String,
    /// The given name and the family name.
    name: String,
}

/// A subscription as administrators see it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ListedSubscription)]
pub struct ListedSubscriptionView {
    /// The subscription's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The user. `null`: the account is deleted.
    #[schema(required)]
    user: Option<SubscriberView>,
    /// The plan.
    plan: PlanName,
    /// The status.
    status: SubscriptionStatus,
    /// The billing cycle.
    billing_cycle: BillingCycle,
    /// When the subscription began.
    start_date: Moment,
    /// The end of the paid period.
    end_date: Moment,
    /// Whether the subscription renews at the end of the paid period.
    auto_renew: bool,
    /// The price of each period; 0 if the operator gave the plan.
    price: f64,
    /// The currency of the price.
    currency: String,
    /// The provider that charges. `null`: the operator gave the plan.
    #[schema(required)]
    provider: Option<String>,
    /// When the unpaid period began. `null`: the current period is paid.
    #[schema(required)]
    unpaid_since: Option<Moment>,
    /// The plan that is scheduled for the end of the paid period.
    #[schema(required)]
    next_plan: Option<PlanName>,
    /// When the subscription ended.
    #[schema(required)]
    ended_at: Option<Moment>,
}

/// A part of the list of subscriptions.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedSubscriptions {
    /// The subscriptions, the latest created first.
    subscriptions: Vec<ListedSubscriptionView>,
    /// Send this id as `after` to read the next part. `null`: there are no more subscriptions.
    #[schema(required)]
    next: Option<Uuid>,
}

/// The number of subscriptions in a response.
const PAGE_SIZE: usize = 50;

/// List subscriptions
#[utoipa::path(get, path = "/operate/payments/subscriptions", tag = "operate", operation_id = "listedSubscriptions",
params(SubscriptionsQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<ListedSubscriptions>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_subscriptions(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<SubscriptionsQuery>,
) -> ApiResult<ListedSubscriptions> {
    let mut errors = Vec::new();
    let search = list_query::read_text(query.search.as_deref(), &mut errors);
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    // A text in Postgres can't contain NUL.
    let search = search.map(|text| text.replace('\0', ""));
    let filter = SubscriptionFilter { search, status: query.status, plan: query.plan };
    let mut found =
        subscription_directory::page(&state.db, &filter, query.after, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let subscriptions = found.into_iter().map(ListedSubscriptionView::from).collect();
    Ok(Envelope::of(ListedSubscriptions { subscriptions, next }))
}

impl From<ListedSubscription> for ListedSubscriptionView {
    fn from(listed: ListedSubscription) -> Self {
        Self {
            id: listed.id,
            user: listed.user.map(|Subscriber { id, email, name }| SubscriberView { id, email, name }),
            plan: listed.plan,
            status: listed.status,
            billing_cycle: listed.cycle,
            start_date: Moment::new(listed.start),
            end_date: Moment::new(listed.end),
            auto_renew: listed.auto_renew,
            price: listed.price.rupees(),
            currency: listed.currency,
            provider: listed.provider,
            unpaid_since: listed.unpaid_since.map(Moment::new),
            next_plan: listed.next_plan,
            ended_at: listed.ended_at.map(Moment::new),
        }
    }
}
