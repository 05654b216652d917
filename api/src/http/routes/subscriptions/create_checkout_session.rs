//! POST /subscriptions/create-checkout-session: returns the payment page for a plan.

use super::PlanWish;
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::billing::checkout::{self, Accepts, PlanRequestOutcome},
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
    (status = 200, description = "The address", body = Envelope<CheckoutSession>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "Held already, or nothing is to be paid now", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "No such plan", body = FailureBody),
    (status = 429, description = "Too many checkouts", body = FailureBody),
))]
pub async fn create_checkout_session(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(wish): Body<PlanWish>,
) -> ApiResult<CheckoutSession> {
    let wanted = checkout::wanted(&state.billing(), &wish.plan, wish.billing_cycle).await?;
    let became = checkout::request(&state.billing(), &caller, &wanted, Accepts::Checkout).await?;
    let url = match became {
        PlanRequestOutcome::Checkout(checkout, _) => checkout.url,
        PlanRequestOutcome::Scheduled(_) => None,
    };
    let url = url.ok_or_else(|| ServiceError::Internal(anyhow::anyhow!("a checkout without an address")))?;
    Ok(Envelope::of(CheckoutSession { url }))
}
