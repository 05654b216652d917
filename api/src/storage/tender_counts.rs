//! The numbers of views, downloads and intentions to bid of tenders.

use sqlx::PgExecutor;
use std::collections::HashMap;
use uuid::Uuid;

/// The numbers of one tender.
#[derive(Debug, Clone, Copy, Default)]
pub struct TenderCounts {
    /// The number of users and guests who have opened the tender.
    pub views: i64,
    /// The number of downloads of its documents. Each user counts once per document.
    pub downloads: i64,
    /// The number of users who intend to bid.
    pub intentions: i64,
}

/// The numbers of each of these tenders, read with one statement, because every page of the listing
/// needs them.
pub async fn of_tenders(
    db: impl PgExecutor<'_>,
    tenders: &[Uuid],
) -> Result<HashMap<Uuid, TenderCounts>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select tender_id as "tender_id!",
            (select count(distinct viewer) from tender_view v where v.tender_id = t.tender_id) as "views!",
            (select count(distinct (f.user_id, d.id)) from document_download f
                join document d on d.id = f.document_id
                where d.tender_id = t.tender_id) as "downloads!",
            (select count(*) from tender_intention i where i.tender_id = t.tender_id) as "intentions!"
        from unnest($1::uuid[]) as t(tender_id)"#,
        tenders,
    )
    .fetch_all(db)
    .await?;
    let counts = rows.into_iter().map(|row| {
        let counts = TenderCounts { views: row.views, downloads: row.downloads, intentions: row.intentions };
        (row.tender_id, counts)
    });
    Ok(counts.collect())
}
