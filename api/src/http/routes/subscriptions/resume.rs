//! POST /subscriptions/user/keep: resumes the caller's subscription.

use super::OwnSubscription;
use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::billing::plan_changes,
};
use axum::extract::State;

/// Resume the subscription
///
/// The request withdraws a cancellation or a scheduled change. A repeated request changes nothing.
#[utoipa::path(post, path = "/subscriptions/user/keep", tag = "subscriptions", operation_id = "keepSubscription",
security(("session" = [])), responses(
    (status = 200, description = "The resumed subscription", body = Envelope<OwnSubscription>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no subscription", body = FailureBody),
    (status = 409, description = "The provider has ended the agreement", body = FailureBody),
))]
pub async fn resume_subscription(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<OwnSubscription> {
    let resumed = plan_changes::resume(&state.billing(), &caller).await?;
    Ok(Envelope::of(OwnSubscription::of(&state, &caller, resumed).await?))
}
