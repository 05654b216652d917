//! Which process writes to a search index that all processes share, and which indexes this portal has built.
//! The writer counts its heartbeats here. If they stop, another process takes its place. A writer that wakes up
//! late does no harm, because the cluster refuses documents that are older than the stored ones.

use crate::domain::heartbeats::Heartbeats;
use sqlx::{PgExecutor, PgPool};
use uuid::Uuid;

/// The Postgres notification channel for those who watch a shared index. The payload is its name.
pub const CHANNEL: &str = "index_change";

/// The heartbeats of the process that writes to an index. `None`: no process does.
pub async fn writer(db: impl PgExecutor<'_>, index: &str) -> Result<Option<Heartbeats>, sqlx::Error> {
    sqlx::query_as!(
        Heartbeats,
        "select process, heartbeats as count from index_writer where index_name = $1",
        index
    )
    .fetch_optional(db)
    .await
}

/// Makes a process the writer of an index. This succeeds if the index has no writer, or if its writer still has
/// the heartbeats `dead`. Returns whether the process is the writer now.
pub async fn claim(
    db: &PgPool,
    index: &str,
    process: Uuid,
    dead: Option<Heartbeats>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "insert into index_writer as w (index_name, process) values ($1, $2)
        on conflict (index_name) do update set process = excluded.process, heartbeats = w.heartbeats + 1
            where w.process = $3 and w.heartbeats = $4",
        index,
        process,
        dead.map(|heartbeats| heartbeats.process),
        dead.map(|heartbeats| heartbeats.count),
    );
    Ok(done.execute(db).await?.rows_affected() > 0)
}

/// Counts a heartbeat. `false`: another process writes to the index now.
pub async fn beat(db: &PgPool, index: &str, process: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "update index_writer set heartbeats = heartbeats + 1 where index_name = $1 and process = $2",
        index,
        process
    );
    Ok(done.execute(db).await?.rows_affected() > 0)
}

/// Lets another process write to an index, and wakes those who watch it.
pub async fn release(db: &PgPool, index: &str, process: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from index_writer where index_name = $1 and process = $2", index, process)
        .execute(db)
        .await?;
    announce(db, index).await
}

/// Records that this portal builds an index.
pub async fn record_built(db: &PgPool, index: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("insert into built_index (index_name) values ($1) on conflict do nothing", index)
        .execute(db)
        .await?;
    Ok(())
}

/// Whether this portal has built an index.
pub async fn has_built(db: &PgPool, index: &str) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from built_index where index_name = $1) as "has_built!""#,
        index
    )
    .fetch_one(db)
    .await
}

/// Tells those who watch an index that it has changed.
pub async fn announce(db: &PgPool, index: &str) -> Result<(), sqlx::Error> {
    sqlx::query!(r#"select pg_notify($1, $2) as "done""#, CHANNEL, index).execute(db).await?;
    Ok(())
}
