//! POST /channels/webhook/secret: replaces the webhook's signing secret.

use super::{permit, webhook::WebhookSecret};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::notifications::senders::webhook::{fresh_secret, shown},
    storage::webhooks,
};
use axum::extract::State;

/// Replace the webhook's secret
///
/// All further calls are signed with it, including retries.
#[utoipa::path(post, path = "/channels/webhook/secret", tag = "channels", operation_id = "renewWebhookSecret", security(("session" = [])), responses(
    (status = 200, description = "The new secret, shown once", body = Envelope<WebhookSecret>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan only sends alerts by mail", body = FailureBody),
    (status = 404, description = "There is no webhook", body = FailureBody),
))]
pub async fn renew_webhook_secret(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<WebhookSecret> {
    permit(&state, &caller).await?;
    let secret = fresh_secret(&state.random);
    match webhooks::renew_secret(&state.db, caller.id, &secret).await? {
        true => {
            Ok(Envelope::saying("The secret is another now", WebhookSecret { secret: Some(shown(&secret)) }))
        }
        false => Err(ServiceError::NotFound("Webhook")),
    }
}
