//! Which process matches which shard of the alerts, how far each shard is, and the number of shards.
//!
//! A process that matches enters `matcher_process`, and counts its heartbeats there. It is dead when its
//! session has ended, or when another process has seen the same number for some seconds. No clock is
//! compared with another one. Whoever finds a dead process deletes its row, ends its session and takes its
//! shards. Each new holder of a shard increases the epoch of the shard. A transaction of the matcher first
//! locks the row of its shard under its epoch, so an earlier holder that wakes up late cannot write.

use crate::domain::{alert_shard::AlertShard, heartbeats::Heartbeats};
use index::LogPosition;
use sqlx::{Connection, PgConnection, PgExecutor};
use uuid::Uuid;

/// A shard that a process holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldShard {
    /// The shard.
    pub shard: AlertShard,
    /// The number of the holder.
    pub epoch: i64,
}

/// Where a shard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShardState {
    /// The position that the shard has reached.
    pub at: LogPosition,
    /// The position at which the shard stops, because the number of shards changes.
    pub stop_at: Option<i64>,
    /// The position up to which readers were told about changes of saved tenders. Only used by the first of
    /// several shards.
    pub saved_position: i64,
}

/// Enters a process that matches in the session of this connection.
pub async fn enter(connection: &mut PgConnection, process: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into matcher_process (id, pid, session_started_at, session_name, client_address)
        select $1, pid, backend_start, application_name, client_addr
        from pg_stat_activity where pid = pg_backend_pid()
        on conflict (id) do update set pid = excluded.pid, session_started_at = excluded.session_started_at,
            session_name = excluded.session_name, client_address = excluded.client_address",
        process,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Counts a heartbeat of a process. `false`: another process has declared it dead.
pub async fn beat(connection: &mut PgConnection, process: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("update matcher_process set heartbeats = heartbeats + 1 where id = $1", process);
    Ok(done.execute(connection).await?.rows_affected() > 0)
}

/// The heartbeats of all processes.
pub async fn heartbeats(db: impl PgExecutor<'_>) -> Result<Vec<Heartbeats>, sqlx::Error> {
    sqlx::query_as!(Heartbeats, "select id as process, heartbeats as count from matcher_process")
        .fetch_all(db)
        .await
}

/// Removes a process that ends, and releases its shards.
pub async fn leave(connection: &mut PgConnection, process: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with left_shards as (update matcher_shard set holder = null where holder = $1)
        delete from matcher_process where id = $1",
        process
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes processes whose session has ended, and those of `silent` that are still silent. Ends the sessions
/// that they have left, because such a session may hold locks. No job of a silent process works, so all
/// sessions of its jobs are ended.
async fn remove_dead(tx: &mut PgConnection, process: Uuid, silent: &[Heartbeats]) -> Result<(), sqlx::Error> {
    let silent_processes: Vec<Uuid> = silent.iter().map(|heartbeats| heartbeats.process).collect();
    let counts: Vec<i64> = silent.iter().map(|heartbeats| heartbeats.count).collect();
    let ended = sqlx::query_scalar!(
        r#"with dead as (
            delete from matcher_process p
            where p.id <> $1 and (
                (p.id, p.heartbeats) in (select * from unnest($2::uuid[], $3::bigint[]))
                or not exists (
                    select from pg_stat_activity a where a.pid = p.pid and a.backend_start = p.session_started_at
                )
            )
            returning p.pid, p.session_started_at, p.session_name, p.client_address, p.id = any($2) as is_silent
        )
        select pg_terminate_backend(a.pid) as "is_ended!"
        from pg_stat_activity a
        where exists (
            select from dead where (pid = a.pid and session_started_at = a.backend_start) or (
                is_silent and session_name = a.application_name and client_address is not distinct from a.client_addr
                and a.datname = current_database() and a.usename = current_user
                and session_name <> current_setting('application_name'))
        )"#,
        process,
        &silent_processes,
        &counts,
    )
    .fetch_all(tx)
    .await?;
    if !ended.is_empty() {
        tracing::warn!(
            sessions = ended.len(),
            "ended the database sessions of a process that does not respond"
        );
    }
    Ok(())
}

/// Takes free shards, and releases some if the process holds more than its part. Each living process has
/// an equal part of the shards. Returns the shards that the process holds now. `None`: another
/// process has declared this one dead. Of several free shards, the process takes `prepared` first. The
/// processes that have been silent for too long are `silent`.
pub async fn take_part(
    connection: &mut PgConnection,
    process: Uuid,
    silent: &[Heartbeats],
    prepared: Option<AlertShard>,
) -> Result<Option<Vec<HeldShard>>, sqlx::Error> {
    let mut tx = connection.begin().await?;
    remove_dead(&mut tx, process, silent).await?;
    let part = sqlx::query_scalar!(
        r#"select ceil((select count(*) from matcher_shard)::float8 / count(*))::bigint as "part!"
        from matcher_process having bool_or(id = $1)"#,
        process
    );
    let Some(part) = part.fetch_optional(&mut *tx).await? else { return Ok(None) };
    let held =
        sqlx::query_scalar!(r#"select count(*) as "held!" from matcher_shard where holder = $1"#, process);
    let held = held.fetch_one(&mut *tx).await?;
    if held < part {
        sqlx::query!(
            "update matcher_shard set holder = $1, epoch = epoch + 1 where shard in (
                select shard from matcher_shard s
                where s.holder is null or not exists (select from matcher_process p where p.id = s.holder)
                order by s.shard is distinct from $2, s.shard limit $3 for update skip locked
            )",
            process,
            prepared.map(|shard| shard.number),
            part - held,
        )
        .execute(&mut *tx)
        .await?;
    } else if held > part {
        sqlx::query!(
            "update matcher_shard set holder = null where shard in (
                select shard from matcher_shard where holder = $1 order by shard desc limit $2 for update
            )",
            process,
            held - part,
        )
        .execute(&mut *tx)
        .await?;
    }
    let rows = sqlx::query!(
        "select shard, shards, epoch from matcher_shard where holder = $1 order by shard",
        process
    );
    let held = rows.fetch_all(&mut *tx).await?.into_iter().map(|row| HeldShard {
        shard: AlertShard { number: row.shard, count: row.shards },
        epoch: row.epoch,
    });
    tx.commit().await?;
    Ok(Some(held.collect()))
}

