//! Refresh tokens: stored as hashes, one unrotated row a family in ordinary use. A family is one sign-in.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// A stored token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RefreshToken {
    /// Its row.
    pub id: Uuid,
    /// The sign-in it goes back to.
    pub family: Uuid,
    /// Whose.
    pub user_id: Uuid,
    /// After this it is worth nothing.
    pub expires_at: Timestamp,
    /// When it was exchanged for the next.
    pub rotated_at: Option<Timestamp>,
    /// When its family was signed out.
    pub revoked_at: Option<Timestamp>,
}

/// Stores a fresh token.
///
/// # Errors
/// Whatever the database answers.
pub async fn insert(
    tx: &mut PgConnection,
    token: &RefreshToken,
    hash: &[u8],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into refresh_token (id, family_id, user_id, token_hash, created_at, expires_at)
        values ($1, $2, $3, $4, $5, $6)",
        token.id,
        token.family,
        token.user_id,
        hash,
        at.to_sqlx() as SqlTimestamp,
        token.expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The token of a hash, locked until the transaction ends, so that two rotations of it follow one another.
///
/// # Errors
/// Whatever the database answers.
pub async fn lock(tx: &mut PgConnection, hash: &[u8]) -> Result<Option<RefreshToken>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select id, family_id, user_id, expires_at as "expires_at: SqlTimestamp",
            rotated_at as "rotated_at: SqlTimestamp", revoked_at as "revoked_at: SqlTimestamp"
        from refresh_token where token_hash = $1 for update"#,
        hash,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| RefreshToken {
        id: row.id,
        family: row.family_id,
        user_id: row.user_id,
        expires_at: row.expires_at.to_jiff(),
        rotated_at: row.rotated_at.map(SqlTimestamp::to_jiff),
        revoked_at: row.revoked_at.map(SqlTimestamp::to_jiff),
    }))
}

/// Marks a token as exchanged; one that was already keeps its time.
///
/// # Errors
/// Whatever the database answers.
pub async fn mark_rotated(tx: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update refresh_token set rotated_at = coalesce(rotated_at, $2) where id = $1",
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Revokes every token of a family.
///
/// # Errors
/// Whatever the database answers.
pub async fn revoke_family(db: impl PgExecutor<'_>, family: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update refresh_token set revoked_at = coalesce(revoked_at, $2) where family_id = $1",
        family,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}
