//! PUT and DELETE /channels/webhook: sets or deletes the webhook.

use super::require_direct_alerts;
use crate::{
    app::state::AppState,
    clients::ssrf_guard::SsrfGuard,
    domain::{
        error::{FieldError, ServiceError},
        webhook::WebhookEndpoint,
    },
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::notifications::senders::webhook::{format_secret, generate_secret},
    storage::{self, webhooks},
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The webhook to set.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WebhookForm)]
pub struct WebhookForm {
    /// The public https:// URL to call.
    #[schema(max_length = 500)]
    url: String,
}

/// The signing secret of a webhook.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSecret {
    /// The secret in the format of Standard Webhooks (`whsec_…`); `null` if the webhook keeps its
    /// secret.
    #[schema(required)]
    pub(super) secret: Option<String>,
}

/// Set the webhook
///
/// The first response contains the signing secret, which is not shown again. Setting the webhook
/// again switches it on. Calls to the same URL that failed permanently are then repeated.
#[utoipa::path(put, path = "/channels/webhook", tag = "channels", operation_id = "putWebhook",
request_body = WebhookForm, security(("session" = [])), responses(
    (status = 200, description = "Saved", body = Envelope<WebhookSecret>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes alerts by mail only", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The URL is not a public web address", body = FailureBody),
))]
pub async fn put_webhook(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<WebhookForm>,
) -> ApiResult<WebhookSecret> {
    require_direct_alerts(&state, &caller).await?;
    let url = SsrfGuard::of(&state.config.phone).parse_url(&form.url);
    let url = url.map_err(|message| ServiceError::Invalid(vec![FieldError::new("url", message)]))?;
    let endpoint = WebhookEndpoint { url: url.into(), secret: generate_secret(&state.random) };
    let mut tx = storage::begin(&state.db).await?;
    let is_new = webhooks::put(&mut tx, caller.id, &endpoint, &state.secrets, state.clock.now()).await?;
    tx.commit().await?;
    let secret = is_new.then(|| format_secret(&endpoint.secret));
    Ok(Envelope::with_message("Webhook saved", WebhookSecret { secret }))
}

/// Delete the webhook
#[utoipa::path(delete, path = "/channels/webhook", tag = "channels", operation_id = "deleteWebhook",
security(("session" = [])), responses(
    (status = 200, description = "Deleted", body = Envelope<NoData>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "No webhook is set", body = FailureBody),
))]
pub async fn delete_webhook(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<NoData> {
    match webhooks::remove(&state.db, caller.id).await? {
        true => Ok(Envelope::with_message("Webhook removed", NoData {})),
        false => Err(ServiceError::NotFound("Webhook")),
    }
}
