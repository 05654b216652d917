//! The notices of a batch, and what their withdrawal does to their tenders.

use crate::domain::batch::{Batch, WithdrawnTender};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// At most `limit` keys of the notices of a batch that are not rejected and that no other withdrawal
/// is about to reject. The parts of a notice that was split belong to it.
pub async fn notices(tx: &mut PgConnection, batch: &Batch, limit: i64) -> Result<Vec<String>, sqlx::Error> {
    let printed = match batch {
        Batch::File(id) => of_file(&mut *tx, *id).await?,
        Batch::Issue { publication, date } => of_issue(&mut *tx, publication, *date).await?,
        Batch::Sent { token, from, until } => of_token(&mut *tx, *token, *from, *until).await?,
    };
    sqlx::query_scalar!(
        r#"with recursive chosen as (
            select unnest($1::text[]) as key
            union
            select n.key from chosen c join notice n on n.part_of = c.key
        )
        select n.key from chosen c join notice n on n.key = c.key
        where n.role <> 'rejected' and not exists (
            select from batch_withdrawal_notice b where b.notice_key = n.key and b.state = 'pending')
        order by n.key limit $2"#,
        &printed,
        limit,
    )
    .fetch_all(tx)
    .await
}

/// The notices that were last read on the pages of a file. Notices of an earlier reading are
/// recognised by the name of the file, the newspaper and the date, if no other file has that name.
async fn of_file(db: impl PgExecutor<'_>, id: Uuid) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select b.notice_key as "key!" from page p join page_block b on b.page_id = p.id
        where p.file_id = $1 and b.notice_key is not null
        union
        select n.key from page_file f join page p on p.file_id = f.id
        join notice n on n.record #>> '{sources,0,date}' = p.issue_date::text
            and lower(n.record #>> '{sources,0,publication}') = lower(p.publication)
            and n.record #>> '{sources,0,file}' = f.name
        where f.id = $1
            and not exists (select from page_file other where other.name = f.name and other.id <> f.id)"#,
        id
    )
    .fetch_all(db)
    .await
}

async fn of_issue(db: impl PgExecutor<'_>, publication: &str, date: Day) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select key from notice
        where record #>> '{sources,0,date}' = $1 and lower(record #>> '{sources,0,publication}') = lower($2)",
        date.to_string(),
        publication
    )
    .fetch_all(db)
    .await
}

async fn of_token(
    db: impl PgExecutor<'_>,
    token: Uuid,
    from: Timestamp,
    until: Timestamp,
) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "select key from notice where sent_by = $1 and received_at >= $2 and received_at < $3",
        token,
        from.to_sqlx() as SqlTimestamp,
        until.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await
}

/// The name of a file of pages.
pub async fn file_name(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!("select name from page_file where id = $1", id).fetch_optional(db).await
}

/// What the withdrawal of notices would do to their tenders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TenderEffects {
    /// The notices that wait for review.
    pub waiting: i64,
    /// The published tenders that would be withdrawn.
    pub withdrawn: Vec<WithdrawnTender>,
    /// The published tenders that stay, because another notice prints them.
    pub printed_elsewhere: i64,
    /// The published tenders that stay, because a supplier owns them.
    pub owned: i64,
}

/// What the withdrawal of these notices would do.
pub async fn effects(tx: &mut PgConnection, keys: &[String]) -> Result<TenderEffects, sqlx::Error> {
    let waiting = sqlx::query_scalar!(
        r#"select count(*) as "count!" from notice where key = any($1) and role = 'review'"#,
        keys
    )
    .fetch_one(&mut *tx)
    .await?;
    let rows = sqlx::query!(
        r#"with chosen as (select key, tender_id from notice where key = any($1))
        select t.id, t.revision, t.owner_id is not null as "is_owned!", exists (
            select from notice o where o.tender_id = t.id and o.role in ('original', 'source')
                and not exists (select from chosen c where c.key = o.key)) as "is_printed!"
        from tender t
        where t.id in (select tender_id from chosen) and t.status not in ('draft', 'withdrawn')"#,
        keys
    )
    .fetch_all(tx)
    .await?;
    let mut effects = TenderEffects { waiting, ..TenderEffects::default() };
    for row in rows {
        match (row.is_owned, row.is_printed) {
            (true, _) => effects.owned += 1,
            (false, true) => effects.printed_elsewhere += 1,
            (false, false) => {
                effects.withdrawn.push(WithdrawnTender { id: row.id, revision: row.revision + 1 });
            }
        }
    }
    Ok(effects)
}
