//! Notes on bids.

use super::person;
use crate::domain::bid::BidNote;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Adds a note to a bid.
pub async fn insert(
    tx: &mut PgConnection,
    (id, bid_id, author_id): (Uuid, Uuid, Uuid),
    text: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into bid_note (id, bid_id, author_id, text, created_at) values ($1, $2, $3, $4, $5)",
        id,
        bid_id,
        author_id,
        text,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The number of notes of a bid.
pub async fn count(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from bid_note where bid_id = $1"#, bid_id)
        .fetch_one(db)
        .await
}

/// The author of a note of a bid. `None`: the bid has no such note. `Some(None)`: the author's
/// account was deleted.
pub async fn author_of(
    db: impl PgExecutor<'_>,
    bid_id: Uuid,
    id: Uuid,
) -> Result<Option<Option<Uuid>>, sqlx::Error> {
    sqlx::query_scalar!("select author_id from bid_note where bid_id = $1 and id = $2", bid_id, id)
        .fetch_optional(db)
        .await
}

/// Deletes a note of a bid.
pub async fn remove(db: impl PgExecutor<'_>, bid_id: Uuid, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid_note where bid_id = $1 and id = $2", bid_id, id).execute(db).await?;
    Ok(())
}

/// The notes of a bid, the last one first.
pub async fn of_bid(db: impl PgExecutor<'_>, bid_id: Uuid) -> Result<Vec<BidNote>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select n.id, n.text, n.created_at as "created_at: SqlTimestamp", u.id as "author_id?",
            u.first_name || ' ' || u.last_name as "author_name?"
        from bid_note n left join users u on u.id = n.author_id
        where n.bid_id = $1 order by n.created_at desc, n.id desc"#,
        bid_id,
    )
    .fetch_all(db)
    .await?;
    let notes = rows.into_iter().map(|row| BidNote {
        id: row.id,
        author: person(row.author_id, row.author_name),
        text: row.text,
        created_at: row.created_at.to_jiff(),
    });
    Ok(notes.collect())
}
