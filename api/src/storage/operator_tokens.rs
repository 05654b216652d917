//! Operator tokens, with which `ingest` authenticates, stored as hashes. Revoked tokens are kept
//! for the record.

use crate::domain::operator_token::OperatorToken;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

/// Stores the hash of a token.
pub async fn insert(
    db: impl PgExecutor<'_>,
    id: Uuid,
    name: &str,
    hash: &[u8],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into operator_token (id, name, token_hash, created_at) values ($1, $2, $3, $4)",
        id,
        name,
        hash,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Finds the valid token with this hash and returns its id. The use of a token is recorded at most
/// once a minute.
pub async fn find_and_mark_used(
    db: impl PgExecutor<'_>,
    hash: &[u8],
    at: Timestamp,
) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"with found as (
            select id, last_used_at from operator_token where token_hash = $1 and revoked_at is null
        ), noted as (
            update operator_token t set last_used_at = $2 from found
            where t.id = found.id
                and (found.last_used_at is null or found.last_used_at < $2::timestamptz - interval '1 minute')
        )
        select id as "id!" from found"#,
        hash,
        at.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(db)
    .await
}

/// All tokens, oldest first.
pub async fn list(db: impl PgExecutor<'_>) -> Result<Vec<OperatorToken>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, name, created_at as "created_at: SqlTimestamp",
            last_used_at as "last_used_at: SqlTimestamp", revoked_at as "revoked_at: SqlTimestamp"
        from operator_token order by id"#
    )
    .fetch_all(db)
    .await?;
    let tokens = rows.into_iter().map(|row| OperatorToken {
        id: row.id,
        name: row.name,
        created_at: row.created_at.to_jiff(),
        last_used_at: row.last_used_at.map(SqlTimestamp::to_jiff),
        revoked_at: row.revoked_at.map(SqlTimestamp::to_jiff),
    });
    Ok(tokens.collect())
}

/// Revokes the valid tokens with a name and returns their number.
pub async fn revoke(db: impl PgExecutor<'_>, name: &str, at: Timestamp) -> Result<u64, sqlx::Error> {
    let done = sqlx::query!(
        "update operator_token set revoked_at = $2 where name = $1 and revoked_at is null",
        name,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
