//! POST /channels/webhook/test: sends a test call to the webhook.

use super::require_direct_alerts;
use crate::{
    app::state::AppState,
    domain::{
        channel::{Channel, DirectChannel},
        error::ServiceError,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::notifications::webhook_payload,
    storage::{
        self,
        deliveries::{self, SealedMessage},
        users, webhooks,
    },
};
use anyhow::Context;
use axum::extract::State;
use jiff::SignedDuration;
use tender_model::vocabulary::Moment;

/// The maximum number of tests in [`TEST_PERIOD`].
const MAX_TESTS: i64 = 10;
/// The period in which tests are counted.
const TEST_PERIOD: SignedDuration = SignedDuration::from_mins(10);

/// Test the webhook
///
/// The webhook is called with `"type": "test"` and without tenders. `GET /channels` shows the
/// result.
#[utoipa::path(post, path = "/channels/webhook/test", tag = "channels", operation_id = "testWebhook",
security(("session" = [])), responses(
    (status = 200, description = "The call is queued", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes alerts by mail only", body = FailureBody),
    (status = 404, description = "No webhook is set", body = FailureBody),
    (status = 429, description = "Too many tests in ten minutes", body = FailureBody),
))]
pub async fn test_webhook(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<NoData> {
    require_direct_alerts(&state, &caller).await?;
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    users::lock(&mut tx, caller.id).await?;
    let webhook = webhooks::of_user(&mut *tx, caller.id).await?.ok_or(ServiceError::NotFound("Webhook"))?;
    let since = now.saturating_sub(TEST_PERIOD).map_err(anyhow::Error::from)?;
    if webhooks::count_tests_since(&mut *tx, caller.id, since).await? >= MAX_TESTS {
        return Err(ServiceError::RateLimited { retry_after_seconds: TEST_PERIOD.as_secs().unsigned_abs() });
    }
    let id = state.random.id(&state.clock);
    let content = webhook_payload::of_test(id, Moment::new(now)).context("writing JSON")?;
    let channel = Channel::Direct(DirectChannel::Webhook);
    let sealed = SealedMessage { id, user_id: Some(caller.id), channel, address: &webhook.url };
    deliveries::insert_sealed(&mut tx, &sealed, &id.simple().to_string(), &content, now).await?;
    tx.commit().await?;
    Ok(Envelope::with_message("The webhook is being called", NoData {}))
}
