//! The caller's alert channels besides mail: one telephone and one webhook.

pub(crate) mod confirm_phone;
pub(crate) mod phone;
pub(crate) mod read;
pub(crate) mod renew_secret;
pub(crate) mod test_webhook;
pub(crate) mod webhook;

use crate::{
    app::state::AppState,
    domain::{
        delivery::DeliveryState,
        error::ServiceError,
        webhook::{Webhook, WebhookCall},
    },
    http::extract::CurrentUser,
    services::entitlement::Entitlement,
};
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// A webhook as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    /// The URL that is called.
    url: String,
    /// When calls began to fail; `null` if the last call succeeded or none was made.
    failing_since: Option<Moment>,
    /// When the webhook was switched off because of failures; `null` if it is on. Saving the
    /// webhook switches it on again.
    off_at: Option<Moment>,
    /// Recent calls, newest first.
    calls: Vec<WebhookCallView>,
}

/// A call to the webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookCall)]
struct WebhookCallView {
    /// The delivery's id, as in the `webhook-id` header.
    #[serde(rename = "_id")]
    id: Uuid,
    /// When the call's content was written.
    at: Moment,
    /// The state of the call.
    state: WebhookCallState,
    /// The number of attempts.
    attempts: i32,
    /// The error of the last failed attempt.
    error: Option<String>,
}

/// The state of a webhook call.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = WebhookCallState)]
enum WebhookCallState {
    /// The receiver accepted the call.
    Taken,
    /// The call is pending or will be retried.
    Waiting,
    /// The call failed permanently.
    Failed,
}

impl WebhookView {
    fn of(webhook: Webhook, calls: Vec<WebhookCall>) -> Self {
        Self {
            url: webhook.url,
            failing_since: webhook.failing_since.map(Moment::new),
            off_at: webhook.off_at.map(Moment::new),
            calls: calls.into_iter().map(WebhookCallView::from).collect(),
        }
    }
}

impl From<WebhookCall> for WebhookCallView {
    fn from(call: WebhookCall) -> Self {
        let state = match call.state {
            DeliveryState::Sent => WebhookCallState::Taken,
            DeliveryState::Dead => WebhookCallState::Failed,
            DeliveryState::Open | DeliveryState::Sealed | DeliveryState::Leased | DeliveryState::Retry => {
                WebhookCallState::Waiting
            }
        };
        let id = call.id;
        Self { id, at: Moment::new(call.at), state, attempts: call.attempts, error: call.last_error }
    }
}

/// Rejects callers whose plan includes alerts by mail only.
async fn require_direct_alerts(state: &AppState, caller: &CurrentUser) -> Result<(), ServiceError> {
    Entitlement::of_user(Some(caller), state).await?.permit_direct_alerts()
}
