//! POST /webhooks/{provider}: a provider of payments tells what happened. The signature is checked over the bytes as they came, before
//! anything is read of them; what is told twice is done once, and what does not matter here is acknowledged.

use crate::{
    app::state::AppState,
    http::{
        envelope::{Answer, Empty, Envelope},
        error::FailureBody,
        extract::{Name, input::read_up_to},
    },
    services::billing::payment_events,
};
use axum::extract::{Request, State};

/// The most bytes of an event; Stripe's largest have some ten thousand.
const LIMIT: usize = 256 * 1024;

/// A provider of payments tells what happened
#[utoipa::path(post, path = "/webhooks/{provider}", tag = "webhooks", operation_id = "receiveWebhook",
params(("provider" = String, Path, description = "`stripe`, `payhere` or `sandbox`, whichever is set up")),
request_body(content = Vec<u8>, content_type = "application/octet-stream", description = "As the provider signed it"), responses(
    (status = 200, description = "Heard", body = Envelope<Empty>),
    (status = 400, description = "Not signed by the provider, or not readable", body = FailureBody),
    (status = 404, description = "This provider is not set up", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
))]
pub async fn receive_webhook(
    State(state): State<AppState>,
    Name(provider): Name,
    request: Request,
) -> Answer<Empty> {
    let (parts, body) = request.into_parts();
    let body = read_up_to(body, LIMIT, "an event").await?;
    payment_events::receive(&state.billing(), &provider, &parts.headers, &body).await?;
    Ok(Envelope::of(Empty {}))
}
