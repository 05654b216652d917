//! Phone numbers for alerts: one per user, confirmed by a code.

use crate::domain::phone_number::Phone;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// The phone number of a user.
pub async fn of_user(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<Phone>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select number, verified_at is not null as "is_confirmed!", code_expires_at as "code_until: SqlTimestamp"
        from phone where user_id = $1"#,
        user_id,
    )
    .fetch_optional(db)
    .await?;
    Ok(row.map(|row| Phone {
        number: row.number,
        is_confirmed: row.is_confirmed,
        code_expires_at: row.code_until.map(SqlTimestamp::to_jiff),
    }))
}

/// Stores a number with the hash of the code that was sent to it. If the user's number is the same
/// as before and confirmed, it stays confirmed.
pub async fn put(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    number: &str,
    (code_hash, until): (&[u8], Timestamp),
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into phone (user_id, number, code_hash, code_expires_at) values ($1, $2, $3, $4)
        on conflict (user_id) do update set number = excluded.number, code_hash = excluded.code_hash,
            code_expires_at = excluded.code_expires_at, code_failures = 0,
            verified_at = case when phone.number = excluded.number then phone.verified_at end",
        user_id,
        number,
        code_hash,
        until.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// The number of codes that were sent since a moment to a user or to a number.
pub async fn count_codes_since(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    number: &str,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from delivery
        where kind = 'letter' and channel in ('sms', 'whatsapp') and sealed_at > $3
            and (user_id = $1 or split_part(address, ':', 2) = $2)"#,
        user_id,
        number,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Confirms a number if the code is right and has not expired, and fewer than `max_failures` wrong
/// codes were entered. A wrong code is counted.
pub async fn confirm(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    code_hash: &[u8],
    max_failures: i32,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let is_right = sqlx::query_scalar!(
        r#"update phone set
            verified_at = case when code_hash = $2 then $4 else verified_at end,
            code_failures = case when code_hash = $2 then 0 else code_failures + 1 end,
            code_expires_at = case when code_hash = $2 then null else code_expires_at end,
            code_hash = case when code_hash = $2 then null else code_hash end
        where user_id = $1 and code_expires_at > $4 and code_failures < $3
        returning code_hash is null as "is_right!""#,
        user_id,
        code_hash,
        max_failures,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await?;
    Ok(is_right.unwrap_or(false))
}

/// Deletes the phone number of a user. `false`: there was none.
pub async fn remove(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!("delete from phone where user_id = $1", user_id);
    Ok(done.execute(db).await?.rows_affected() == 1)
}

/// Marks a number as unconfirmed because it cannot be reached.
pub async fn mark_unconfirmed(db: &mut PgConnection, number: &str) -> Result<(), sqlx::Error> {
    sqlx::query!("update phone set verified_at = null where number = $1", number).execute(db).await?;
    Ok(())
}
