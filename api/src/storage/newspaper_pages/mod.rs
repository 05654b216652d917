//! Newspaper pages and their state. The pictures of the pages are stored by
//! `crate::clients::page_picture`.

pub mod blocks;
pub mod files;

use super::enum_column::decode;
use crate::domain::newspaper_page::{
    MAX_ATTEMPTS, NewspaperPage, PageFilter, PagePosition, PageState, PageWork,
};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::BTreeMap;
use tender_model::page_reading::{BlockOutcome, PageReading};
use uuid::Uuid;

/// The failure of a page whose worker let the lease expire.
pub const VANISHED: &str = "The worker stopped without a word";

/// Adds a waiting page to a file, unless the file has this page.
pub async fn insert_page(
    tx: &mut PgConnection,
    id: Uuid,
    file_id: Uuid,
    number: i32,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into page (id, file_id, number, state, due_at, created_at)
        values ($1, $2, $3, 'waiting', $4, $4) on conflict (file_id, number) do nothing",
        id,
        file_id,
        number,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: Uuid,
    file_id: Uuid,
    file_name: String,
    is_stored: bool,
    number: i32,
    page_count: Option<i32>,
    state: String,
    has_expired: bool,
    attempts: i32,
    worker: Option<String>,
    failure: Option<String>,
    publication: String,
    issue_date: Option<SqlDate>,
    picture: Option<String>,
    created_at: SqlTimestamp,
    read_at: Option<SqlTimestamp>,
    outcomes: Json<BTreeMap<String, i64>>,
}

impl TryFrom<Row> for NewspaperPage {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let outcomes = row
            .outcomes
            .0
            .into_iter()
            .map(|(outcome, count)| Ok((decode::<BlockOutcome>("page_block.outcome", &outcome)?, count)));
        Ok(Self {
            id: row.id,
            file_id: row.file_id,
            file_name: row.file_name,
            is_stored: row.is_stored,
            number: row.number,
            page_count: row.page_count,
            state: decode("page.state", &row.state)?,
            attempts: row.attempts,
            worker: row.worker,
            failure: if row.has_expired { Some(VANISHED.to_owned()) } else { row.failure },
            publication: row.publication,
            issue_date: row.issue_date.map(SqlDate::to_jiff),
            picture: row.picture,
            created_at: row.created_at.to_jiff(),
            read_at: row.read_at.map(SqlTimestamp::to_jiff),
            outcomes: outcomes.collect::<Result<_, sqlx::Error>>()?,
        })
    }
}

