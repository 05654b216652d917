//! Plans, their entitlements and their prices.

use crate::{
    domain::plan::{Plan, PlanChange, PlanName, PlanOffer},
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

/// All plans on sale, lowest first.
pub async fn all(db: impl PgExecutor<'_>) -> Result<Vec<Plan>, sqlx::Error> {
    let rows = sqlx::query!(
        "select name, rank, max_tender_views, max_tender_uploads, saved_searches, archive_days,
            advanced_filtering, email_alerts, direct_alerts, api_access, custom_reports, max_users,
            max_open_bids, bid_file_mib
        from plan where is_active order by rank"
    )
    .fetch_all(db)
    .await?;
    let plans = rows.into_iter().map(|row| {
        Ok(Plan {
            name: decode("plan.name", &row.name)?,
            rank: row.rank,
            max_tender_views: row.max_tender_views,
            max_tender_uploads: row.max_tender_uploads,
            saved_searches: row.saved_searches,
            archive_days: row.archive_days,
            advanced_filtering: row.advanced_filtering,
            email_alerts: row.email_alerts,
            direct_alerts: row.direct_alerts,
            api_access: row.api_access,
            custom_reports: row.custom_reports,
            max_users: row.max_users,
            max_open_bids: row.max_open_bids,
            bid_file_mib: row.bid_file_mib,
        })
    });
    plans.collect()
}

struct OfferRow {
    id: Uuid,
    name: String,
    rank: i16,
    display_name: String,
    description: String,
    price_monthly: i32,
    price_yearly: i32,
    max_tender_views: i32,
    max_tender_uploads: i32,
    saved_searches: i32,
    archive_days: Option<i32>,
    advanced_filtering: bool,
    email_alerts: bool,
    api_access: bool,
    direct_alerts: bool,
    weekly_summary: bool,
    priority_support: bool,
    custom_reports: bool,
    max_users: i32,
    max_open_bids: i32,
    sort_order: i16,
    created_at: SqlTimestamp,
    updated_at: SqlTimestamp,
}

impl TryFrom<OfferRow> for PlanOffer {
    type Error = sqlx::Error;

    fn try_from(row: OfferRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            name: decode("plan.name", &row.name)?,
            rank: row.rank,
            display_name: row.display_name,
            description: row.description,
            price_monthly: row.price_monthly,
            price_yearly: row.price_yearly,
            max_tender_views: row.max_tender_views,
            max_tender_uploads: row.max_tender_uploads,
            saved_searches: row.saved_searches,
            archive_days: row.archive_days,
            advanced_filtering: row.advanced_filtering,
            email_alerts: row.email_alerts,
            api_access: row.api_access,
            direct_alerts: row.direct_alerts,
            weekly_summary: row.weekly_summary,
            priority_support: row.priority_support,
            custom_reports: row.custom_reports,
            max_users: row.max_users,
            max_open_bids: row.max_open_bids,
            sort_order: row.sort_order,
            created_at: row.created_at.to_jiff(),
            updated_at: row.updated_at.to_jiff(),
        })
    }
}

/// All plans on sale, in display order.
pub async fn offers(db: impl PgExecutor<'_>) -> Result<Vec<PlanOffer>, sqlx::Error> {
    let rows = sqlx::query_as!(
        OfferRow,
        r#"select id, name, rank, display_name, description, price_monthly, price_yearly, max_tender_views, max_tender_uploads,
            saved_searches, archive_days, advanced_filtering, email_alerts, api_access, direct_alerts, weekly_summary,
            priority_support, custom_reports, max_users, max_open_bids, sort_order, created_at as "created_at: SqlTimestamp", updated_at as "updated_at: SqlTimestamp"
        from plan where is_active order by sort_order"#
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(PlanOffer::try_from).collect()
}

/// The rank of a plan, whether or not it is on sale.
pub async fn rank(db: impl PgExecutor<'_>, name: PlanName) -> Result<i16, sqlx::Error> {
    sqlx::query_scalar!("select rank from plan where name = $1", name.as_str()).fetch_one(db).await
}

/// The prices and limits of a plan, for the audit log. `None`: there is no such plan.
pub async fn limits(
    db: impl PgExecutor<'_>,
    name: PlanName,
) -> Result<Option<serde_json::Value>, sqlx::Error> {
    let row = sqlx::query_scalar!(
        r#"select jsonb_build_object('priceMonthly', price_monthly, 'priceYearly', price_yearly, 'views', max_tender_views,
            'uploads', max_tender_uploads, 'savedSearches', saved_searches, 'openBids', max_open_bids) as "limits!"
        from plan where name = $1"#,
        name.as_str(),
    );
    row.fetch_optional(db).await
}

/// Changes the given fields of a plan. `false`: there is no such plan.
pub async fn change(
    db: impl PgExecutor<'_>,
    change: &PlanChange,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let changed = sqlx::query!(
        "update plan set price_monthly = coalesce($2, price_monthly), price_yearly = coalesce($3, price_yearly),
            max_tender_views = coalesce($4, max_tender_views), max_tender_uploads = coalesce($5, max_tender_uploads),
            saved_searches = coalesce($6, saved_searches), max_open_bids = coalesce($7, max_open_bids), updated_at = $8
        where name = $1",
        change.name.as_str(),
        change.price_monthly,
        change.price_yearly,
        change.views,
        change.uploads,
        change.saved_searches,
        change.open_bids,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(changed.rows_affected() > 0)
}
