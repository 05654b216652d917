//! Events of payment providers. Each is stored once, with its outcome.

use crate::domain::payment::PaymentEvent;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use uuid::Uuid;

/// Stores an event as unmatched. `false`: it is already stored.
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
    outcome: &str,
    subscription_id: Option<Uuid>,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update payment_event set outcome = $3, subscription_id = $4 where provider = $1 and event_id = $2",
        provider,
        event_id,
        outcome,
        subscription_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The unmatched events of a checkout, oldest first.
pub async fn unmatched(
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
    /// The provider.
    pub provider: String,
    /// The provider's id of the event.
    pub event_id: String,
    /// When it arrived.
    pub received_at: SqlTimestamp,
    /// `unmatched`, `mismatch`, `orphan` or `unexpected`.
    pub outcome: String,
    /// The event.
    pub event: Json<PaymentEvent>,
}

/// The events that need an operator's attention, newest first.
pub async fn open(db: impl PgExecutor<'_>) -> Result<Vec<OpenPaymentEvent>, sqlx::Error> {
    sqlx::query_as!(
        OpenPaymentEvent,
        r#"select provider, event_id, received_at as "received_at: SqlTimestamp", outcome, event as "event: Json<PaymentEvent>"
        from payment_event where outcome not in ('applied', 'ignored') order by received_at desc, event_id limit 1000"#
    )
    .fetch_all(db)
    .await
}
