//! Queries of `api check`. They only read, and end after a minute at most.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{Executor, PgConnection, PgExecutor, PgPool, Postgres, Transaction};
use uuid::Uuid;

/// The number of examples that a query returns.
const MAX_EXAMPLES: i64 = 100;

/// Begins a read-only transaction on a snapshot, with a time limit for each query.
pub async fn begin(db: &PgPool) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
    let mut tx = super::snapshot(db).await?;
    tx.execute("set local statement_timeout = '60s'").await?;
    Ok(tx)
}

/// The state of the change log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeLogState {
    /// The position of its head.
    pub head: i64,
    /// The number of changes.
    pub changes: i64,
    /// The last position of a change.
    pub last: i64,
    /// Positions that are missing.
    pub gaps: Vec<i64>,
    /// Tenders and alerts whose current revision is not in the log.
    pub unlogged: Vec<(String, Uuid, i64)>,
}

/// Reads the state of the change log.
pub async fn change_log(tx: &mut PgConnection) -> Result<ChangeLogState, sqlx::Error> {
    let log = sqlx::query!(
        r#"select (select position from change_head) as "head!", count(*) as "changes!", coalesce(max(position), 0) as "last!"
        from change"#
    )
    .fetch_one(&mut *tx)
    .await?;
    let gaps = sqlx::query_scalar!(
        r#"select position + 1 as "position!" from (
            select position, lead(position) over (order by position) as next from change
        ) as neighbours where next > position + 1 order by 1 limit $1"#,
        MAX_EXAMPLES,
    )
    .fetch_all(&mut *tx)
    .await?;
    let unlogged = sqlx::query!(
        r#"select subject as "subject!", id as "id!", revision as "revision!" from (
            select 'tender' as subject, id, revision from tender
            union all select 'alert', id, revision from alert
        ) as current
        where not exists (
            select from change c where c.subject = current.subject and c.subject_id = current.id and c.revision = current.revision
        ) limit $1"#,
        MAX_EXAMPLES,
    )
    .fetch_all(tx)
    .await?;
    Ok(ChangeLogState {
        head: log.head,
        changes: log.changes,
        last: log.last,
        gaps,
        unlogged: unlogged.into_iter().map(|row| (row.subject, row.id, row.revision)).collect(),
    })
}

/// Where the matcher is: where the shard is that is behind the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MatcherState {
    /// Its position in the change log.
    pub position: i64,
    /// Whether the log has the positions of all shards.
    pub is_known: bool,
}

/// Reads where the matcher is.
pub async fn matcher(tx: &mut PgConnection) -> Result<MatcherState, sqlx::Error> {
    sqlx::query_as!(
        MatcherState,
        r#"select min(m.position) as "position!", bool_and(m.position = 0 or exists (
            select from change c where c.position = m.position and c.change_id = m.change_id)) as "is_known!"
        from matcher_shard m"#
    )
    .fetch_one(tx)
    .await
}

/// The number of messages that were given up.
pub async fn count_dead(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from delivery where state = 'dead'"#)
        .fetch_one(db)
        .await
}

/// A message that should have left long ago.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OverdueDelivery {
    /// Its id.
    pub id: Uuid,
    /// Its state.
    pub state: String,
    /// Its channel.
    pub channel: String,
    /// Since when it is due, or since when its lease has expired.
    pub since: Timestamp,
    /// The number of attempts.
    pub attempts: i32,
}

/// Messages that have been due since before a moment: collected ones that are not composed, composed
/// ones that are not sent, and leased ones whose lease has expired.
pub async fn overdue_deliveries(
    db: impl PgExecutor<'_>,
    before: Timestamp,
) -> Result<Vec<OverdueDelivery>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, state, channel, coalesce(try_at, seal_at) as "since!: SqlTimestamp", attempts from delivery
        where (state = 'open' and seal_at < $1) or (state in ('sealed', 'retry', 'leased') and try_at < $1)
        order by 4, state, id limit $2"#,
        before.to_sqlx() as SqlTimestamp,
        MAX_EXAMPLES,
    )
    .fetch_all(db)
    .await?;
    let found = rows.into_iter().map(|row| OverdueDelivery {
        id: row.id,
        state: row.state,
        channel: row.channel,
        since: row.since.to_jiff(),
        attempts: row.attempts,
    });
    Ok(found.collect())
}
