//! GET /operate/payments/events: lists payment events that were not applied.

use crate::{
    app::state::AppState,
    domain::payment::{EventContent, EventOutcome, OpenPaymentEvent, PaymentEventKind, Settlement},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Administrator, Query},
    },
    storage::payment_events,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The requested events.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PaymentEventsQuery {
    /// Only events before the event with this id.
    before: Option<i64>,
    /// Settled events instead of those that need attention.
    #[serde(default)]
    #[param(default = false)]
    is_settled: bool,
}

/// How a payment event was settled.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PaymentSettlement)]
pub struct SettlementView {
    /// When.
    at: Moment,
    /// The mail address of the administrator.
    #[schema(required)]
    by: Option<String>,
    /// What was done.
    note: String,
}

/// A payment event that was not applied.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = OpenPaymentEvent)]
pub struct OpenPaymentEventView {
    /// The event's id in the portal.
    #[serde(rename = "_id")]
    id: i64,
    /// The provider.
    provider: String,
    /// The provider's id of the event.
    event_id: String,
    /// When the event arrived.
    received_at: Moment,
    /// Why the event was not applied.
    outcome: EventOutcome,
    /// What the event reports: `paid`, `renewed`, `failed`, `ended` or `reversed`. `null`: it cannot
    /// be read.
    #[schema(required)]
    kind: Option<String>,
    /// The charged amount.
    #[schema(required)]
    amount: Option<f64>,
    /// The currency of the amount.
    #[schema(required)]
    currency: Option<String>,
    /// The provider's id of the charge.
    #[schema(required)]
    reference: Option<String>,
    /// The id of the checkout that the event names.
    #[schema(required)]
    checkout: Option<Uuid>,
    /// The id of the subscription of the checkout.
    #[schema(required)]
    subscription: Option<Uuid>,
    /// The mail address of the user who opened the checkout.
    #[schema(required)]
    email: Option<String>,
    /// The beginning of a webhook that is signed by the provider but cannot be read.
    #[schema(required)]
    body: Option<String>,
    /// How the event was settled.
    #[schema(required)]
    settlement: Option<SettlementView>,
}

/// A part of the list of payment events.
#[derive(Debug, Serialize, ToSchema)]
pub struct OpenPaymentEvents {
    /// The events, latest first.
    events: Vec<OpenPaymentEventView>,
    /// Send this id as `before` to read the next part. `null`: there are no more events.
    #[schema(required)]
    next: Option<i64>,
}

/// The number of events in a response.
const PAGE_SIZE: usize = 50;

/// The maximum number of characters of an unreadable webhook in the list.
const MAX_BODY_LENGTH: usize = 2000;

/// List payment events that were not applied
#[utoipa::path(get, path = "/operate/payments/events", tag = "operate", operation_id = "openPaymentEvents",
params(PaymentEventsQuery), security(("session" = [])), responses(
    (status = 200, description = "A part of the list", body = Envelope<OpenPaymentEvents>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The caller is not an administrator", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn list_payment_events(
    State(state): State<AppState>,
    _: Administrator,
    Query(query): Query<PaymentEventsQuery>,
) -> ApiResult<OpenPaymentEvents> {
    let mut found =
        payment_events::page(&state.db, query.is_settled, query.before, PAGE_SIZE as i64 + 1).await?;
    let has_more = found.len() > PAGE_SIZE;
    found.truncate(PAGE_SIZE);
    let next = found.last().filter(|_| has_more).map(|last| last.id);
    let events = found.into_iter().map(OpenPaymentEventView::from).collect();
    Ok(Envelope::of(OpenPaymentEvents { events, next }))
}

impl From<OpenPaymentEvent> for OpenPaymentEventView {
    fn from(open: OpenPaymentEvent) -> Self {
        let (event, body) = match open.content {
            EventContent::Event(event) => (Some(event), None),
            EventContent::Body(body) => (None, Some(body.chars().take(MAX_BODY_LENGTH).collect())),
        };
        let charge = event.as_ref().and_then(|event| match &event.kind {
            PaymentEventKind::Paid { charge, .. } | PaymentEventKind::Renewed { charge } => Some(charge),
            PaymentEventKind::Failed | PaymentEventKind::Ended | PaymentEventKind::Reversed => None,
        });
        Self {
            id: open.id,
            provider: open.provider,
            event_id: open.event_id,
            received_at: Moment::new(open.received_at),
            outcome: open.outcome,
            kind: event.as_ref().map(|event| event.kind.name().to_owned()),
            amount: charge.map(|charge| charge.amount.rupees()),
            currency: charge.map(|charge| charge.currency.clone()),
            reference: charge.map(|charge| charge.reference.clone()),
            checkout: event.as_ref().map(|event| event.checkout),
            subscription: open.subscription_id,
            email: open.email,
            body,
            settlement: open.settlement.map(|Settlement { at, by, note }| SettlementView {
                at: Moment::new(at),
                by,
                note,
            }),
        }
    }
}
