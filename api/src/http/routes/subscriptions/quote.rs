//! GET /subscriptions/user/quote: quotes the price and the start of a change of plan.

use crate::{
    app::state::AppState,
    domain::{
        billing_cycle::BillingCycle,
        money::{CURRENCY, Cents},
        plan::PlanName,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, Query},
    },
    services::billing::{change_rules::ChangeTiming, checkout},
    storage::subscriptions,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};

/// The plan to quote.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct QuoteQuery {
    /// The plan's `_id` or name.
    plan: String,
    /// The billing cycle.
    #[serde(default)]
    billing_cycle: BillingCycle,
}

/// The quote for a change of plan.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuoteAnswer {
    quote: Quote,
}

/// The current price of a change of plan. Amounts are in rupees.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Quote {
    /// When the change takes effect.
    effect: Effect,
    /// The price of each period of the quoted plan.
    price: f64,
    /// The credit for the unused part of the current plan, by the hour and rounded down to a cent.
    /// It is deducted from the first payment.
    credit: f64,
    /// The payment that is due now; 0 if none is due.
    first_payment: f64,
    /// The currency of all amounts.
    currency: &'static str,
    /// When the quoted plan would begin.
    begins_at: Moment,
    /// The date of the next charge; `null` for the free plan.
    #[schema(required)]
    next_billing_date: Option<Moment>,
}

/// When a change takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Effect {
    /// After the first payment.
    Now,
    /// At the end of the paid period.
    End,
    /// The caller already has the plan.
    Held,
}

/// Quote a change of plan
#[utoipa::path(get, path = "/subscriptions/user/quote", tag = "subscriptions", operation_id = "quoteSubscription",
params(QuoteQuery), security(("session" = [])), responses(
    (status = 200, description = "The quote", body = Envelope<QuoteAnswer>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 422, description = "The plan does not exist", body = FailureBody),
))]
pub async fn quote_change(
    State(state): State<AppState>,
    caller: CurrentUser,
    Query(query): Query<QuoteQuery>,
) -> ApiResult<QuoteAnswer> {
    let now = state.clock.now();
    let wanted = checkout::find_plan(&state.billing(), &query.plan, query.billing_cycle).await?;
    let mut db = state.db.acquire().await?;
    let held = subscriptions::active_of_user(&mut *db, caller.id).await?;
    let is_free = wanted.offer.name == PlanName::Free;
    let change = match (&held, is_free) {
        (Some(held), true) => ChangeTiming::AtEnd(held.end),
        (None, true) => ChangeTiming::Held,
        _ => checkout::classify_change(&mut db, &wanted, held.as_ref(), now).await?,
    };
    let held_end = held.map_or(now, |held| held.end);
    let (effect, credit, first, begins, next) = match change {
        ChangeTiming::Now { credit, first } => {
            (Effect::Now, credit, first, now, wanted.cycle.period_end(now, 1))
        }
        ChangeTiming::AtEnd(end) => (Effect::End, Cents(0), Cents(0), end, end),
        ChangeTiming::Held => (Effect::Held, Cents(0), Cents(0), now, held_end),
    };
    let quote = Quote {
        effect,
        price: wanted.price().rupees(),
        credit: credit.rupees(),
        first_payment: first.rupees(),
        currency: CURRENCY,
        begins_at: Moment::new(begins),
        next_billing_date: (!is_free).then(|| Moment::new(next)),
    };
    Ok(Envelope::of(QuoteAnswer { quote }))
}
