//! PUT /subscriptions/user/update: the caller wishes for a plan.

use super::{OwnSubscription, PlanWish};
use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::billing::checkout::{self, Accepts},
};
use axum::extract::State;

/// Change the plan
///
/// What begins at once is answered as a `pending` subscription with the `checkoutUrl` where it is paid; what is left of a plan that was paid
/// is taken off. A cheaper plan, the month instead of the year, and `free` take effect when what is paid ends.
#[utoipa::path(put, path = "/subscriptions/user/update", tag = "subscriptions", operation_id = "updateSubscription",
request_body = PlanWish, security(("session" = [])), responses(
    (status = 200, description = "The subscription as it will be", body = Envelope<OwnSubscription>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "Held already", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "No such plan", body = FailureBody),
    (status = 429, description = "Too many checkouts", body = FailureBody),
))]
pub async fn update_plan(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(wish): Body<PlanWish>,
) -> Answer<OwnSubscription> {
    let wanted = checkout::wanted(&state.billing(), &wish.plan, wish.billing_cycle).await?;
    let became = checkout::request(&state.billing(), &caller, &wanted, Accepts::Anything).await?;
    Ok(Envelope::of(OwnSubscription::became(&state, &caller, became).await?))
}
