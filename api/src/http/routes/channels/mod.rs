//! What the caller's alerts go by besides mail: a telephone and a webhook, one of each.

pub mod confirm_phone;
pub mod phone;
pub mod read;
pub mod renew_secret;
pub mod test_webhook;
pub mod webhook;

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
use index::vocabulary::Moment;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A webhook as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WebhookView {
    /// Where calls go.
    url: String,
    /// Since when it has taken none; `null`: it took the last one, or there was none.
    failing_since: Option<Moment>,
    /// When it was switched off for that; saving its address switches it on again.
    off_at: Option<Moment>,
    /// The last calls, the newest first.
    calls: Vec<CallView>,
}

/// A call of a webhook.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WebhookCall)]
struct CallView {
    /// The delivery, as the header `webhook-id` names it.
    #[serde(rename = "_id")]
    id: Uuid,
    /// When what it tells was fixed.
    at: Moment,
    /// What became of it.
    state: CallState,
    /// How often it was tried.
    attempts: i32,
    /// What went wrong last.
    error: Option<String>,
}

/// What became of a call.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = WebhookCallState)]
enum CallState {
    /// It was taken.
    Taken,
    /// It is on its way, or will be tried again.
    Waiting,
    /// It was given up.
    Failed,
}

impl WebhookView {
    fn of(webhook: Webhook, calls: Vec<WebhookCall>) -> Self {
        Self {
            url: webhook.endpoint.url,
            failing_since: webhook.failing_since.map(Moment::new),
            off_at: webhook.off_at.map(Moment::new),
            calls: calls.into_iter().map(CallView::from).collect(),
        }
    }
}

impl From<WebhookCall> for CallView {
    fn from(call: WebhookCall) -> Self {
        let state = match call.state {
            DeliveryState::Sent => CallState::Taken,
            DeliveryState::Dead => CallState::Failed,
            DeliveryState::Open | DeliveryState::Sealed | DeliveryState::Leased | DeliveryState::Retry => {
                CallState::Waiting
            }
        };
        let id = call.id;
        Self { id, at: Moment::new(call.at), state, attempts: call.attempts, error: call.last_error }
    }
}

/// Refuses whoever's plan sends alerts by mail alone.
async fn permit(state: &AppState, caller: &CurrentUser) -> Result<(), ServiceError> {
    Entitlement::of_user(Some(caller), state).await?.permit_direct_alerts()
}
