//! Events of payment providers. Each is stored once, with its outcome.

use super::enum_column::decode;
use crate::domain::payment::{EventOutcome, PaymentEvent};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

/// Stores an event with the outcome `unmatched`. `false`: the event is already stored.
pub async fn insert(
    tx: &mut PgConnection,
    provider: &str,
    event: &PaymentEvent,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "insert into payment_event (provider, event_id, event, occurred_at, received_at, outcome)
        values ($1, $2, $3, $4, $5, 'unmatched') on conflict do nothing",
        provider,
        event.id,
        Json(event) as _,
        event.at.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(stored.rows_affected() > 0)
}

/// Stores the outcome of an event.
pub async fn store_outcome(
    tx: &mut PgConnection,
    provider: &str,
    event_id: &str,
    outcome: EventOutcome,
    subscription_id: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update payment_event set outcome = $3, subscription_id = $4 where provider = $1 and event_id = $2",
        provider,
        event_id,
        outcome.as_str(),
        subscription_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The unmatched events of a checkout, oldest first.
pub async fn unmatched_of_checkout(
    tx: &mut PgConnection,
    provider: &str,
    checkout: Uuid,
) -> Result<Vec<PaymentEvent>, sqlx::Error> {
    let rows = sqlx::query_scalar!(
        r#"select event as "event: Json<PaymentEvent>" from payment_event
        where provider = $1 and outcome = 'unmatched' and event ->> 'checkout' = $2
        order by occurred_at, event_id"#,
        provider,
        checkout.to_string(),
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|Json(event)| event).collect())
}

/// An event that needs an operator's attention.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPaymentEvent {
    /// The name of the provider.
    pub provider: String,
    /// The provider's id of the event.
    pub event_id: String,
    /// When it arrived.
    pub received_at: Timestamp,
    /// Why it needs attention.
    pub outcome: EventOutcome,
    /// The event.
    pub event: PaymentEvent,
}

/// The events that need an operator's attention, newest first and at most 1000.
pub async fn needing_attention(db: impl PgExecutor<'_>) -> Result<Vec<OpenPaymentEvent>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select provider, event_id, received_at as "received_at: SqlTimestamp", outcome, event as "event: Json<PaymentEvent>"
        from payment_event where outcome not in ('applied', 'ignored') order by received_at desc, event_id limit 1000"#
    )
    .fetch_all(db)
    .await?;
    let events = rows.into_iter().map(|row| {
        Ok(OpenPaymentEvent {
            provider: row.provider,
            event_id: row.event_id,
            received_at: row.received_at.to_jiff(),
            outcome: decode("payment_event.outcome", &row.outcome)?,
            event: row.event.0,
        })
    });
    events.collect()
}
