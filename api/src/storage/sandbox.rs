//! The agreements and events of the payment sandbox. A real provider would store them itself.

use crate::{
    domain::{money::Cents, sandbox::SandboxAgreement},
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Stores an agreement, unless its checkout already has one. Returns the id of the stored
/// agreement.
pub async fn open(db: impl PgExecutor<'_>, order: &SandboxAgreement) -> Result<String, sqlx::Error> {
    sqlx::query_scalar!(
        "insert into sandbox_agreement (id, checkout_id, title, first_cents, price_cents, currency, cycle, success_url,
            cancel_url, state)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open')
        on conflict (checkout_id) do update set checkout_id = excluded.checkout_id returning id",
        order.id,
        order.checkout_id,
        order.title,
        order.first.0,
        order.price.0,
        order.currency,
        order.cycle.as_str(),
        order.success_url,
        order.cancel_url,
    )
    .fetch_one(db)
    .await
}

struct Row {
    id: String,
    checkout_id: Uuid,
    title: String,
    first_cents: i64,
    price_cents: i64,
    currency: String,
    cycle: String,
    success_url: String,
    cancel_url: String,
    state: String,
    declines: bool,
    charges: i32,
    anchor: Option<SqlTimestamp>,
    periods: i32,
    next_charge_at: Option<SqlTimestamp>,
    ends_then: bool,
}

impl TryFrom<Row> for SandboxAgreement {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            checkout_id: row.checkout_id,
            title: row.title,
            first: Cents(row.first_cents),
            price: Cents(row.price_cents),
            currency: row.currency,
            cycle: decode("sandbox_agreement.cycle", &row.cycle)?,
            success_url: row.success_url,
            cancel_url: row.cancel_url,
            state: decode("sandbox_agreement.state", &row.state)?,
            declines: row.declines,
            charges: row.charges,
            anchor: row.anchor.map(SqlTimestamp::to_jiff),
            periods: row.periods,
            next_charge_at: row.next_charge_at.map(SqlTimestamp::to_jiff),
            ends_at_next_charge: row.ends_then,
        })
    }
}

/// An agreement by its id.
pub async fn read(db: impl PgExecutor<'_>, id: &str) -> Result<Option<SandboxAgreement>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, checkout_id, title, first_cents, price_cents, currency, cycle, success_url, cancel_url, state, declines,
            charges, anchor as "anchor: SqlTimestamp", periods, next_charge_at as "next_charge_at: SqlTimestamp", ends_then
        from sandbox_agreement where id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(SandboxAgreement::try_from).transpose()
}

/// Finds an agreement by its id and locks it until the transaction ends.
pub async fn lock(tx: &mut PgConnection, id: &str) -> Result<Option<SandboxAgreement>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, checkout_id, title, first_cents, price_cents, currency, cycle, success_url, cancel_url, state, declines,
            charges, anchor as "anchor: SqlTimestamp", periods, next_charge_at as "next_charge_at: SqlTimestamp", ends_then
        from sandbox_agreement where id = $1 for update"#,
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(SandboxAgreement::try_from).transpose()
}

/// Locks and returns an agreement whose next charge is due. If another process is charging that
/// agreement, the call waits. `None` therefore means that all due agreements are charged.
pub async fn take_due(
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<Option<SandboxAgreement>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, checkout_id, title, first_cents, price_cents, currency, cycle, success_url, cancel_url, state, declines,
            charges, anchor as "anchor: SqlTimestamp", periods, next_charge_at as "next_charge_at: SqlTimestamp", ends_then
        from sandbox_agreement where state = 'active' and next_charge_at <= $1 order by next_charge_at limit 1
        for update"#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    row.map(SandboxAgreement::try_from).transpose()
}

/// Updates an agreement.
pub async fn save(tx: &mut PgConnection, agreement: &SandboxAgreement) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update sandbox_agreement set state = $2, declines = $3, charges = $4, anchor = $5, periods = $6, next_charge_at = $7,
            ends_then = $8, price_cents = $9, cycle = $10 where id = $1",
        agreement.id,
        agreement.state.as_str(),
        agreement.declines,
        agreement.charges,
        agreement.anchor.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        agreement.periods,
        agreement.next_charge_at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        agreement.ends_at_next_charge,
        agreement.price.0,
        agreement.cycle.as_str(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores an event to deliver, if it is not already stored.
pub async fn add_event(
    tx: &mut PgConnection,
    id: &str,
    body: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into sandbox_event (id, body, created_at) values ($1, $2, $3) on conflict do nothing",
        id,
        body,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The ids and bodies of the 100 oldest events that are not delivered yet, oldest first.
pub async fn undelivered_events(db: impl PgExecutor<'_>) -> Result<Vec<(String, String)>, sqlx::Error> {
    let rows = sqlx::query!(
        "select id, body from sandbox_event where told_at is null order by created_at, id limit 100"
    )
    .fetch_all(db)
    .await?;
    Ok(rows.into_iter().map(|row| (row.id, row.body)).collect())
}

/// Marks an event as delivered.
pub async fn mark_delivered(db: impl PgExecutor<'_>, id: &str, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!("update sandbox_event set told_at = $2 where id = $1", id, now.to_sqlx() as SqlTimestamp)
        .execute(db)
        .await?;
    Ok(())
}
