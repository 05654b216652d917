//! What happened to bids.

use super::person;
use crate::{
    domain::bid::{BidEvent, BidEventKind, EventDetails, MAX_EVENTS},
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Adds an event to the history of a bid, and deletes the events that are too many. The caller holds
/// the lock of the board.
pub async fn insert(
    tx: &mut PgConnection,
    (bid_id, actor_id): (Uuid, Uuid),
    kind: BidEventKind,
    details: &EventDetails,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid_event (bid_id, number, at, actor_id, kind, before, after, subject_id)
        select $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, $7 from bid_event where bid_id = $1",
        bid_id,
        now.to_sqlx() as SqlTimestamp,
        actor_id,
        <&str>::from(kind),
        details.before,
        details.after,
        details.subject_id,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from bid_event where bid_id = $1
            and number <= (select max(number) from bid_event where bid_id = $1) - $2",
        bid_id,
        MAX_EVENTS,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The history of a bid, the last event first.
pub async fn of_bid(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<Vec<BidEvent>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select e.at as "at: SqlTimestamp", e.kind, e.before, e.after,
            a.id as "actor_id?", a.first_name || ' ' || a.last_name as "actor_name?",
            s.id as "subject_id?", s.first_name || ' ' || s.last_name as "subject_name?"
        from bid_event e left join users a on a.id = e.actor_id left join users s on s.id = e.subject_id
        where e.bid_id = $1 order by e.number desc"#,
        bid_id,
    )
    .fetch_all(db)
    .await?;
    let events = rows.into_iter().map(|row| {
        Ok(BidEvent {
            at: row.at.to_jiff(),
            actor: person(row.actor_id, row.actor_name),
            kind: decode("bid_event.kind", &row.kind)?,
            before: row.before,
            after: row.after,
            subject: person(row.subject_id, row.subject_name),
        })
    });
    events.collect()
}
