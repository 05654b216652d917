//! Whether some process runs the jobs of the portal, for processes that do not run them.

use jiff::Timestamp;
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgExecutor;

/// Since when the oldest work waits that a job should have done at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WorkerLag {
    /// When the oldest change was made that is not matched yet.
    pub unmatched_since: Option<Timestamp>,
    /// When the oldest mail that is not sent was due.
    pub unsent_since: Option<Timestamp>,
}

/// Reads the oldest waiting work.
pub async fn read(db: impl PgExecutor<'_>) -> Result<WorkerLag, sqlx::Error> {
    let row = sqlx::query!(
        r#"select
            (select at from change where position > (select min(position) from matcher_shard)
                order by position limit 1) as "unmatched_since: SqlTimestamp",
            least(
                (select min(seal_at) from delivery where state = 'open'),
                (select min(try_at) from delivery where state in ('sealed', 'leased', 'retry') and channel = 'email')
            ) as "unsent_since: SqlTimestamp""#
    )
    .fetch_one(db)
    .await?;
    Ok(WorkerLag {
        unmatched_since: row.unmatched_since.map(SqlTimestamp::to_jiff),
        unsent_since: row.unsent_since.map(SqlTimestamp::to_jiff),
    })
}
