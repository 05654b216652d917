//! Views of tender details, counted once per viewer, tender and period.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// Counts a view, if the quota permits it. Opening a tender again in the same period is always
/// permitted. `false`: the quota is exhausted, and nothing is counted. Concurrent calls for one
/// viewer run one after the other.
pub async fn count_view(
    tx: &mut PgConnection,
    viewer: Uuid,
    tender_id: Uuid,
    (quota, period): (Option<i32>, Timestamp),
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!("select pg_advisory_xact_lock(hashtextextended($1, 7))", viewer.to_string())
        .fetch_one(&mut *tx)
        .await?;
    let stands = sqlx::query_scalar!(
        r#"with counted as (
            insert into tender_view (viewer, period_start, tender_id, at)
            select $1, $2, $3, $5
            where $4::integer is null
                or (select count(*) from tender_view where viewer = $1 and period_start = $2 and tender_id <> $3) < $4
            on conflict (viewer, period_start, tender_id) do update set at = tender_view.at
            returning 1
        )
        select exists (select from counted)
            or exists (select from tender_view where viewer = $1 and period_start = $2 and tender_id = $3) as "stands!""#,
        viewer,
        period.to_sqlx() as SqlTimestamp,
        tender_id,
        quota,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(tx)
    .await?;
    Ok(stands)
}

/// Moves the views of one viewer to another.
pub async fn reassign(tx: &mut PgConnection, viewer: Uuid, to: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update tender_view set viewer = $2 where viewer = $1", viewer, to).execute(tx).await?;
    Ok(())
}
