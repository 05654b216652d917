//! What reviewers found on newspaper pages, for measuring the readers.

use jiff_sqlx::Date as SqlDate;
use sqlx::{PgExecutor, types::Json};
use tender_model::{tender::Tender, vocabulary::Day};
use uuid::Uuid;

/// A page with at least one notice that a person has checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedPage {
    /// The id of the page.
    pub id: Uuid,
    /// The page in the file, from 1.
    pub number: i32,
    /// The newspaper.
    pub publication: String,
    /// The issue date.
    pub issue_date: Option<Day>,
    /// The name of the file.
    pub file_name: String,
    /// SHA-256 of the file, in 64 hex digits.
    pub file_hash: String,
    /// Whether the portal has the file.
    pub is_stored: bool,
}

/// A text on a page that a person has checked.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedText {
    /// The id of the page.
    pub page_id: Uuid,
    /// The key of the notice.
    pub key: String,
    /// Whether it is a tender notice.
    pub is_notice: bool,
    /// Its fields.
    pub record: Tender,
}

/// At most `limit` pages with checked notices, in the order in which they arrived, after the page with
/// an id.
pub async fn pages(
    db: impl PgExecutor<'_>,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<CheckedPage>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select p.id, p.number, coalesce(p.publication, f.publication) as "publication!",
            coalesce(p.issue_date, f.issue_date) as "issue_date: SqlDate", f.name, f.hash, f.is_stored
        from page p join page_file f on f.id = p.file_id
        where ($1::uuid is null or p.id > $1) and exists (
            select from page_block b join notice n on n.key = b.notice_key or n.part_of = b.notice_key
            where b.page_id = p.id and (n.reviewed_at is not null and n.role <> 'rejected' or exists (
                select from review_decision d where d.notice_key = n.key and d.undone_at is null and d.is_no_notice)))
        order by p.id limit $2"#,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    let pages = rows.into_iter().map(|row| CheckedPage {
        id: row.id,
        number: row.number,
        publication: row.publication,
        issue_date: row.issue_date.map(SqlDate::to_jiff),
        file_name: row.name,
        file_hash: row.hash,
        is_stored: row.is_stored,
    });
    Ok(pages.collect())
}

/// The checked texts of pages.
pub async fn texts(db: impl PgExecutor<'_>, pages: &[Uuid]) -> Result<Vec<CheckedText>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select b.page_id, n.key, n.role <> 'rejected' as "is_notice!", n.record as "record: Json<Tender>"
        from page_block b join notice n on n.key = b.notice_key or n.part_of = b.notice_key
        where b.page_id = any($1) and (n.reviewed_at is not null and n.role <> 'rejected' or (n.role = 'rejected' and exists (
            select from review_decision d where d.notice_key = n.key and d.undone_at is null and d.is_no_notice)))
        order by b.page_id, b.number, n.key"#,
        pages,
    )
    .fetch_all(db)
    .await?;
    let texts = rows.into_iter().map(|row| CheckedText {
        page_id: row.page_id,
        key: row.key,
        is_notice: row.is_notice,
        record: row.record.0,
    });
    Ok(texts.collect())
}
