//! POST /subscriptions/user/keep: the caller's subscription goes on as it is.

use super::OwnSubscription;
use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::billing::plan_changes,
};
use axum::extract::State;

/// Keep the plan
///
/// Takes back a cancellation, or a change that was to come at the period's end. Kept again, it stays as it is.
#[utoipa::path(post, path = "/subscriptions/user/keep", tag = "subscriptions", operation_id = "keepSubscription",
security(("session" = [])), responses(
    (status = 200, description = "The subscription, which goes on", body = Envelope<OwnSubscription>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has none", body = FailureBody),
    (status = 409, description = "The provider has ended it", body = FailureBody),
))]
pub async fn keep_subscription(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> Answer<OwnSubscription> {
    let kept = plan_changes::keep(&state.billing(), &caller).await?;
    Ok(Envelope::of(OwnSubscription::of(&state, &caller, kept).await?))
}
