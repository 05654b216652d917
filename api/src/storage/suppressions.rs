//! Addresses that get no mail because of bounces or complaints.

use crate::{
    domain::suppression::{SuppressedAddress, SuppressionReason},
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Records a bounce or complaint for the message that caused it. Returns the message's address.
/// `None`: there is no such message, or the same reason or a complaint is already recorded for it.
pub async fn record(
    tx: &mut PgConnection,
    delivery: Uuid,
    reason: SuppressionReason,
    now: Timestamp,
) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "update delivery set returned = $2, returned_at = $3 where id = $1 and returned is distinct from $2 and returned is distinct from 'complaint'
        returning address",
        delivery,
        reason.as_str(),
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await
}

/// The number of messages to an address that bounced or caused a complaint since a moment.
pub async fn count_bounces_since(
    db: impl PgExecutor<'_>,
    address: &str,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery where lower(address) = lower($1) and returned_at > $2"#,
        address,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Suppresses an address. The address is no longer confirmed. Sealed messages and retries to the
/// address are given up, except account mails.
pub async fn suppress(
    tx: &mut PgConnection,
    address: &str,
    (reason, detail): (SuppressionReason, &str),
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into suppression (address, reason, detail, at) values (lower($1), $2, $3, $4)
        on conflict (address) do update set id = default, reason = excluded.reason, detail = excluded.detail, at = excluded.at",
        address,
        reason.as_str(),
        detail,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("update address set verified_at = null where lower(email) = lower($1)", address)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "update delivery set state = 'dead', try_at = null, last_error = $2
        where lower(address) = lower($1) and state in ('sealed', 'retry')
            and kind <> 'letter'",
        address,
        format!("suppressed after a {}: {detail}", reason.as_str()),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Lifts the suppression of an address that was just confirmed.
pub async fn lift(tx: &mut PgConnection, address: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from suppression where address = lower($1)", address).execute(tx).await?;
    Ok(())
}

/// Lifts the suppressions of all addresses of a user.
pub async fn lift_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from suppression using address a where a.user_id = $1 and suppression.address = lower(a.email)",
        user_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

struct Row {
    id: i64,
    address: String,
    reason: String,
    detail: String,
    at: SqlTimestamp,
    user_id: Option<Uuid>,
}

impl TryFrom<Row> for SuppressedAddress {
    type Error = sqlx::Error;

    fn try_from(row: Row) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.id,
            reason: decode("suppression.reason", &row.reason)?,
            address: row.address,
            detail: row.detail,
            at: row.at.to_jiff(),
            user_id: row.user_id,
        })
    }
}

/// At most `limit` suppressed addresses before the suppression `before`, last suppressed first.
/// `search` is a part of the address or of the mail server's message.
pub async fn page(
    db: impl PgExecutor<'_>,
    search: Option<&str>,
    before: Option<i64>,
    limit: i64,
) -> Result<Vec<SuppressedAddress>, sqlx::Error> {
    let rows = sqlx::query_as!(
        Row,
        r#"select s.id, s.address, s.reason, s.detail, s.at as "at: SqlTimestamp", u.id as "user_id?"
        from suppression s left join users u on lower(u.email) = s.address
        where ($1::text is null or strpos(lower(s.address || ' ' || s.detail), lower($1)) > 0)
            and ($2::bigint is null or s.id < $2)
        order by s.id desc limit $3"#,
        search,
        before,
        limit,
    )
    .fetch_all(db)
    .await?;
    rows.into_iter().map(SuppressedAddress::try_from).collect()
}

/// Lifts a suppression. Returns the address that was suppressed. `None`: there is no such
/// suppression.
pub async fn lift_by_id(tx: &mut PgConnection, id: i64) -> Result<Option<SuppressedAddress>, sqlx::Error> {
    let row = sqlx::query_as!(
        Row,
        r#"with lifted as (delete from suppression where id = $1 returning id, address, reason, detail, at)
        select s.id, s.address, s.reason, s.detail, s.at as "at: SqlTimestamp", u.id as "user_id?"
        from lifted s left join users u on lower(u.email) = s.address"#,
        id,
    )
    .fetch_optional(tx)
    .await?;
    row.map(SuppressedAddress::try_from).transpose()
}
