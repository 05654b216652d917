//! Rectangles of newspaper pages about which people have decided.

use super::enum_column::decode;
use crate::domain::{
    newspaper_page::{Dismissal, PageMark},
    review::NoticeState,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use tender_model::page_reading::DecidedBox;
use uuid::Uuid;

/// Adds a decision of a user or token.
pub async fn insert(
    tx: &mut PgConnection,
    (id, page_id): (Uuid, Uuid),
    decided: &DecidedBox,
    dismissal: Option<&Dismissal>,
    (by, at): (Uuid, Timestamp),
) -> Result<(), sqlx::Error> {
    let [x, y, width, height] = decided.area;
    sqlx::query!(
        "insert into page_box (id, page_id, x, y, width, height, decision, created_at, created_by, notice_key, before,
            has_withdrawn)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        id,
        page_id,
        x,
        y,
        width,
        height,
        decided.decision.as_str(),
        at.to_sqlx() as SqlTimestamp,
        by,
        dismissal.map(|dismissal| dismissal.key.as_str()),
        dismissal.map(|dismissal| Json(&dismissal.before)) as _,
        dismissal.is_some_and(|dismissal| dismissal.has_withdrawn),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The decided rectangles of a page, oldest first.
pub async fn of_page(db: impl PgExecutor<'_>, page_id: Uuid) -> Result<Vec<PageMark>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select b.id, b.x, b.y, b.width, b.height, b.decision, b.created_at as "created_at: SqlTimestamp",
            coalesce(u.email, t.name) as by, b.notice_key, b.before as "before: Json<NoticeState>", b.has_withdrawn
        from page_box b
        left join users u on u.id = b.created_by
        left join operator_token t on t.id = b.created_by
        where b.page_id = $1 order by b.id"#,
        page_id
    )
    .fetch_all(db)
    .await?;
    let marks = rows.into_iter().map(|row| {
        Ok(PageMark {
            id: row.id,
            decided: DecidedBox {
                area: [row.x, row.y, row.width, row.height],
                decision: decode("page_box.decision", &row.decision)?,
            },
            at: row.created_at.to_jiff(),
            by: row.by,
            dismissal: row.notice_key.zip(row.before).map(|(key, before)| Dismissal {
                key,
                before: before.0,
                has_withdrawn: row.has_withdrawn,
            }),
        })
    });
    marks.collect()
}

/// Deletes a decision.
pub async fn delete(tx: &mut PgConnection, id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from page_box where id = $1", id).execute(tx).await?;
    Ok(())
}
