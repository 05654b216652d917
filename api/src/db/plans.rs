//! What each plan permits.

use sqlx::PgExecutor;

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
}

/// All plans that are sold, the lowest first.
///
/// # Errors
/// Whatever the database answers.
pub async fn all(db: impl PgExecutor<'_>) -> Result<Vec<Plan>, sqlx::Error> {
    sqlx::query_as!(
        Plan,
        "select name, rank, max_tender_views, max_tender_uploads, saved_searches, archive_days,
            advanced_filtering, email_alerts
        from plan where is_active order by rank"
    )
    .fetch_all(db)
    .await
}
