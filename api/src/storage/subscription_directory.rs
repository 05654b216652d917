//! Subscriptions as administrators see them.

use super::enum_column::decode;
use crate::domain::{
    money::Cents,
    plan::PlanName,
    subscription::{ListedSubscription, Subscriber, SubscriptionFilter, SubscriptionStatus},
};
use jiff_sqlx::Timestamp as SqlTimestamp;
use sqlx::PgExecutor;
use uuid::Uuid;

/// At most `limit` subscriptions after the subscription `after`, the latest created first.
pub async fn page(
    db: impl PgExecutor<'_>,
    filter: &SubscriptionFilter,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Vec<ListedSubscription>, sqlx::Error> {
    // Ids are UUIDv7, so they are in the order of creation.
    let rows = sqlx::query!(
        r#"select s.id, s.plan, s.status, s.billing_cycle, s.start_date as "start_date: SqlTimestamp",
            s.end_date as "end_date: SqlTimestamp", s.auto_renew, s.price_cents, s.currency, s.provider,
            s.unpaid_since as "unpaid_since: SqlTimestamp", s.next_plan, s.ended_at as "ended_at: SqlTimestamp",
            u.id as "user_id?", u.email as "email?", u.first_name || ' ' || u.last_name as name
        from subscription s left join users u on u.id = s.user_id
        where u.is_canary is not true and ($1::text is null
                or strpos(lower(u.email || ' ' || u.first_name || ' ' || u.last_name || ' ' || coalesce(u.company, '')), lower($1)) > 0)
            and ($2::text is null or s.status = $2)
            and ($3::text is null or s.plan = $3)
            and ($4::uuid is null or s.id < $4)
        order by s.id desc limit $5"#,
        filter.search,
        filter.status.map(SubscriptionStatus::as_str),
        filter.plan.map(PlanName::as_str),
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    let subscriptions = rows.into_iter().map(|row| {
        let user = match (row.user_id, row.email, row.name) {
            (Some(id), Some(email), Some(name)) => Some(Subscriber { id, email, name }),
            _ => None,
        };
        Ok(ListedSubscription {
            id: row.id,
            user,
            plan: decode("subscription.plan", &row.plan)?,
            status: decode("subscription.status", &row.status)?,
            cycle: decode("subscription.billing_cycle", &row.billing_cycle)?,
            start: row.start_date.to_jiff(),
            end: row.end_date.to_jiff(),
            auto_renew: row.auto_renew,
            price: Cents(row.price_cents),
            currency: row.currency,
            provider: row.provider,
            unpaid_since: row.unpaid_since.map(SqlTimestamp::to_jiff),
            next_plan: row.next_plan.map(|plan| decode("subscription.next_plan", &plan)).transpose()?,
            ended_at: row.ended_at.map(SqlTimestamp::to_jiff),
        })
    });
    subscriptions.collect()
}
