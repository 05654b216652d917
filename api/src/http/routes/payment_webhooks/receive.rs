//! POST /webhooks/{provider}: receives events of a payment provider. The signature is checked over
//! the raw body before the body is parsed. Each event is processed once. Irrelevant events are
//! acknowledged and ignored.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{PathName, input::read_up_to},
    },
    services::billing::payment_events,
};
use axum::extract::{Request, State};

/// The maximum size of an event, in bytes. Stripe's largest events have some ten thousand bytes.
const MAX_EVENT_SIZE: usize = 256 * 1024;

/// Receive a payment provider's event
#[utoipa::path(post, path = "/webhooks/{provider}", tag = "webhooks", operation_id = "receiveWebhook",
params(("provider" = String, Path, description = "The configured provider: `stripe`, `payhere` or `sandbox`")),
request_body(content = Vec<u8>, content_type = "application/octet-stream", description =
    "The event, as signed by the provider"), responses(
    (status = 200, description = "The event was accepted", body = Envelope<NoData>),
    (status = 400, description = "The event is not signed by the provider, or is malformed", body = FailureBody),
    (status = 404, description = "The provider is not configured", body = FailureBody),
    (status = 413, description = "The event is too large", body = FailureBody),
))]
pub async fn receive_webhook(
    State(state): State<AppState>,
    PathName(provider): PathName,
    request: Request,
) -> ApiResult<NoData> {
    let (parts, body) = request.into_parts();
    let body = read_up_to(body, MAX_EVENT_SIZE, "an event").await?;
    payment_events::receive(&state.billing(), &provider, &parts.headers, &body).await?;
    Ok(Envelope::of(NoData {}))
}
