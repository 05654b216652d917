//! What the portal has of each issue: pages and notices, by the newspaper as read and the day.

use crate::domain::{coverage::IssueContent, newspaper_page::MAX_ATTEMPTS};
use jiff::Timestamp;
use jiff_sqlx::{Date as SqlDate, Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use tender_model::vocabulary::Day;

/// The content of the issues of a newspaper on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpelledIssue {
    /// The newspaper as read or as given at the upload.
    pub publication: String,
    /// The day.
    pub day: Day,
    /// The pages and notices.
    pub content: IssueContent,
}

/// The issues from `from` to `to` of which there are pages or notices. A page that is read again
/// counts as read, because it keeps its last result.
pub async fn between(
    db: impl PgExecutor<'_>,
    from: Day,
    to: Day,
    now: Timestamp,
) -> Result<Vec<SpelledIssue>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"with entry as (
            select coalesce(nullif(p.publication, ''), f.publication) as publication, p.issue_date as day,
                p.read_at is not null as is_read,
                p.state = 'set-aside' or p.state = 'leased' and p.lease_until <= $3 and p.attempts >= $4 as is_failed,
                false as is_notice
            from page p join page_file f on f.id = p.file_id where p.issue_date between $1 and $2
            union all
            select coalesce(nullif(p.publication, ''), f.publication), f.issue_date, p.read_at is not null,
                p.state = 'set-aside' or p.state = 'leased' and p.lease_until <= $3 and p.attempts >= $4, false
            from page_file f join page p on p.file_id = f.id
            where f.issue_date between $1 and $2 and p.issue_date is null
            union all
            select coalesce(n.record #>> '{sources,0,publication}', ''), (n.record #>> '{sources,0,date}')::date,
                false, false, true
            from notice n where n.record #>> '{sources,0,date}' between $5 and $6 and n.role <> 'rejected'
        )
        select publication as "publication!", day as "day!: SqlDate",
            count(*) filter (where is_read) as "read!",
            count(*) filter (where not is_read and not is_failed and not is_notice) as "waiting!",
            count(*) filter (where is_failed and not is_read) as "failed!",
            count(*) filter (where is_notice) as "notices!"
        from entry where publication <> '' group by publication, day order by publication, day"#,
        from.to_sqlx() as SqlDate,
        to.to_sqlx() as SqlDate,
        now.to_sqlx() as SqlTimestamp,
        MAX_ATTEMPTS,
        from.to_string(),
        to.to_string(),
    )
    .fetch_all(db)
    .await?;
    let issues = rows.into_iter().map(|row| SpelledIssue {
        publication: row.publication,
        day: row.day.to_jiff(),
        content: IssueContent {
            read: row.read,
            waiting: row.waiting,
            failed: row.failed,
            notices: row.notices,
        },
    });
    Ok(issues.collect())
}

/// The number of pages since `since` of which the newspaper or the issue date is unknown.
pub async fn count_unknown(db: impl PgExecutor<'_>, since: Timestamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "pages!" from page p join page_file f on f.id = p.file_id
        where p.created_at >= $1 and (p.publication is null or p.publication = '' or p.issue_date is null)
            and (coalesce(nullif(p.publication, ''), f.publication) = ''
                or coalesce(p.issue_date, f.issue_date) is null)"#,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// The spellings of newspapers on pages, of one issue date or of all.
pub async fn publications(db: impl PgExecutor<'_>, day: Option<Day>) -> Result<Vec<String>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select distinct coalesce(nullif(p.publication, ''), f.publication) as "publication!"
        from page p join page_file f on f.id = p.file_id
        where $1::date is null or coalesce(p.issue_date, f.issue_date) = $1"#,
        day.map(ToSqlx::to_sqlx) as Option<SqlDate>,
    )
    .fetch_all(db)
    .await
}
