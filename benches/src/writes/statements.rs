//! The statements of a transaction, as the portal sends them, and of the designs that it is compared with.

use anyhow::{Context, Result};
use postgres::{Client, Statement, Transaction};
use uuid::Uuid;

/// How changes get their places in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Log {
    /// As in the portal: the last statement of a transaction locks the head of the log.
    Head,
    /// The changes get no places. This shows what the lock costs.
    None,
    /// The changes are queued, and another connection moves them to the log, many at once.
    Queue,
}

/// The table of [`Log::Queue`].
pub(super) const PREPARE: &str = "
    create table change_queue (
        nth bigint generated always as identity primary key,
        change_id uuid not null, subject_id uuid not null, revision bigint not null, at timestamptz not null
    )";

const REVISE: &str = "update tender set revision = revision + 1, updated_at = clock_timestamp()
    where id = $1::text::uuid returning revision";

const STORE: &str = "insert into tender_revision (tender_id, revision, record, at)
    values ($1::text::uuid, $2, $3::text::jsonb, clock_timestamp())";

/// Of `api/src/storage/changes.rs`.
const APPEND: &str = "
    with added as (
        select * from unnest($1::text[]::uuid[], $2::text[]::uuid[], $3::bigint[]) with ordinality as a (change_id, subject_id, revision, nth)
    ), head as (
        update change_head set position = position + cardinality($1), change_id = ($1::text[])[cardinality($1)]::uuid
        returning position
    ), logged as (
        insert into change (position, change_id, subject, subject_id, revision, at)
        select head.position - cardinality($1) + nth, change_id, 'tender', subject_id, revision, clock_timestamp()
        from added, head
        returning position
    )
    select pg_notify('change', count(*)::text) from logged";

const ENQUEUE: &str = "
    insert into change_queue (change_id, subject_id, revision, at)
    select *, clock_timestamp() from unnest($1::text[]::uuid[], $2::text[]::uuid[], $3::bigint[])";

/// Moves queued changes to the log. Returns their number, and how long the first one has waited, in seconds.
const MOVE: &str = "
    with next as (
        select nth from change_queue order by nth limit 1000
    ), taken as (
        delete from change_queue q using next where q.nth = next.nth returning q.*
    ), numbered as (
        select *, row_number() over (order by nth) as place from taken
    ), head as (
        update change_head set position = position + (select count(*) from taken),
            change_id = (select change_id from taken order by nth desc limit 1)
        where exists (select from taken)
        returning position
    ), logged as (
        insert into change (position, change_id, subject, subject_id, revision, at)
        select head.position - (select count(*) from taken) + place, change_id, 'tender', subject_id, revision, at
        from numbered, head
        returning at
    ), woken as (
        select pg_notify('change', count(*)::text) from logged having count(*) > 0
    )
    select count(*), extract(epoch from clock_timestamp() - min(at))::float8, (select count(*) from woken) from logged";

/// Of `api/src/storage/request_counts.rs`: counts a request of a caller for all servers. The table is not
/// logged, so no commit waits for the disk.
const COUNT: &str = "
    insert into request_count as stored (key, full_at) values ($1, $5::bigint + $2::bigint * $3::bigint)
    on conflict (key) do update set full_at = greatest(stored.full_at, $5) + $2 * $3
        where stored.full_at - $5 <= ($4::bigint - $2) * $3";

/// A connection with prepared statements.
pub(super) struct Writer {
    client: Client,
    revise: Statement,
    store: Statement,
    append: Statement,
    enqueue: Statement,
    count: Statement,
}

impl Writer {
    /// Prepares the statements. `flush_us` is added to the time that a commit needs to reach the disk.
    pub(super) fn new(mut client: Client, flush_us: u32) -> Result<Self> {
        client.batch_execute(&format!("set commit_delay = {flush_us}; set commit_siblings = 0"))?;
        let mut prepare = |sql: &str| client.prepare(sql).with_context(|| sql.to_owned());
        let (revise, store) = (prepare(REVISE)?, prepare(STORE)?);
        let (append, enqueue, count) = (prepare(APPEND)?, prepare(ENQUEUE)?, prepare(COUNT)?);
        Ok(Self { client, revise, store, append, enqueue, count })
    }

    /// Changes tenders in one transaction.
    pub(super) fn change(&mut self, tenders: &[(&str, &str)], log: Log) -> Result<()> {
        let mut tx = self.client.transaction()?;
        let mut numbers = Vec::with_capacity(tenders.len());
        for (id, record) in tenders {
            let revision: i64 = tx.query_one(&self.revise, &[id])?.get(0);
            tx.execute(&self.store, &[id, &revision, record])?;
            numbers.push(revision);
        }
        let ids: Vec<&str> = tenders.iter().map(|(id, _)| *id).collect();
        let added = |tx: &mut Transaction<'_>, statement: &Statement| -> Result<()> {
            let changes: Vec<String> =
                tenders.iter().map(|_| Uuid::from_u128(rand::random()).to_string()).collect();
            tx.query(statement, &[&changes, &ids, &numbers])?;
            Ok(())
        };
        match log {
            Log::Head => added(&mut tx, &self.append)?,
            Log::Queue => added(&mut tx, &self.enqueue)?,
            Log::None => {}
        }
        Ok(tx.commit()?)
    }

    /// Counts a request of a caller, whose limit is not reached.
    pub(super) fn count(&mut self, caller: &[u8]) -> Result<()> {
        let (requests, refill_us, limit, now) = (1_i64, 1_i64, 1_000_000_000_000_i64, 0_i64);
        self.client.execute(&self.count, &[&caller, &requests, &refill_us, &limit, &now])?;
        Ok(())
    }
}

/// The connection that moves queued changes to the log.
pub(super) struct Sequencer {
    client: Client,
    take: Statement,
}

impl Sequencer {
    pub(super) fn new(mut client: Client, flush_us: u32) -> Result<Self> {
        client.batch_execute(&format!("set commit_delay = {flush_us}; set commit_siblings = 0"))?;
        let take = client.prepare(MOVE)?;
        Ok(Self { client, take })
    }

    /// Moves up to a thousand changes. Returns their number, and the seconds that the first one waited until
    /// it was committed, without the commit.
    pub(super) fn take(&mut self) -> Result<(i64, f64)> {
        let row = self.client.query_one(&self.take, &[])?;
        Ok((row.get(0), row.get::<_, Option<f64>>(1).unwrap_or_default()))
    }
}
