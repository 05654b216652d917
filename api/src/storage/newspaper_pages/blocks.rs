//! What became of the blocks of newspaper pages.

use crate::{domain::newspaper_page::PageBlock, storage::enum_column::decode};
use sqlx::{PgConnection, PgExecutor};
use tender_model::page_reading::ReadBlock;
use uuid::Uuid;

/// The blocks of a page in reading order, with what became of their notices since.
pub async fn of_page(db: impl PgExecutor<'_>, page_id: Uuid) -> Result<Vec<PageBlock>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select number as "number!", x as "x!", y as "y!", width as "width!", height as "height!",
            outcome as "outcome!", reason, notice_key, title, tender_id, review_reason
        from page_block_now where page_id = $1 order by number"#,
        page_id
    )
    .fetch_all(db)
    .await?;
    let blocks = rows.into_iter().map(|row| {
        Ok(PageBlock {
            number: row.number,
            area: [row.x, row.y, row.width, row.height],
            outcome: decode("page_block.outcome", &row.outcome)?,
            reason: row.reason,
            notice_key: row.notice_key,
            title: row.title,
            tender_id: row.tender_id,
            review_reason: row
                .review_reason
                .map(|reason| decode("review_item.reason", &reason))
                .transpose()?,
        })
    });
    blocks.collect()
}

/// Stores the blocks of a page in place of its last ones.
pub async fn replace(tx: &mut PgConnection, page_id: Uuid, blocks: &[ReadBlock]) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from page_block where page_id = $1", page_id).execute(&mut *tx).await?;
    let side = |at: usize| -> Vec<f64> { blocks.iter().map(|block| block.area[at]).collect() };
    let outcomes: Vec<String> = blocks.iter().map(|block| block.outcome.as_str().to_owned()).collect();
    let reasons: Vec<Option<String>> = blocks.iter().map(|block| block.reason.clone()).collect();
    let keys: Vec<Option<String>> = blocks.iter().map(|block| block.key.clone()).collect();
    let titles: Vec<Option<String>> = blocks.iter().map(|block| block.title.clone()).collect();
    sqlx::query!(
        "insert into page_block (page_id, number, x, y, width, height, outcome, reason, notice_key, title)
        select $1, b.number, b.x, b.y, b.width, b.height, b.outcome, b.reason, b.notice_key, b.title
        from unnest($2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::text[], $7::text[], $8::text[],
            $9::text[]) with ordinality as b (x, y, width, height, outcome, reason, notice_key, title, number)",
        page_id,
        &side(0),
        &side(1),
        &side(2),
        &side(3),
        &outcomes,
        reasons.as_slice() as &[Option<String>],
        keys.as_slice() as &[Option<String>],
        titles.as_slice() as &[Option<String>],
    )
    .execute(tx)
    .await?;
    Ok(())
}
