//! PUT /operate/payments/events/{id}/settlement: marks a payment event as settled.

use crate::{
    app::state::AppState,
    http::{
        envelope::{ApiResult, Envelope, NoData},
        error::FailureBody,
        extract::{Administrator, Body, PathNumber},
    },
    services::billing::settlement,
};
use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

/// What was done about a payment event.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SettlementForm {
    /// What was done, for example a refund.
    #[schema(max_length = 500)]
    note: String,
}

/// Settle a payment event
///
/// Only an event that was not applied can be settled. Settling it again replaces the note.
#[utoipa::path(put, path = "/operate/payments/events/{id}/settlement", tag = "operate",
operation_id = "settlePaymentEvent",
params(("id" = i64, Path, description = "`_id` of the event")),
request_body = SettlementForm, security(("session" = [])), responses(
    (status = 200, description = "The event is settled", body = Envelope<NoData>),
    (status = 400, description = "The body is not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 404, description = "There is no such event", body = FailureBody),
    (status = 409, description = "The event was applied or changes nothing", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "The note is missing or too long, or the id is not a number", body = FailureBody),
))]
pub async fn settle_payment_event(
    State(state): State<AppState>,
    Administrator { actor }: Administrator,
    PathNumber(id): PathNumber,
    Body(form): Body<SettlementForm>,
) -> ApiResult<NoData> {
    settlement::settle(&state, &actor, id, &form.note).await?;
    Ok(Envelope::of(NoData {}))
}