/// The shard for which a process without shards stands by. The processes that stand by are spread over the
/// shards.
pub async fn standby_shard(
    db: impl PgExecutor<'_>,
    process: Uuid,
) -> Result<Option<AlertShard>, sqlx::Error> {
    let row = sqlx::query!(
        "select s.shard, s.shards from matcher_shard s
        where s.shard = (
            select count(*) from matcher_process p
            where p.id < $1 and not exists (select from matcher_shard other where other.holder = p.id)
        ) % s.shards",
        process
    );
    let row = row.fetch_optional(db).await?;
    Ok(row.map(|row| AlertShard { number: row.shard, count: row.shards }))
}

/// The position that a shard has reached. `None`: the number of shards has changed.
pub async fn position(
    db: impl PgExecutor<'_>,
    shard: AlertShard,
) -> Result<Option<LogPosition>, sqlx::Error> {
    let row = sqlx::query!(
        "select position, change_id from matcher_shard where shard = $1 and shards = $2",
        shard.number,
        shard.count,
    );
    let row = row.fetch_optional(db).await?;
    Ok(row.map(|row| LogPosition { position: row.position, change_id: row.change_id }))
}

/// The position that all shards have reached.
pub async fn least_position(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select min(position) as "position!" from matcher_shard"#).fetch_one(db).await
}

/// Locks a shard until the transaction ends, and returns where it is. `None`: the process no longer
/// holds the shard.
pub async fn lock(tx: &mut PgConnection, held: HeldShard) -> Result<Option<ShardState>, sqlx::Error> {
    let row = sqlx::query!(
        "select position, change_id, stop_at, saved_position from matcher_shard
        where shard = $1 and shards = $2 and epoch = $3 for update",
        held.shard.number,
        held.shard.count,
        held.epoch,
    );
    let row = row.fetch_optional(tx).await?;
    Ok(row.map(|row| ShardState {
        at: LogPosition { position: row.position, change_id: row.change_id },
        stop_at: row.stop_at,
        saved_position: row.saved_position,
    }))
}

