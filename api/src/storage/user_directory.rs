//! Users as administrators see them.

use super::enum_column::decode;
use crate::domain::{
    plan::PlanName,
    user::{ListedUser, Role, UserFilter},
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

struct Row {
    id: Uuid,
    email: String,
    email_verified: bool,
    first_name: String,
    last_name: String,
    company: Option<String>,
    role: String,
    plan: String,
    created_at: SqlTimestamp,
    signed_in_at: Option<SqlTimestamp>,
    locked_at: Option<SqlTimestamp>,
    lock_reason: Option<String>,
}

impl TryFrom<Row> for ListedUser {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            email: row.email,
            email_verified: row.email_verified,
            first_name: row.first_name,
            last_name: row.last_name,
            company: row.company,
            role: decode("users.role", &row.role)?,
            plan: decode::<PlanName>("subscription.plan", &row.plan)?,
            created_at: row.created_at.to_jiff(),
            signed_in_at: row.signed_in_at.map(SqlTimestamp::to_jiff),
            locked_at: row.locked_at.map(SqlTimestamp::to_jiff),
            lock_reason: row.lock_reason,
        })
    }
}

/// At most `limit` users after the user `after`, the latest registered first.
pub async fn page(
    db: impl PgExecutor<'_>,
    filter: &UserFilter,
    after: Option<Uuid>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<ListedUser>, sqlx::Error> {
    select(db, None, filter, after, limit, now).await
}

/// A user.
pub async fn find(
    db: impl PgExecutor<'_>,
    id: Uuid,
    now: Timestamp,
) -> Result<Option<ListedUser>, sqlx::Error> {
    Ok(select(db, Some(id), &UserFilter::default(), None, 1, now).await?.pop())
}

async fn select(
    db: impl PgExecutor<'_>,
    id: Option<Uuid>,
    filter: &UserFilter,
    after: Option<Uuid>,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<ListedUser>, sqlx::Error> {
    // Ids are UUIDv7, so they are in the order of registration.
    let rows = sqlx::query_as!(
        Row,
        r#"select u.id as "id!", u.email as "email!", a.verified_at is not null as "email_verified!",
            u.first_name as "first_name!", u.last_name as "last_name!", u.company, u.role as "role!",
            coalesce(s.plan, 'free') as "plan!", u.created_at as "created_at!: SqlTimestamp",
            (select max(used_at) from session where user_id = u.id) as "signed_in_at: SqlTimestamp",
            u.locked_at as "locked_at: SqlTimestamp", u.lock_reason
        from users u
        left join address a on a.user_id = u.id and lower(a.email) = lower(u.email)
        left join held_subscription s
            on s.holder_id = u.id and s.status = 'active' and s.start_date <= $7 and s.holds_until > $7
        where not u.is_canary and ($1::uuid is null or u.id = $1)
            and ($2::text is null
                or strpos(lower(u.email || ' ' || u.first_name || ' ' || u.last_name || ' ' || coalesce(u.company, '')), lower($2)) > 0)
            and ($3::text is null or u.role = $3)
            and ($4::boolean is null or (u.locked_at is not null) = $4)
            and ($5::uuid is null or u.id < $5)
        order by u.id desc limit $6"#,
        id,
        filter.search,
        filter.role.map(Role::as_str),
        filter.is_locked,
        after,
        limit,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(ListedUser::try_from).collect()
}

/// Holds the rows of a user and of all administrators until the transaction ends, and returns the
/// ids of the administrators whose accounts are not locked. Meanwhile, no session of these users can
/// begin. Sessions can be renewed: a stronger lock could deadlock with a renewal.
pub async fn hold_with_administrators(tx: &mut PgConnection, id: Uuid) -> Result<Vec<Uuid>, sqlx::Error> {
    let held = sqlx::query!(
        r#"select id, role = 'admin' and locked_at is null as "is_administrator!" from users
        where id = $1 or role = 'admin' order by id for no key update"#,
        id
    );
    let held = held.fetch_all(tx).await?;
    Ok(held.into_iter().filter(|row| row.is_administrator).map(|row| row.id).collect())
}

/// Locks an account with a reason, or unlocks it.
pub async fn set_lock(
    tx: &mut PgConnection,
    id: Uuid,
    lock: Option<(&str, Timestamp)>,
) -> Result<(), sqlx::Error> {
    let (reason, at) = lock.unzip();
    sqlx::query!(
        "update users set locked_at = $2, lock_reason = $3 where id = $1",
        id,
        at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        reason,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the role of a user.
pub async fn set_role(tx: &mut PgConnection, id: Uuid, role: Role, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update users set role = $2, updated_at = $3 where id = $1",
        id,
        role.as_str(),
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
