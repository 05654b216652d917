//! Leases of newspaper pages. A lease gives a page to one worker for a limited time. The page of an
//! expired lease goes to another worker.

use super::newspaper_pages::VANISHED;
use crate::domain::newspaper_page::{MAX_ATTEMPTS, PageFile};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// A worker's demand for a page.
#[derive(Debug, Clone, Copy)]
pub struct NewLease<'a> {
    /// The id of the lease.
    pub id: Uuid,
    /// The name of the worker.
    pub worker: &'a str,
    /// The end of the lease.
    pub until: Timestamp,
    /// Whether the worker knows the boxes about which people have decided.
    pub reads_boxes: bool,
}

/// The page of a lease.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeasedPage {
    /// The id of the page.
    pub id: Uuid,
    /// The page in the file, from 1.
    pub number: i32,
    /// How often a worker has tried to read the page, with this time.
    pub attempts: i32,
    /// Whether the lease's worker has sent the result.
    pub is_read: bool,
    /// The file.
    pub file: PageFile,
}

/// Records that a worker asks for a page, and forgets workers that have not asked since `before`.
pub async fn note_worker(
    tx: &mut PgConnection,
    worker: &str,
    before: Timestamp,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into page_worker (name, asked_at) values ($1, $2)
        on conflict (name) do update set asked_at = excluded.asked_at",
        worker,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from page_worker where asked_at < $1", before.to_sqlx() as SqlTimestamp)
        .execute(tx)
        .await?;
    Ok(())
}

/// Ends the leases that have expired. Their pages are tried again or set aside.
pub async fn end_expired(tx: &mut PgConnection, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update page set state = case when attempts >= $2 then 'set-aside' else 'failed' end, due_at = $1,
            failure = $3, lease_id = null, lease_until = null
        where id in (
            select id from page where state = 'leased' and lease_until <= $1 for update skip locked
        )",
        now.to_sqlx() as SqlTimestamp,
        MAX_ATTEMPTS,
        VANISHED,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Gives the oldest waiting page to a worker. Pages that another transaction holds are skipped. A
/// worker of an earlier version gets no page with boxes about which people have decided.
pub async fn take(
    tx: &mut PgConnection,
    lease: NewLease<'_>,
    now: Timestamp,
) -> Result<Option<LeasedPage>, sqlx::Error> {
    let taken = sqlx::query!(
        "update page set state = 'leased', lease_id = $1, lease_until = $2, worker = $3, attempts = attempts + 1
        where id = (
            select id from page where state in ('waiting', 'failed') and due_at <= $4
                and ($5 or not exists (select from page_box b where b.page_id = page.id))
            order by file_id, number limit 1 for update skip locked
        )",
        lease.id,
        lease.until.to_sqlx() as SqlTimestamp,
        lease.worker,
        now.to_sqlx() as SqlTimestamp,
        lease.reads_boxes,
    );
    if taken.execute(&mut *tx).await?.rows_affected() == 0 {
        return Ok(None);
    }
    find(tx, lease.id).await
}

/// The page of a lease; `None` if the lease was lost. A lease that has expired is valid until its
/// page is given away.
pub async fn find(db: impl PgExecutor<'_>, lease: Uuid) -> Result<Option<LeasedPage>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select p.id, p.number, p.attempts, p.state = 'read' as "is_read!", f.id as file_id, f.hash, f.name,
            f.media_type, f.size, f.publication, f.issue_date as "issue_date: SqlDate"
        from page p join page_file f on f.id = p.file_id where p.lease_id = $1"#,
        lease
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| LeasedPage {
        id: row.id,
        number: row.number,
        attempts: row.attempts,
        is_read: row.is_read,
        file: PageFile {
            id: row.file_id,
            hash: row.hash,
            name: row.name,
            media_type: row.media_type,
            size: row.size,
            publication: row.publication,
            issue_date: row.issue_date.map(SqlDate::to_jiff),
        },
    }))
}

/// Like [`find`], and locks the page until the transaction ends.
pub async fn lock(tx: &mut PgConnection, lease: Uuid) -> Result<Option<LeasedPage>, sqlx::Error> {
    sqlx::query!("select id from page where lease_id = $1 for update", lease)
        .fetch_optional(&mut *tx)
        .await?;
    find(tx, lease).await
}

/// Extends a lease. Returns whether the lease is valid and its page unread.
pub async fn extend(db: impl PgExecutor<'_>, lease: Uuid, until: Timestamp) -> Result<bool, sqlx::Error> {
    let extended = sqlx::query!(
        "update page set lease_until = $2 where lease_id = $1 and state = 'leased'",
        lease,
        until.to_sqlx() as SqlTimestamp,
    );
    Ok(extended.execute(db).await?.rows_affected() > 0)
}

/// Ends a lease with a failure. The page is tried again at `due_at`, or set aside after the last
/// attempt.
pub async fn fail(
    tx: &mut PgConnection,
    lease: Uuid,
    failure: &str,
    due_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update page set state = case when attempts >= $4 then 'set-aside' else 'failed' end, due_at = $3,
            failure = $2, lease_id = null, lease_until = null
        where lease_id = $1 and state = 'leased'",
        lease,
        failure,
        due_at.to_sqlx() as SqlTimestamp,
        MAX_ATTEMPTS,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Gives the page of a lease back, as if the worker had not taken it.
pub async fn give_back(tx: &mut PgConnection, lease: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update page set state = 'waiting', attempts = attempts - 1, due_at = $2, lease_id = null,
            lease_until = null, worker = null
        where lease_id = $1 and state = 'leased'",
        lease,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