/// Records the position that a locked shard has reached.
pub async fn record_position(
    tx: &mut PgConnection,
    shard: AlertShard,
    to: LogPosition,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update matcher_shard set position = $2, change_id = $3 where shard = $1",
        shard.number,
        to.position,
        to.change_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records the position up to which readers were told about changes of saved tenders.
pub async fn record_saved_position(
    tx: &mut PgConnection,
    shard: AlertShard,
    position: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update matcher_shard set saved_position = $2 where shard = $1", shard.number, position)
        .execute(tx)
        .await?;
    Ok(())
}

/// Divides the alerts into another number of shards. If the shards are at different positions, they first
/// go on to the greatest one, and [`finish_division`] then divides the alerts. `false`: a transaction
/// uses a shard, so nothing was done.
pub async fn divide(connection: &mut PgConnection, count: i32) -> Result<bool, sqlx::Error> {
    let mut tx = connection.begin().await?;
    let Some(division) = lock_division(&mut tx).await? else { return Ok(false) };
    if division.target() != count {
        let is_change = division.count != count;
        sqlx::query!(
            "update matcher_shard set epoch = epoch + 1, holder = null, stop_at = $1, next_shards = $2",
            is_change.then_some(division.last_position),
            is_change.then_some(count),
        )
        .execute(&mut *tx)
        .await?;
        finish(&mut tx).await?;
    }
    tx.commit().await?;
    Ok(true)
}

/// Divides the alerts as [`divide`] has asked for, if all shards have reached the same position.
pub async fn finish_division(connection: &mut PgConnection) -> Result<(), sqlx::Error> {
    let mut tx = connection.begin().await?;
    finish(&mut tx).await?;
    tx.commit().await
}

/// How the alerts are divided.
struct Division {
    count: i32,
    next_count: Option<i32>,
    first_position: i64,
    last_position: i64,
    stop_at: Option<i64>,
    /// Up to where readers of saved tenders were told about changes.
    saved_position: i64,
}

impl Division {
    /// The number of shards after a change that is under way.
    fn target(&self) -> i32 {
        self.next_count.unwrap_or(self.count)
    }

    fn is_at_stop(&self) -> bool {
        self.stop_at == Some(self.first_position)
            && self.first_position == self.last_position
            && self.first_position == self.saved_position
    }
}

/// Locks all shards. `None`: another transaction has locked one of them.
async fn lock_division(tx: &mut PgConnection) -> Result<Option<Division>, sqlx::Error> {
    let rows = sqlx::query!(
        "select shards, next_shards, stop_at, position, saved_position from matcher_shard
        order by shard for update skip locked"
    );
    let rows = rows.fetch_all(tx).await?;
    let Some(first) = rows.first() else { return Ok(None) };
    if i32::try_from(rows.len()).ok() != Some(first.shards) {
        return Ok(None);
    }
    let positions = || rows.iter().map(|row| row.position);
    Ok(Some(Division {
        count: first.shards,
        next_count: first.next_shards,
        first_position: positions().min().unwrap_or(first.position),
        last_position: positions().max().unwrap_or(first.position),
        stop_at: first.stop_at,
        // The only shard tells the readers of saved tenders in the same transaction.
        saved_position: if rows.len() == 1 { first.position } else { first.saved_position },
    }))
}

async fn finish(tx: &mut PgConnection) -> Result<(), sqlx::Error> {
    let Some(division) = lock_division(&mut *tx).await?.filter(Division::is_at_stop) else { return Ok(()) };
    let Some(count) = division.next_count else { return Ok(()) };
    let old = sqlx::query!(
        r#"select position, change_id, (select min(closing_day) from matcher_shard) as "day: jiff_sqlx::Date",
            (select max(epoch) from matcher_shard) as "epoch!"
        from matcher_shard where shard = 0"#
    )
    .fetch_one(&mut *tx)
    .await?;
    sqlx::query!("delete from matcher_shard").execute(&mut *tx).await?;
    sqlx::query!(
        "insert into matcher_shard (shard, shards, position, change_id, closing_day, epoch, saved_position)
        select shard, $1, $2, $3, $4, $5, $2 from generate_series(0, $1 - 1) as new (shard)",
        count,
        old.position,
        old.change_id,
        old.day as Option<jiff_sqlx::Date>,
        old.epoch + 1,
    )
    .execute(&mut *tx)
    .await?;
    // A count that the earlier shards have begun starts again.
    sqlx::query!("update review_item set counted_shards = 0, counted_at = null where counted_shards > 0")
        .execute(tx)
        .await?;
    tracing::info!(from = division.count, to = count, "divided the alerts into shards");
    Ok(())
}
