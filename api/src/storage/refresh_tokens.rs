//! Refresh tokens, stored as hashes. The tokens of a session form a family. Normally, exactly one
//! token of a family was not rotated.

use crate::domain::session::{OpenSession, RefreshToken};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Stores a new token.
pub async fn insert(
    tx: &mut PgConnection,
    token: &RefreshToken,
    hash: &[u8],
    user_agent: Option<&str>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into refresh_token (id, family_id, user_id, token_hash, created_at, expires_at, user_agent, is_remembered)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        token.id,
        token.family,
        token.user_id,
        hash,
        at.to_sqlx() as SqlTimestamp,
        token.expires_at.to_sqlx() as SqlTimestamp,
        user_agent,
        token.is_remembered,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Finds the token with this hash and locks it until the transaction ends. Concurrent rotations
/// therefore run one after the other.
pub async fn lock(tx: &mut PgConnection, hash: &[u8]) -> Result<Option<RefreshToken>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select id, family_id, user_id, is_remembered, expires_at as "expires_at: SqlTimestamp",
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
        is_remembered: row.is_remembered,
        expires_at: row.expires_at.to_jiff(),
        rotated_at: row.rotated_at.map(SqlTimestamp::to_jiff),
        revoked_at: row.revoked_at.map(SqlTimestamp::to_jiff),
    }))
}

/// Marks a token as rotated. If the token was rotated before, the first time is kept.
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

/// The open sessions of a user, last used first.
pub async fn sessions(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    now: Timestamp,
) -> Result<Vec<OpenSession>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select family_id, (array_agg(user_agent order by created_at))[1] as user_agent,
            min(created_at) as "begun_at!: SqlTimestamp", max(created_at) as "used_at!: SqlTimestamp"
        from refresh_token where user_id = $1
        group by family_id having bool_and(revoked_at is null) and max(expires_at) > $2
        order by max(created_at) desc"#,
        user_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let open = rows.into_iter().map(|row| OpenSession {
        family: row.family_id,
        user_agent: row.user_agent,
        begun_at: row.begun_at.to_jiff(),
        used_at: row.used_at.to_jiff(),
    });
    Ok(open.collect())
}

/// Revokes every token of a user, except those of the family `kept`.
pub async fn revoke_others(
    connection: &mut PgConnection,
    user_id: Uuid,
    kept: Option<Uuid>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    // While this statement waits for a rotation, the rotation can add a token. The statement is
    // therefore repeated until it finds no token.
    loop {
        let revoked = sqlx::query!(
            "update refresh_token set revoked_at = $3
            where user_id = $1 and ($2::uuid is null or family_id <> $2) and revoked_at is null",
            user_id,
            kept,
            at.to_sqlx() as SqlTimestamp,
        );
        if revoked.execute(&mut *connection).await?.rows_affected() == 0 {
            return Ok(());
        }
    }
}

/// Revokes every token of a family.
pub async fn revoke_family(
    connection: &mut PgConnection,
    family: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    // It is repeated for the same reason as in `revoke_others`.
    loop {
        let revoked = sqlx::query!(
            "update refresh_token set revoked_at = $2 where family_id = $1 and revoked_at is null",
            family,
            at.to_sqlx() as SqlTimestamp,
        );
        if revoked.execute(&mut *connection).await?.rows_affected() == 0 {
            return Ok(());
        }
    }
}
