//! POST /subscriptions/create-checkout-session: opens a checkout and returns its payment page.

use super::PlanWish;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::billing::checkout::{self, AcceptedOutcomes, PlanRequestOutcome},
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The payment page.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckoutSession {
    /// The URL of the provider's page.
    url: String,
}

/// Create a checkout for a plan
#[utoipa::path(post, path = "/subscriptions/create-checkout-session", tag = "subscriptions", operation_id = "createCheckoutSession",
request_body = PlanWish, security(("session" = [])), responses(
    (status = 200, description = "The URL of the payment page", body = Envelope<CheckoutSession>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "The caller already has this plan, or the change needs no payment now",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The plan does not exist", body = FailureBody),
    (status = 429, description = "Too many checkouts", body = FailureBody),
))]
pub async fn create_checkout_session(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(wish): Body<PlanWish>,
) -> ApiResult<CheckoutSession> {
    let wanted = checkout::find_plan(&state.billing(), &wish.plan, wish.billing_cycle).await?;
    let outcome = checkout::request(&state.billing(), &caller, &wanted, AcceptedOutcomes::Checkout).await?;
    let url = match outcome {
        PlanRequestOutcome::Checkout(checkout, _) => checkout.url,
        PlanRequestOutcome::Scheduled(_) => None,
    };
    let url = url.ok_or_else(|| ServiceError::Internal(anyhow::anyhow!("a checkout without a URL")))?;
    Ok(Envelope::of(CheckoutSession { url }))
}
