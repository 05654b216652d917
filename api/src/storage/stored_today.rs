//! The numbers of drafts and documents that each user has stored today.

use jiff::civil::Date;
use jiff_sqlx::{Date as SqlDate, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// The numbers of one user on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredToday {
    /// New drafts.
    pub drafts: i32,
    /// Uploads of documents.
    pub documents: i32,
}

/// Adds to the numbers of a user on this day, and returns the sums. The numbers of an earlier day are
/// forgotten.
pub async fn add(
    tx: &mut PgConnection,
    user_id: Uuid,
    day: Date,
    more: StoredToday,
) -> Result<StoredToday, sqlx::Error> {
    sqlx::query_as!(
        StoredToday,
        "insert into stored_today as t (user_id, day, drafts, documents) values ($1, $2, $3, $4)
        on conflict (user_id) do update set day = excluded.day,
            drafts = excluded.drafts + case when t.day = excluded.day then t.drafts else 0 end,
            documents = excluded.documents + case when t.day = excluded.day then t.documents else 0 end
        returning drafts, documents",
        user_id,
        day.to_sqlx() as SqlDate,
        more.drafts,
        more.documents,
    )
    .fetch_one(tx)
    .await
}
