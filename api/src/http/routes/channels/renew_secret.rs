//! POST /channels/webhook/secret: another secret for the signatures of the webhook's calls.

use super::{permit, webhook::WebhookSecret};
use crate::{
    app::state::AppState,
    domain::error::ServiceError,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::notifications::senders::webhook::{fresh_secret, shown},
    storage::webhooks,
};
use axum::extract::State;

/// Give the webhook another secret
///
/// Every call from now on is signed with it, those that are tried again too.
#[utoipa::path(post, path = "/channels/webhook/secret", tag = "channels", operation_id = "renewWebhookSecret", security(("session" = [])), responses(
    (status = 200, description = "The new one, told this once", body = Envelope<WebhookSecret>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan sends alerts by mail alone", body = FailureBody),
    (status = 404, description = "There is no webhook", body = FailureBody),
))]
pub async fn renew_webhook_secret(
    State(state): State<AppState>,
    caller: CurrentUser,
) -> Answer<WebhookSecret> {
    permit(&state, &caller).await?;
    let secret = fresh_secret(&state.random);
    match webhooks::renew_secret(&state.db, caller.id, &secret).await? {
        true => {
            Ok(Envelope::saying("The secret is another now", WebhookSecret { secret: Some(shown(&secret)) }))
        }
        false => Err(ServiceError::NotFound("Webhook")),
    }
}
