//! Mailed links, which prove that a user owns an address, and requests for new passwords.

use crate::domain::mailed_link::{LinkPurpose, NewLink};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Stores a link.
pub async fn insert(tx: &mut PgConnection, link: &NewLink<'_>, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into mailed_link (token_hash, purpose, user_id, email, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)",
        link.token_hash,
        link.purpose.as_str(),
        link.user_id,
        link.email,
        at.to_sqlx() as SqlTimestamp,
        link.expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Marks a link as used. Returns its user and the address to which it was mailed. `None`: there is
/// no such link for the purpose, or it was used or has expired. Of concurrent calls, only one
/// succeeds.
pub async fn take(
    tx: &mut PgConnection,
    purpose: LinkPurpose,
    token_hash: &[u8],
    at: Timestamp,
) -> Result<Option<(Uuid, String)>, sqlx::Error> {
    let row = sqlx::query!(
        "update mailed_link set used_at = $3
        where token_hash = $1 and purpose = $2 and used_at is null and expires_at > $3
        returning user_id, email",
        token_hash,
        purpose.as_str(),
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| (row.user_id, row.email)))
}

/// The number of links for a purpose that were mailed to a user since a moment.
pub async fn count_since(
    db: impl PgExecutor<'_>,
    purpose: LinkPurpose,
    user_id: Uuid,
    since: Timestamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from mailed_link where purpose = $1 and user_id = $2 and created_at > $3"#,
        purpose.as_str(),
        user_id,
        since.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(db)
    .await
}

/// Revokes the unused links of a user for a purpose.
pub async fn revoke(
    tx: &mut PgConnection,
    purpose: LinkPurpose,
    user_id: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update mailed_link set used_at = $3 where purpose = $1 and user_id = $2 and used_at is null",
        purpose.as_str(),
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Revokes all unused links of a user.
pub async fn revoke_all(tx: &mut PgConnection, user_id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update mailed_link set used_at = $2 where user_id = $1 and used_at is null",
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stores a request for a new password, whether or not an account has the address.
pub async fn insert_password_request(
    db: impl PgExecutor<'_>,
    id: Uuid,
    email: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into password_request (id, email, at) values ($1, $2, $3)",
        id,
        email,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes the oldest request for a new password that no other transaction has locked. Returns the
/// address for which it was made.
pub async fn take_password_request(tx: &mut PgConnection) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar!(
        "delete from password_request where id = (
            select id from password_request order by at, id limit 1 for update skip locked)
        returning email",
    )
    .fetch_optional(tx)
    .await
}

/// Deletes the requests for a new password that were made for a user's address.
pub async fn delete_requests_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from password_request using users u where u.id = $1 and lower(password_request.email) = lower(u.email)",
        user_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}
