//! Subscriptions: user, plan, period and payment provider.

use crate::{
    domain::{
        money::Cents,
        plan::PlanName,
        subscription::{DueTimes, NewSubscription, NextPlan, PlanUsage, Subscription, UncertainRenewals},
    },
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

struct Row {
    id: Uuid,
    user_id: Option<Uuid>,
    plan: String,
    status: String,
    billing_cycle: String,
    start_date: SqlTimestamp,
    end_date: SqlTimestamp,
    auto_renew: bool,
    price_cents: i64,
    currency: String,
    period_start: SqlTimestamp,
    anchor: SqlTimestamp,
    periods: i32,
    holds_until: SqlTimestamp,
    provider: Option<String>,
    agreement: Option<String>,
    agreement_ended_at: Option<SqlTimestamp>,
    unpaid_since: Option<SqlTimestamp>,
    grace_warned_at: Option<SqlTimestamp>,
    next_plan: Option<String>,
    next_cycle: Option<String>,
    next_price_cents: Option<i64>,
    next_by_hand: bool,
    cancel_reason: Option<String>,
    ended_at: Option<SqlTimestamp>,
}

impl TryFrom<Row> for Subscription {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        let next = match (row.next_plan, row.next_cycle, row.next_price_cents) {
            (Some(plan), Some(cycle), Some(price)) => Some(NextPlan {
                plan: decode("subscription.next_plan", &plan)?,
                cycle: decode("subscription.next_cycle", &cycle)?,
                price: Cents(price),
                by_hand: row.next_by_hand,
            }),
            _ => None,
        };
        Ok(Self {
            id: row.id,
            user_id: row.user_id,
            plan: decode("subscription.plan", &row.plan)?,
            status: decode("subscription.status", &row.status)?,
            cycle: decode("subscription.billing_cycle", &row.billing_cycle)?,
            start: row.start_date.to_jiff(),
            end: row.end_date.to_jiff(),
            auto_renew: row.auto_renew,
            price: Cents(row.price_cents),
            currency: row.currency,
            period_start: row.period_start.to_jiff(),
            anchor: row.anchor.to_jiff(),
            periods: row.periods,
            holds_until: row.holds_until.to_jiff(),
            provider: row.provider,
            agreement: row.agreement,
            agreement_ended_at: row.agreement_ended_at.map(SqlTimestamp::to_jiff),
            unpaid_since: row.unpaid_since.map(SqlTimestamp::to_jiff),
            grace_warned_at: row.grace_warned_at.map(SqlTimestamp::to_jiff),
            next,
            cancel_reason: row.cancel_reason,
            ended_at: row.ended_at.map(SqlTimestamp::to_jiff),
        })
    }
}

/// Stores a monthly subscription that the operator gives to a user. It is free and does not renew.
///
/// # Errors
/// A second active subscription of a user fails with a unique violation.
pub async fn insert_given(
    tx: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    plan: PlanName,
    start: Timestamp,
    end: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, auto_renew, period_start, anchor,
            holds_until, created_at, updated_at)
        values ($1, $2, $3, 'active', 'monthly', $4, $5, false, $4, $4, $5, $4, $4)",
        id,
        user_id,
        plan.as_str(),
        start.to_sqlx() as SqlTimestamp,
        end.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores a subscription for which the first payment was not received yet.
pub async fn insert_pending(
    tx: &mut PgConnection,
    new: &NewSubscription<'_>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let end = new.cycle.period_end(now, 1);
    sqlx::query!(
        "insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, price_cents, currency,
            period_start, anchor, holds_until, provider, created_at, updated_at)
        values ($1, $2, $3, 'pending', $4, $5, $6, $7, $8, $5, $5, $6, $9, $5, $5)",
        new.id,
        new.user_id,
        new.plan.as_str(),
        new.cycle.as_str(),
        now.to_sqlx() as SqlTimestamp,
        end.to_sqlx() as SqlTimestamp,
        new.price.0,
        new.currency,
        new.provider,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The subscription of a user that is valid at a moment, the grace period included. `None`: the
/// user has the free plan.
pub async fn current(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    at: Timestamp,
) -> Result<Option<Subscription>, sqlx::Error> {
    find(db, None, Some(user_id), Some(at)).await
}

/// The active subscription of a user. Its end may have passed if the scheduled job has
/// not expired it yet.
pub async fn active_of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
) -> Result<Option<Subscription>, sqlx::Error> {
    find(db, None, Some(user_id), None).await
}

/// A subscription by its id, whatever its status.
pub async fn by_id(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Subscription>, sqlx::Error> {
    find(db, Some(id), None, None).await
}

async fn find(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    holder: Option<Uuid>,
    held_at: Option<Timestamp>,
) -> Result<Option<Subscription>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, user_id, plan, status, billing_cycle, start_date as "start_date: SqlTimestamp",
            end_date as "end_date: SqlTimestamp", auto_renew, price_cents, currency,
            period_start as "period_start: SqlTimestamp", anchor as "anchor: SqlTimestamp", periods,
            holds_until as "holds_until: SqlTimestamp", provider, agreement,
            agreement_ended_at as "agreement_ended_at: SqlTimestamp", unpaid_since as "unpaid_since: SqlTimestamp",
            grace_warned_at as "grace_warned_at: SqlTimestamp", next_plan, next_cycle, next_price_cents, next_by_hand,
            cancel_reason, ended_at as "ended_at: SqlTimestamp"
        from subscription
        where ($1::uuid is not null or $2::uuid is not null)
            and ($1::uuid is null or id = $1)
            and ($2::uuid is null or (user_id = $2 and status = 'active'))
            and ($3::timestamptz is null or (start_date <= $3 and holds_until > $3))"#,
        id,
        holder,
        held_at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    )
    .fetch_optional(db)
    .await?;
    row.map(Subscription::try_from).transpose()
}

