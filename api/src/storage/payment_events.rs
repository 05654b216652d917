//! Events of payment providers. Each is stored once, with its outcome.

use super::enum_column::decode;
use crate::domain::payment::{EventContent, EventOutcome, OpenPaymentEvent, PaymentEvent, Settlement};
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

/// Holds the unmatched events of a checkout that are not settled, oldest first.
pub async fn unmatched_of_checkout(
    tx: &mut PgConnection,
    provider: &str,
    checkout: Uuid,
) -> Result<Vec<PaymentEvent>, sqlx::Error> {
    let rows = sqlx::query_scalar!(
        r#"select event as "event!: Json<PaymentEvent>" from payment_event
        where provider = $1 and outcome = 'unmatched' and event ->> 'checkout' = $2 and settled_at is null
        order by occurred_at, event_id for update"#,
        provider,
        checkout.to_string(),
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|Json(event)| event).collect())
}

/// Stores a signed webhook that cannot be read, unless it is stored already. `event_id` identifies
/// the webhook by its content.
pub async fn insert_unreadable(
    db: impl PgExecutor<'_>,
    (provider, event_id): (&str, &str),
    body: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into payment_event (provider, event_id, body, occurred_at, received_at, outcome)
        values ($1, $2, $3, $4, $4, 'unreadable') on conflict do nothing",
        provider,
        event_id,
        body,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// At most `limit` events that were not applied, before the event `before`, latest first. They are
/// settled, or still need an operator's attention.
pub async fn page(
    db: impl PgExecutor<'_>,
    is_settled: bool,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<OpenPaymentEvent>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select e.id, e.provider, e.event_id, e.received_at as "received_at: SqlTimestamp", e.outcome,
            e.event as "event: Json<PaymentEvent>", e.body, e.subscription_id, u.email as "email?",
            e.settled_at as "settled_at: SqlTimestamp", a.email as "settled_by?", e.settlement_note
        from payment_event e
        left join checkout c on c.id = (e.event ->> 'checkout')::uuid and c.provider = e.provider
        left join users u on u.id = c.user_id
        left join users a on a.id = e.settled_by
        where e.outcome not in ('applied', 'ignored') and (e.settled_at is not null) = $1
            and ($2::bigint is null or e.id < $2)
        order by e.id desc limit $3"#,
        is_settled,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    let events = rows.into_iter().map(|row| {
        let content = match row.event {
            Some(Json(event)) => EventContent::Event(Box::new(event)),
            None => EventContent::Body(row.body.unwrap_or_default()),
        };
        let settlement = row.settled_at.zip(row.settlement_note);
        Ok(OpenPaymentEvent {
            id: row.id,
            provider: row.provider,
            event_id: row.event_id,
            received_at: row.received_at.to_jiff(),
            outcome: decode("payment_event.outcome", &row.outcome)?,
            content,
            subscription_id: row.subscription_id,
            email: row.email,
            settlement: settlement.map(|(at, note)| Settlement {
                at: at.to_jiff(),
                by: row.settled_by,
                note,
            }),
        })
    });
    events.collect()
}

/// An event that is held until the transaction ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldEvent {
    /// The name of the provider.
    pub provider: String,
    /// The provider's id of the event.
    pub event_id: String,
    /// The outcome.
    pub outcome: EventOutcome,
    /// The note of its settlement. `None`: it is not settled.
    pub note: Option<String>,
}

/// Holds an event until the transaction ends.
pub async fn hold(tx: &mut PgConnection, id: i64) -> Result<Option<HeldEvent>, sqlx::Error> {
    let row = sqlx::query!(
        "select provider, event_id, outcome, settlement_note from payment_event where id = $1 for update",
        id
    )
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        Ok(HeldEvent {
            provider: row.provider,
            event_id: row.event_id,
            outcome: decode("payment_event.outcome", &row.outcome)?,
            note: row.settlement_note,
        })
    })
    .transpose()
}

/// Marks an event as settled, and replaces the note.
pub async fn settle(
    tx: &mut PgConnection,
    id: i64,
    by: Option<Uuid>,
    note: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update payment_event set settled_at = $2, settled_by = $3, settlement_note = $4 where id = $1",
        id,
        now.to_sqlx() as SqlTimestamp,
        by,
        note,
    )
    .execute(tx)
    .await?;
    Ok(())
}
