//! POST /subscriptions/user/cancel: cancels the subscription at the end of the paid period.

use super::OwnSubscription;
use crate::{
    app::state::AppState,
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{CurrentUser, input::optional_json},
    },
    services::billing::plan_changes,
};
use axum::extract::{Request, State};
use serde::Deserialize;
use utoipa::ToSchema;

/// The maximum length of a reason, in characters.
const MAX_REASON_LENGTH: usize = 500;

/// The cancellation.
#[derive(Debug, Default, Deserialize, ToSchema)]
pub struct Cancellation {
    /// The subscriber's reason, at most 500 characters.
    #[serde(default)]
    #[schema(max_length = 500)]
    reason: Option<String>,
}

/// Cancel at the end of the period
///
/// Nothing more is charged, and the plan stays valid until the period ends. A repeated request
/// changes nothing.
#[utoipa::path(post, path = "/subscriptions/user/cancel", tag = "subscriptions", operation_id = "cancelSubscription",
request_body(content = Option<Cancellation>), security(("session" = [])), responses(
    (status = 200, description = "The cancelled subscription", body = Envelope<OwnSubscription>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "The caller has no subscription", body = FailureBody),
    (status = 409, description = "The operator gave the plan, which ends without cancellation",
        body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The reason is too long", body = FailureBody),
))]
pub async fn cancel_subscription(
    State(state): State<AppState>,
    caller: CurrentUser,
    request: Request,
) -> ApiResult<OwnSubscription> {
    let form: Cancellation = optional_json(request).await?;
    let reason = form.reason.as_deref().map(str::trim).filter(|reason| !reason.is_empty());
    let error = reason.and_then(|reason| {
        if reason.chars().count() > MAX_REASON_LENGTH {
            Some(format!("Reason cannot exceed {MAX_REASON_LENGTH} characters"))
        } else if reason.contains(|letter: char| letter.is_control() && letter != '\n' && letter != '\t') {
            Some("Reason must not contain control characters".to_owned())
        } else {
            None
        }
    });
    if let Some(message) = error {
        return Err(ServiceError::Invalid(vec![FieldError::new("reason", message)]));
    }
    let cancelled = plan_changes::cancel(&state.billing(), &caller, reason).await?;
    Ok(Envelope::of(OwnSubscription::of(&state, &caller, cancelled).await?))
}
