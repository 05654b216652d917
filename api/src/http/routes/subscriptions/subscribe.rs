//! POST /subscriptions/user/subscribe: subscribes the caller to a plan.

use super::{OwnSubscription, PlanWish};
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::billing::checkout::{self, AcceptedOutcomes},
};
use axum::extract::State;

/// Subscribe to a plan
///
/// For an immediate change, the response is a `pending` subscription with its `checkoutUrl`. The
/// unused part of the previous plan is credited. A cheaper plan, a change from yearly to monthly,
/// and `free` take effect at the end of the paid period.
#[utoipa::path(post, path = "/subscriptions/user/subscribe", tag = "subscriptions", operation_id = "subscribe",
request_body = PlanWish, security(("session" = [])), responses(
    (status = 200, description = "The changed or pending subscription", body = Envelope<OwnSubscription>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller already has this plan", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The plan does not exist", body = FailureBody),
    (status = 429, description = "Too many checkouts", body = FailureBody),
))]
pub async fn subscribe_plan(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(wish): Body<PlanWish>,
) -> ApiResult<OwnSubscription> {
    let wanted = checkout::find_plan(&state.billing(), &wish.plan, wish.billing_cycle).await?;
    let outcome = checkout::request(&state.billing(), &caller, &wanted, AcceptedOutcomes::Anything).await?;
    Ok(Envelope::of(OwnSubscription::from_outcome(&state, &caller, outcome).await?))
}
