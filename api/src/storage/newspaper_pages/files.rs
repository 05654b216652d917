//! The files of newspaper pages. Their bytes are stored by `crate::clients::file_store`.

use crate::domain::newspaper_page::PageFile;
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// Adds a file. Returns `None` if a file with this hash exists.
pub async fn insert(
    tx: &mut PgConnection,
    file: &PageFile,
    is_stored: bool,
    at: Timestamp,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "insert into page_file (id, hash, name, media_type, size, publication, issue_date, is_stored, created_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (hash) do nothing returning id",
        file.id,
        file.hash,
        file.name,
        file.media_type,
        file.size,
        file.publication,
        file.issue_date.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        is_stored,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await
}

/// A file whose row stays locked until the transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockedFile {
    /// The id of the file.
    pub id: Uuid,
    /// The number of pages, if it is known.
    pub page_count: Option<i32>,
    /// Whether the portal has the bytes.
    pub is_stored: bool,
}

/// Locks the file with this hash until the transaction ends.
pub async fn lock(tx: &mut PgConnection, hash: &str) -> Result<Option<LockedFile>, sqlx::Error> {
    sqlx::query_as!(
        LockedFile,
        "select id, page_count, is_stored from page_file where hash = $1 for update",
        hash
    )
    .fetch_optional(tx)
    .await
}

/// Records that the portal has the bytes of a file.
pub async fn mark_stored(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update page_file set is_stored = true where id = $1", id).execute(tx).await?;
    Ok(())
}

/// Records the number of pages of a file. Returns whether it was unknown.
pub async fn set_page_count(
    tx: &mut PgConnection,
    file_id: Uuid,
    page_count: i32,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query!(
        "update page_file set page_count = $2 where id = $1 and page_count is null",
        file_id,
        page_count
    );
    Ok(changed.execute(tx).await?.rows_affected() > 0)
}

/// The hash of the file of a page. `None`: the page is unknown, or the portal does not have its file.
pub async fn hash_of_page(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select f.hash from page p join page_file f on f.id = p.file_id where p.id = $1 and f.is_stored",
        id
    )
    .fetch_optional(db)
    .await
}

/// The file of a page, and whether the portal has its bytes.
pub async fn of_page(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<(Uuid, bool)>, sqlx::Error> {
    let row = sqlx::query!(
        "select f.id, f.is_stored from page p join page_file f on f.id = p.file_id where p.id = $1",
        id
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.id, row.is_stored)))
}

/// Sets the newspaper and the issue date of a file whose pages the caller holds. All its pages wait for
/// a worker, as if they had never been tried; their results stay until then, but not what was read
/// about the issue.
pub async fn set_issue(
    tx: &mut PgConnection,
    file_id: Uuid,
    publication: &str,
    date: Option<Day>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update page_file set publication = $2, issue_date = $3 where id = $1",
        file_id,
        publication,
        date.map(ToSqlx::to_sqlx) as Option<SqlDate>,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update page set state = 'waiting', attempts = 0, due_at = $2, lease_id = null, lease_until = null,
            worker = null, failure = null, publication = null, issue_date = null
        where file_id = $1",
        file_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Those of the hashes that a file or a picture needs.
pub async fn used_hashes(db: impl PgExecutor<'_>, hashes: &[String]) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select hash as "hash!" from page_file where hash = any($1) and is_stored
        union select picture from page where picture = any($1)"#,
        hashes
    )
    .fetch_all(db)
    .await
}
