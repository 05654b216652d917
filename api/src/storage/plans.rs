//! What each plan permits.

use crate::domain::plan::PlanChange;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

/// A plan that is sold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// `free`, `basic`, `professional` or `enterprise`.
    pub name: String,
    /// A higher one holds all of a lower one.
    pub rank: i16,
    /// Details that may be opened in a period; -1 is unlimited.
    pub max_tender_views: i32,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: i32,
    /// Days back from publication that may be read; `None` is everything.
    pub archive_days: Option<i32>,
    /// Whether every filter of the search may be used.
    pub advanced_filtering: bool,
    /// Whether there are e-mail alerts.
    pub email_alerts: bool,
    /// Whether alerts may go by other channels than mail.
    pub direct_alerts: bool,
    /// Whether there are API keys.
    pub api_access: bool,
    /// Whether there is the report builder.
    pub custom_reports: bool,
    /// How many users may share an account.
    pub max_users: i32,
}

/// All plans that are sold, the lowest first.
///
/// # Errors
/// Whatever the database answers.
pub async fn all(db: impl PgExecutor<'_>) -> Result<Vec<Plan>, sqlx::Error> {
    sqlx::query_as!(
        Plan,
        "select name, rank, max_tender_views, max_tender_uploads, saved_searches, archive_days,
            advanced_filtering, email_alerts, direct_alerts, api_access, custom_reports, max_users
        from plan where is_active order by rank"
    )
    .fetch_all(db)
    .await
}

/// A plan as it is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// UUIDv7.
    pub id: Uuid,
    /// `free`, `basic`, `professional` or `enterprise`.
    pub name: String,
    /// A higher one holds all of a lower one.
    pub rank: i16,
    /// For people.
    pub display_name: String,
    /// A sentence.
    pub description: String,
    /// Rupees.
    pub price_monthly: i32,
    /// Rupees.
    pub price_yearly: i32,
    /// Details that may be opened in a period; -1 is unlimited.
    pub max_tender_views: i32,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// Searches that may be saved; -1 is unlimited.
    pub saved_searches: i32,
    /// Days back from publication that may be read; `None` is everything.
    pub archive_days: Option<i32>,
    /// Whether every filter of the search may be used.
    pub advanced_filtering: bool,
    /// Whether there are e-mail alerts.
    pub email_alerts: bool,
    /// Whether there are API keys.
    pub api_access: bool,
    /// Whether messages are flagged for the operator.
    pub priority_support: bool,
    /// Whether there is the report builder.
    pub custom_reports: bool,
    /// Its place among the others.
    pub sort_order: i16,
    /// Since when it is offered.
    pub created_at: SqlTimestamp,
    /// When it changed last.
    pub updated_at: SqlTimestamp,
}

/// All plans that are sold, in their order.
///
/// # Errors
/// Whatever the database answers.
pub async fn offers(db: impl PgExecutor<'_>) -> Result<Vec<Offer>, sqlx::Error> {
    sqlx::query_as!(
        Offer,
        r#"select id, name, rank, display_name, description, price_monthly, price_yearly, max_tender_views, max_tender_uploads,
            saved_searches, archive_days, advanced_filtering, email_alerts, api_access, priority_support, custom_reports, sort_order,
            created_at as "created_at: SqlTimestamp", updated_at as "updated_at: SqlTimestamp"
        from plan where is_active order by sort_order"#
    )
    .fetch_all(db)
    .await
}

/// A plan's rank, whether it is sold any more or not.
///
/// # Errors
/// Whatever the database answers.
pub async fn rank(db: impl PgExecutor<'_>, name: &str) -> Result<i16, sqlx::Error> {
    sqlx::query_scalar!("select rank from plan where name = $1", name).fetch_one(db).await
}

/// Changes what is given of a plan. `false`: there is none such.
///
/// # Errors
/// Whatever the database answers.
pub async fn change(
    db: impl PgExecutor<'_>,
    change: &PlanChange,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query!(
        "update plan set price_monthly = coalesce($2, price_monthly), price_yearly = coalesce($3, price_yearly),
            max_tender_views = coalesce($4, max_tender_views), max_tender_uploads = coalesce($5, max_tender_uploads),
            saved_searches = coalesce($6, saved_searches), updated_at = $7
        where name = $1",
        change.name,
        change.price_monthly,
        change.price_yearly,
        change.views,
        change.uploads,
        change.saved_searches,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() > 0)
}
