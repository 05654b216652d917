//! PUT and DELETE /channels/webhook: where programs are told of matches.

use super::permit;
use crate::{
    app::state::AppState,
    clients::ssrf_guard::SsrfGuard,
    domain::{
        error::{FieldError, ServiceError},
        webhook::WebhookEndpoint,
    },
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::notifications::senders::webhook::{fresh_secret, shown},
    storage::webhooks,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A webhook.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = WebhookForm)]
pub struct Form {
    /// An address on the internet, with https://.
    #[schema(max_length = 500)]
    url: String,
}

/// What a webhook's calls are signed with.
#[derive(Debug, Serialize, ToSchema)]
pub struct WebhookSecret {
    /// As Standard Webhooks writes it, whsec_…; `null`: as before.
    #[schema(required)]
    pub(super) secret: Option<String>,
}

/// Enter a webhook
///
/// The first time, the secret of its signatures is answered, this once. Entered again, it is switched on, and gets what it missed.
#[utoipa::path(put, path = "/channels/webhook", tag = "channels", operation_id = "putWebhook", request_body = Form, security(("session" = [])), responses(
    (status = 200, description = "Alerts may go there", body = Envelope<WebhookSecret>),
    (status = 400, description = "No JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan sends alerts by mail alone", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "It is no address on the internet", body = FailureBody),
))]
pub async fn put_webhook(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<Form>,
) -> Answer<WebhookSecret> {
    permit(&state, &caller).await?;
    let url = SsrfGuard::of(&state.config.phone).read(&form.url);
    let url = url.map_err(|message| ServiceError::Invalid(vec![FieldError::new("url", message)]))?;
    let fresh = WebhookEndpoint { url: url.into(), secret: fresh_secret(&state.random) };
    let mut tx = state.db.begin().await?;
    let is_new = webhooks::put(&mut tx, caller.id, &fresh, state.clock.now()).await?;
    tx.commit().await?;
    let secret = is_new.then(|| shown(&fresh.secret));
    Ok(Envelope::saying("Webhook saved", WebhookSecret { secret }))
}

/// Forget the webhook
#[utoipa::path(delete, path = "/channels/webhook", tag = "channels", operation_id = "deleteWebhook", security(("session" = [])), responses(
    (status = 200, description = "Nothing goes there any more", body = Envelope<Empty>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 404, description = "There is none", body = FailureBody),
))]
pub async fn delete_webhook(State(state): State<AppState>, caller: CurrentUser) -> Answer<Empty> {
    match webhooks::remove(&state.db, caller.id).await? {
        true => Ok(Envelope::saying("Webhook removed", Empty {})),
        false => Err(ServiceError::NotFound("Webhook")),
    }
}
