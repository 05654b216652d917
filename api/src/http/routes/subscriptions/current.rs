//! GET /subscriptions/user/current: reads the caller's subscription.

use super::OwnSubscription;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    storage::subscriptions,
};
use axum::extract::State;

/// Read the subscription
#[utoipa::path(get, path = "/subscriptions/user/current", tag = "subscriptions", operation_id = "currentSubscription",
security(("session" = [])), responses(
    (status = 200, description = "The subscription", body = Envelope<OwnSubscription>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no subscription and uses the free plan", body = FailureBody),
))]
pub async fn read_current_subscription(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<OwnSubscription> {
    let found = subscriptions::current(&state.db, caller.id, state.clock.now()).await?;
    let found = found.ok_or(ServiceError::NotFound("Subscription"))?;
    Ok(Envelope::of(OwnSubscription::of(&state, &caller, found).await?))
}
