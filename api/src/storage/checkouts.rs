//! Checkouts: payments that users make on a provider's page.

use crate::{
    domain::{
        billing_cycle::BillingCycle,
        checkout::{Checkout, CheckoutStatus},
        money::Cents,
        payment::OpenedCheckout,
        plan::PlanName,
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
    subscription_id: Uuid,
    provider: String,
    session: Option<String>,
    url: Option<String>,
    amount_cents: i64,
    price_cents: i64,
    currency: String,
    credited_id: Option<Uuid>,
    status: String,
    created_at: SqlTimestamp,
    expires_at: SqlTimestamp,
}

impl TryFrom<Row> for Checkout {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            user_id: row.user_id,
            subscription_id: row.subscription_id,
            provider: row.provider,
            session: row.session,
            url: row.url,
            amount: Cents(row.amount_cents),
            price: Cents(row.price_cents),
            currency: row.currency,
            credited_id: row.credited_id,
            status: decode("checkout.status", &row.status)?,
            created_at: row.created_at.to_jiff(),
            expires_at: row.expires_at.to_jiff(),
        })
    }
}

/// Stores a checkout that is not yet open at the provider.
pub async fn insert(tx: &mut PgConnection, new: &Checkout) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into checkout (id, user_id, subscription_id, provider, amount_cents, price_cents, currency, credited_id, status,
            created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, 'opening', $9, $10)",
        new.id,
        new.user_id,
        new.subscription_id,
        new.provider,
        new.amount.0,
        new.price.0,
        new.currency,
        new.credited_id,
        new.created_at.to_sqlx() as SqlTimestamp,
        new.expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores the session and the URL from the provider, and marks a checkout as open. A checkout that
/// was paid meanwhile stays paid.
pub async fn record_opened(
    db: impl PgExecutor<'_>,
    id: Uuid,
    opened: &OpenedCheckout,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update checkout set session = $2, url = $3, status = case when status = 'opening' then 'open' else status end
        where id = $1",
        id,
        opened.session,
        opened.url,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Closes a checkout, unless it is already paid. Its pending subscription expires, unless `status`
/// is `Paid`.
pub async fn close(
    tx: &mut PgConnection,
    id: Uuid,
    status: CheckoutStatus,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with closed as (update checkout set status = $2, closed_at = $3 where id = $1 and status <> 'paid' returning subscription_id)
        update subscription s set status = 'expired', updated_at = $3 from closed
        where s.id = closed.subscription_id and s.status = 'pending' and $2 <> 'paid'",
        id,
        status.as_str(),
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that a checkout could not be opened at the provider. A checkout that another request has
/// opened meanwhile stays open.
pub async fn record_not_opened(tx: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with closed as (update checkout set status = 'failed', closed_at = $2 where id = $1 and status = 'opening' returning subscription_id)
        update subscription s set status = 'expired', updated_at = $2 from closed
        where s.id = closed.subscription_id and s.status = 'pending'",
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// A checkout by its id.
pub async fn by_id(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Checkout>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, user_id, subscription_id, provider, session, url, amount_cents, price_cents, currency, credited_id, status,
            created_at as "created_at: SqlTimestamp", expires_at as "expires_at: SqlTimestamp"
        from checkout where id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    row.map(Checkout::try_from).transpose()
}

/// A checkout of a user by the provider's id of the session.
pub async fn of_session(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    session: &str,
) -> Result<Option<Checkout>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select id, user_id, subscription_id, provider, session, url, amount_cents, price_cents, currency, credited_id, status,
            created_at as "created_at: SqlTimestamp", expires_at as "expires_at: SqlTimestamp"
        from checkout where session = $2 and user_id = $1"#,
        user_id,
        session,
    )
    .fetch_optional(db)
    .await?;
    row.map(Checkout::try_from).transpose()
}

/// The newest checkout that is open or opening, was created after `since` and has the same user,
/// provider, plan, cycle, price and credited subscription.
pub async fn find_similar(
    db: impl PgExecutor<'_>,
    new: &Checkout,
    (plan, cycle): (PlanName, BillingCycle),
    since: Timestamp,
) -> Result<Option<Checkout>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"select c.id, c.user_id, c.subscription_id, c.provider, c.session, c.url, c.amount_cents, c.price_cents, c.currency,
            c.credited_id, c.status, c.created_at as "created_at: SqlTimestamp", c.expires_at as "expires_at: SqlTimestamp"
        from checkout c join subscription s on s.id = c.subscription_id
        where c.user_id = $1 and c.status in ('opening', 'open') and c.created_at > $2 and c.provider = $3 and c.price_cents = $4
            and c.credited_id is not distinct from $5 and s.plan = $6 and s.billing_cycle = $7 and s.status = 'pending'
        order by c.created_at desc limit 1"#,
        new.user_id,
        since.to_sqlx() as SqlTimestamp,
        new.provider,
        new.price.0,
        new.credited_id,
        plan.as_str(),
        cycle.as_str(),
    )
    .fetch_optional(db)
    .await?;
    row.map(Checkout::try_from).transpose()
}

/// The number of checkouts that a user has created since a moment.
pub async fn count_since(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from checkout where user_id = $1 and created_at > $2"#,
        user_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Claims the right to ask the provider for the status of a checkout. `false`: it was claimed too
/// recently. After `true`, the next claim succeeds at `again` or later.
pub async fn claim_status_request(
    db: impl PgExecutor<'_>,
    id: Uuid,
    now: Timestamp,
    again: Timestamp,
) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query!(
        "update checkout set asked_at = $3 where id = $1 and (asked_at is null or asked_at <= $2)",
        id,
        now.to_sqlx() as SqlTimestamp,
        again.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(taken.rows_affected() > 0)
}

/// Takes an unpaid checkout that has expired. The same checkout is not taken again before `again`.
pub async fn take_expired(
    db: impl PgExecutor<'_>,
    now: Timestamp,
    again: Timestamp,
) -> Result<Option<(Uuid, String, Option<String>)>, sqlx::Error> {
    let row = sqlx::query!(
        "update checkout set asked_at = $2 where id = (
            select id from checkout where status in ('opening', 'open') and expires_at <= $1
                and (asked_at is null or asked_at <= $1)
            order by expires_at limit 1 for update skip locked)
        returning id, provider, session",
        now.to_sqlx() as SqlTimestamp,
        again.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| (row.id, row.provider, row.session)))
}
