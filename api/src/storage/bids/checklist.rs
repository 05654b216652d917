//! The checklists of bids: ticks, and the rows that users added.

use super::person;
use crate::domain::bid::checklist::{OwnRow, Tick};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use std::collections::HashMap;
use uuid::Uuid;

/// The ticks of a bid by the keys of their rows.
pub async fn ticks(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<HashMap<String, Tick>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select k.row_key as "row_key!", k.fingerprint as "fingerprint!", k.at as "at!: SqlTimestamp", u.id as "actor_id?",
            u.first_name || ' ' || u.last_name as "actor_name?"
        from bid_tick k left join users u on u.id = k.actor_id where k.bid_id = $1"#,
        bid_id,
    )
    .fetch_all(db)
    .await?;
    let ticks = rows.into_iter().map(|row| {
        let tick = Tick {
            fingerprint: row.fingerprint,
            at: row.at.to_jiff(),
            actor: person(row.actor_id, row.actor_name),
        };
        (row.row_key, tick)
    });
    Ok(ticks.collect())
}

/// Ticks a row. A row that is ticked keeps its time, unless its value has changed.
pub async fn tick(
    tx: &mut PgConnection,
    (bid_id, actor_id): (Uuid, Uuid),
    (row_key, fingerprint): (&str, &str),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid_tick (bid_id, row_key, fingerprint, at, actor_id) values ($1, $2, $3, $4, $5)
        on conflict (bid_id, row_key) do update
        set fingerprint = excluded.fingerprint, at = excluded.at, actor_id = excluded.actor_id
        where bid_tick.fingerprint <> excluded.fingerprint",
        bid_id,
        row_key,
        fingerprint,
        now.to_sqlx() as SqlTimestamp,
        actor_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Removes the tick of a row.
pub async fn remove_tick(tx: &mut PgConnection, bid_id: Uuid, row_key: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid_tick where bid_id = $1 and row_key = $2", bid_id, row_key)
        .execute(tx)
        .await?;
    Ok(())
}

/// The rows that users added to a bid, the first one first.
pub async fn own_rows(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<Vec<OwnRow>, sqlx::Error> {
    sqlx::query_as!(
        OwnRow,
        "select id, title from bid_checklist_row where bid_id = $1 order by created_at, id",
        bid_id
    )
    .fetch_all(db)
    .await
}

/// Adds a row to a bid.
pub async fn insert_row(
    tx: &mut PgConnection,
    (id, bid_id): (Uuid, Uuid),
    title: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid_checklist_row (id, bid_id, title, created_at) values ($1, $2, $3, $4)",
        id,
        bid_id,
        title,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes an added row of a bid.
pub async fn remove_row(tx: &mut PgConnection, bid_id: Uuid, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid_checklist_row where bid_id = $1 and id = $2", bid_id, id)
        .execute(tx)
        .await?;
    Ok(())
}
