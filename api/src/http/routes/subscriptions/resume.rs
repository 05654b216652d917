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
/// Reverts a cancellation or a scheduled change. Repeating the request changes nothing.
#[utoipa::path(post, path = "/subscriptions/user/keep", tag = "subscriptions", operation_id = "keepSubscription",
security(("session" = [])), responses(
    (status = 200, description = "The resumed subscription", body = Envelope<OwnSubscription>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has none", body = FailureBody),
    (status = 409, description = "The provider has ended the agreement", body = FailureBody),
))]
pub async fn keep_subscription(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<OwnSubscription> {
    let kept = plan_changes::keep(&state.billing(), &caller).await?;
    Ok(Envelope::of(OwnSubscription::of(&state, &caller, kept).await?))
}
