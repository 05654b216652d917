//! GET /channels: reads the caller's telephone and webhook.

use super::WebhookView;
use crate::{
    app::state::AppState,
    domain::{channel::DirectChannel, phone_number::Phone},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    storage::{phones, webhooks},
};
use axum::extract::State;
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;

/// The maximum number of webhook calls that are returned.
const MAX_CALLS: i64 = 10;

/// The alert channels besides mail.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Channels {
    /// The channels that the portal offers.
    offered: Vec<DirectChannel>,
    /// The caller's telephone; `null` if none is set.
    #[schema(required)]
    phone: Option<PhoneView>,
    /// The caller's webhook; `null` if none is set.
    #[schema(required)]
    webhook: Option<WebhookView>,
}

/// A telephone as its owner sees it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Phone)]
pub(super) struct PhoneView {
    /// The number in E.164 format.
    number: String,
    /// Whether the number is confirmed. Messages are sent only to a confirmed number.
    is_confirmed: bool,
    /// When the pending code expires; `null` if no code is pending.
    code_until: Option<Moment>,
}

impl From<Phone> for PhoneView {
    fn from(phone: Phone) -> Self {
        Self {
            number: phone.number,
            is_confirmed: phone.is_confirmed,
            code_until: phone.code_expires_at.map(Moment::new),
        }
    }
}

/// Read the telephone and the webhook
#[utoipa::path(get, path = "/channels", tag = "channels", operation_id = "channels",
security(("session" = [])), responses(
    (status = 200, description = "The telephone and the webhook, if set, and the channels that the portal offers",
        body = Envelope<Channels>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_channels(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<Channels> {
    let phone = phones::of_user(&state.db, caller.id).await?.map(PhoneView::from);
    let webhook = match webhooks::of_user(&state.db, caller.id).await? {
        Some(webhook) => {
            Some(WebhookView::of(webhook, webhooks::calls(&state.db, caller.id, MAX_CALLS).await?))
        }
        None => None,
    };
    Ok(Envelope::of(Channels { offered: state.channels(), phone, webhook }))
}
