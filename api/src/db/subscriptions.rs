//! Who holds which plan, from when until when.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Begins an active monthly subscription.
///
/// # Errors
/// Whatever the database answers; a second active one is a unique violation.
pub async fn begin(
    tx: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    plan: &str,
    start: Timestamp,
    end: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, created_at, updated_at)
        values ($1, $2, $3, 'active', 'monthly', $4, $5, $4, $4)",
        id,
        user_id,
        plan,
        start.to_sqlx() as SqlTimestamp,
        end.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends what a user has subscribed to; what was sold when stays on the books, without a name.
///
/// # Errors
/// Whatever the database answers.
pub async fn end_of_user(tx: &mut PgConnection, user_id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update subscription set user_id = null, auto_renew = false, updated_at = $2,
            status = case when status in ('pending', 'active') then 'cancelled' else status end
        where user_id = $1",
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A subscription.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    /// UUIDv7.
    pub id: Uuid,
    /// What is subscribed to.
    pub plan: String,
    /// `pending`, `active`, `cancelled` or `expired`.
    pub status: String,
    /// `monthly` or `yearly`.
    pub billing_cycle: String,
    /// Since when.
    pub start_date: SqlTimestamp,
    /// Until when it is paid.
    pub end_date: SqlTimestamp,
    /// Whether it goes on then.
    pub auto_renew: bool,
}

/// What a user holds at a moment. `None`: the free plan.
///
/// # Errors
/// Whatever the database answers.
pub async fn current(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    at: Timestamp,
) -> Result<Option<Subscription>, sqlx::Error> {
    sqlx::query_as!(
        Subscription,
        r#"select id, plan, status, billing_cycle, start_date as "start_date: SqlTimestamp", end_date as "end_date: SqlTimestamp",
            auto_renew
        from subscription where user_id = $1 and status = 'active' and start_date <= $2 and end_date > $2"#,
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await
}

/// What a user has used of a plan in a period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Usage {
    /// Details opened.
    pub tender_views: i64,
    /// Tenders published.
    pub tender_uploads: i64,
    /// Documents fetched.
    pub documents_downloaded: i64,
    /// Calls made with API keys.
    pub api_calls: i64,
}

/// What a user and its team have used in the period that began then.
///
/// # Errors
/// Whatever the database answers.
pub async fn usage(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    period_start: Timestamp,
) -> Result<Usage, sqlx::Error> {
    sqlx::query_as!(
        Usage,
        r#"with mate as (select mate_id from teammate where user_id = $1)
        select
            (select count(*) from tender_view where viewer in (select mate_id from mate) and period_start = $2) as "tender_views!",
            (select count(*) from tender where owner_id in (select mate_id from mate) and published_at >= $2) as "tender_uploads!",
            (select count(*) from document_download where user_id in (select mate_id from mate) and period_start = $2) as "documents_downloaded!",
            (select coalesce(sum(calls), 0)::bigint from api_call where user_id in (select mate_id from mate) and period_start = $2) as "api_calls!""#,
        user_id,
        period_start.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}