/// Updates a subscription.
///
/// # Errors
/// A second active subscription of a user fails with a unique violation.
pub async fn save(
    tx: &mut PgConnection,
    subscription: &Subscription,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let next = subscription.next.as_ref();
    let at = |moment: Option<Timestamp>| moment.map(ToSqlx::to_sqlx);
    sqlx::query!(
        "update subscription set plan = $2, status = $3, billing_cycle = $4, start_date = $5, end_date = $6, auto_renew = $7,
            price_cents = $8, period_start = $9, anchor = $10, periods = $11, holds_until = $12, agreement = $13,
            agreement_ended_at = $14, unpaid_since = $15, grace_warned_at = $16, next_plan = $17, next_cycle = $18,
            next_price_cents = $19, next_by_hand = $20, cancel_reason = $21, ended_at = $22, updated_at = $23
        where id = $1",
        subscription.id,
        subscription.plan.as_str(),
        subscription.status.as_str(),
        subscription.cycle.as_str(),
        subscription.start.to_sqlx() as SqlTimestamp,
        subscription.end.to_sqlx() as SqlTimestamp,
        subscription.auto_renew,
        subscription.price.0,
        subscription.period_start.to_sqlx() as SqlTimestamp,
        subscription.anchor.to_sqlx() as SqlTimestamp,
        subscription.periods,
        subscription.holds_until.to_sqlx() as SqlTimestamp,
        subscription.agreement,
        at(subscription.agreement_ended_at) as Option<SqlTimestamp>,
        at(subscription.unpaid_since) as Option<SqlTimestamp>,
        at(subscription.grace_warned_at) as Option<SqlTimestamp>,
        next.map(|next| next.plan.as_str()),
        next.map(|next| next.cycle.as_str()),
        next.map(|next| next.price.0),
        next.is_some_and(|next| next.by_hand),
        subscription.cancel_reason,
        at(subscription.ended_at) as Option<SqlTimestamp>,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records when the provider charged for a subscription. A later stored time is kept.
pub async fn record_charge(tx: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update subscription set charged_at = greatest(charged_at, $2) where id = $1",
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// When the provider last charged for a subscription.
pub async fn charged_at(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Timestamp>, sqlx::Error> {
    let at =
        sqlx::query_scalar!(r#"select charged_at as "at: SqlTimestamp" from subscription where id = $1"#, id)
            .fetch_optional(db)
            .await?;
    Ok(at.flatten().map(SqlTimestamp::to_jiff))
}

/// Finds a subscription that needs a lifecycle step, and its user. The rows are not locked.
pub async fn due(
    db: impl PgExecutor<'_>,
    times: DueTimes,
    excluded: &[Uuid],
) -> Result<Option<(Uuid, Uuid)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select id, user_id as "user_id!" from subscription
        where status = 'active' and end_date <= $1 and user_id is not null and id <> all($4)
            and (holds_until <= $1 or next_by_hand
                or (unpaid_since is null and end_date <= $2)
                or (unpaid_since is not null and grace_warned_at is null and holds_until <= $3))
        order by end_date limit 1"#,
        times.now.to_sqlx() as SqlTimestamp,
        times.silent_since.to_sqlx() as SqlTimestamp,
        times.warned_until.to_sqlx() as SqlTimestamp,
        excluded,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.id, row.user_id)))
}

/// The renewing subscriptions whose paid period has ended now and whose plan had not ended at `since`, the
/// moment of a backup. A provider may have charged for them after that moment.
pub async fn uncertain_renewals(
    db: impl PgExecutor<'_>,
    since: Timestamp,
    now: Timestamp,
) -> Result<UncertainRenewals, sqlx::Error> {
    let row = sqlx::query!(
        r#"select count(*) as "count!", min(holds_until) as "first_ends_at: SqlTimestamp" from subscription
        where status = 'active' and auto_renew and user_id is not null and provider is not null
            and agreement_ended_at is null and holds_until > $1 and end_date <= $2"#,
        since.to_sqlx() as SqlTimestamp,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await?;
    Ok(UncertainRenewals { count: row.count, first_ends_at: row.first_ends_at.map(SqlTimestamp::to_jiff) })
}

/// Ends the subscriptions of a user and removes the user from them. Returns the subscriptions that
/// a provider still charges for, with the provider's name.
pub async fn end_of_user(
    tx: &mut PgConnection,
    user_id: Uuid,
    at: Timestamp,
) -> Result<Vec<(Uuid, String)>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"update subscription set user_id = null, auto_renew = false, updated_at = $2, cancel_reason = null,
            ended_at = coalesce(ended_at, $2), holds_until = least(holds_until, $2),
            status = case when status in ('pending', 'active') then 'cancelled' else status end
        where user_id = $1
        returning id, case when agreement is not null and agreement_ended_at is null then provider end as charger"#,
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().filter_map(|row| Some((row.id, row.charger?))).collect())
}

/// What a user and the user's team have used in the period that began at `period_start`.
pub async fn usage(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    period_start: Timestamp,
) -> Result<PlanUsage, sqlx::Error> {
    sqlx::query_as!(
        PlanUsage,
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
