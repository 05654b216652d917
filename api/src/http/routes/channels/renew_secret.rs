//! POST /channels/webhook/secret: replaces the webhook's signing secret.

use super::{require_direct_alerts, webhook::WebhookSecret};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::notifications::senders::webhook::{format_secret, generate_secret},
    storage::webhooks,
};
use axum::extract::State;

/// Replace the webhook's secret
///
/// All further calls, including retries, are signed with the new secret.
#[utoipa::path(post, path = "/channels/webhook/secret", tag = "channels", operation_id = "renewWebhookSecret",
security(("session" = [])), responses(
    (status = 200, description = "The new secret, shown once", body = Envelope<WebhookSecret>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes alerts by mail only", body = FailureBody),
    (status = 404, description = "No webhook is set", body = FailureBody),
))]
pub async fn renew_webhook_secret(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> ApiResult<WebhookSecret> {
    require_direct_alerts(&state, &caller).await?;
    let secret = generate_secret(&state.random);
    match webhooks::renew_secret(&state.db, caller.id, &secret, &state.secrets).await? {
        true => Ok(Envelope::with_message(
            "The secret was replaced",
            WebhookSecret { secret: Some(format_secret(&secret)) },
        )),
        false => Err(ServiceError::NotFound("Webhook")),
    }
}