/// At most `limit` pages after the place `after`: the latest file first, each with its pages in
/// order.
pub async fn page(
    db: impl PgExecutor<'_>,
    filter: &PageFilter,
    after: Option<PagePosition>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<NewspaperPage>, sqlx::Error> {
    select(db, None, filter, after, limit, now).await
}

/// A page.
pub async fn find(
    db: impl PgExecutor<'_>,
    id: Uuid,
    now: Timestamp,
) -> Result<Option<NewspaperPage>, sqlx::Error> {
    Ok(select(db, Some(id), &PageFilter::default(), None, 1, now).await?.pop())
}

async fn select(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    filter: &PageFilter,
    after: Option<PagePosition>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<NewspaperPage>, sqlx::Error> {
    // A page whose lease has expired is shown as failed, also before the next worker finds it. Ids
    // are UUIDv7, so files are in the order in which they were added.
    let rows = sqlx::query_as!(
        Row,
        r#"select s.id as "id!", s.file_id as "file_id!", s.file_name as "file_name!", s.is_stored as "is_stored!",
            s.number as "number!", s.page_count, s.state as "state!", s.has_expired as "has_expired!",
            s.attempts as "attempts!", s.worker, s.failure, s.publication as "publication!",
            s.issue_date as "issue_date: SqlDate", s.picture, s.created_at as "created_at!: SqlTimestamp",
            s.read_at as "read_at: SqlTimestamp",
            (select coalesce(jsonb_object_agg(c.outcome, c.blocks), '{}') from
                (select outcome, count(*) as blocks from page_block_now b where b.page_id = s.id group by outcome) c
            ) as "outcomes!: Json<BTreeMap<String, i64>>"
        from (
            select p.id, p.file_id, f.name as file_name, f.is_stored, p.number, f.page_count, p.attempts, p.worker,
                p.failure, p.picture, p.created_at, p.read_at,
                coalesce(nullif(p.publication, ''), f.publication) as publication,
                coalesce(p.issue_date, f.issue_date) as issue_date,
                p.state = 'leased' and p.lease_until <= $7 as has_expired,
                case when p.state = 'leased' and p.lease_until <= $7
                    then case when p.attempts >= $8 then 'set-aside' else 'failed' end
                    else p.state end as state
            from page p join page_file f on f.id = p.file_id
        ) s
        where ($1::uuid is null or s.id = $1)
            and ($2::text is null or s.state = $2)
            and ($3::text is null or strpos(lower(s.publication), lower($3)) > 0)
            and ($4::date is null or s.issue_date = $4)
            and ($5::uuid is null or s.file_id = $5)
            and ($11::text[] is null or s.publication = any($11))
            and s.file_id <= coalesce($9::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
            and ($9::uuid is null or s.file_id < $9 or s.number > $10::integer)
        order by s.file_id desc, s.number limit $6"#,
        id,
        filter.state.map(<&str>::from),
        filter.publication,
        filter.issue_date.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        filter.file_id,
        limit,
        now.to_sqlx() as SqlTimestamp,
        MAX_ATTEMPTS,
        after.map(|after| after.file_id),
        after.map(|after| after.number),
        filter.spellings.as_deref(),
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(NewspaperPage::try_from).collect()
}

/// What waits, is being read or needs attention. A worker counts if it has asked for a page since
/// `since` or reads one.
pub async fn work(
    db: impl PgExecutor<'_>,
    since: Timestamp,
    now: Timestamp,
) -> Result<PageWork, sqlx::Error> {
    sqlx::query_as!(
        PageWork,
        r#"select
            count(*) filter (where state in ('waiting', 'failed')
                or state = 'leased' and lease_until <= $2 and attempts < $3) as "waiting!",
            count(*) filter (where state = 'leased' and lease_until > $2) as "leased!",
            count(*) filter (where state = 'set-aside'
                or state = 'leased' and lease_until <= $2 and attempts >= $3) as "set_aside!",
            (select count(*) from (
                select name from page_worker where asked_at > $1
                union select worker from page where state = 'leased' and lease_until > $2
            ) w) as "workers!"
        from page where state <> 'read'"#,
        since.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
        MAX_ATTEMPTS,
    )
    .fetch_one(db)
    .await
}

/// The pages before and after a page of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Neighbours {
    /// The id of the page before.
    pub previous: Option<Uuid>,
    /// The id of the page after.
    pub next: Option<Uuid>,
}

/// The pages before and after the page with this number of a file.
pub async fn neighbours(
    db: impl PgExecutor<'_>,
    file_id: Uuid,
    number: i32,
) -> Result<Neighbours, sqlx::Error> {
    sqlx::query_as!(
        Neighbours,
        "select
            (select id from page where file_id = $1 and number < $2 order by number desc limit 1) as previous,
            (select id from page where file_id = $1 and number > $2 order by number limit 1) as next",
        file_id,
        number
    )
    .fetch_one(db)
    .await
}

/// A page whose row stays locked until the transaction ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LockedPage {
    /// The id of the file.
    pub file_id: Uuid,
    /// Whether the portal has the file.
    pub is_stored: bool,
    /// How far the reading is. An expired lease counts as a failure.
    pub state: PageState,
}

/// Locks a page until the transaction ends.
pub async fn lock(
    tx: &mut PgConnection,
    id: Uuid,
    now: Timestamp,
) -> Result<Option<LockedPage>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select p.file_id, f.is_stored, p.state,
            coalesce(p.lease_until <= $2, false) as "has_expired!"
        from page p join page_file f on f.id = p.file_id where p.id = $1 for update of p"#,
        id,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let state = if row.has_expired { PageState::Failed } else { decode("page.state", &row.state)? };
    Ok(Some(LockedPage { file_id: row.file_id, is_stored: row.is_stored, state }))
}

/// Locks a page of a file until the transaction ends, and returns its id.
pub async fn lock_page_of_file(
    tx: &mut PgConnection,
    file_id: Uuid,
    number: i32,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select id from page where file_id = $1 and number = $2 for update", file_id, number)
        .fetch_optional(tx)
        .await
}

/// Lets a page wait for a worker, as if it had never been tried. Its last result stays until the
/// page is read again. A worker that reads it now loses its lease.
pub async fn wait_again(tx: &mut PgConnection, id: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update page set state = 'waiting', attempts = 0, due_at = $2, lease_id = null, lease_until = null,
            worker = null, failure = null
        where id = $1",
        id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks all pages of a file in their order until the transaction ends. Whoever locks a page and its
/// file locks the page first, so transactions cannot wait for each other in a circle.
pub async fn lock_pages(tx: &mut PgConnection, file_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("select id from page where file_id = $1 order by number for update", file_id)
        .fetch_all(tx)
        .await?;
    Ok(())
}

/// Deletes a page, and its file if the file has no other page.
pub async fn delete(tx: &mut PgConnection, id: Uuid, file_id: Uuid) -> Result<(), sqlx::Error> {
    // The row of the file is locked first, so that no page of the file appears meanwhile.
    sqlx::query!("select id from page_file where id = $1 for update", file_id)
        .fetch_optional(&mut *tx)
        .await?;
    sqlx::query!("delete from page where id = $1", id).execute(&mut *tx).await?;
    sqlx::query!(
        "delete from page_file where id = $1 and not exists (select from page where file_id = $1)",
        file_id
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores the result of a page in place of the last one. The caller holds the row of the page.
pub async fn store_reading(
    tx: &mut PgConnection,
    id: Uuid,
    reading: &PageReading,
    picture: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    blocks::replace(tx, id, &reading.blocks).await?;
    sqlx::query!(
        "update page set state = 'read', lease_until = null, failure = null, publication = $2, issue_date = $3,
            picture = $4, read_at = $5
        where id = $1",
        id,
        reading.publication,
        reading.date.map(ToSqlx::to_sqlx) as Option<SqlDate>,
        picture,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
