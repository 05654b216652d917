//! Refresh tokens, stored as hashes. Exactly one token of a session was not exchanged.

use crate::domain::session::{RefreshToken, Session};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// Stores a new token of a session.
pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    session: Uuid,
    hash: &[u8],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into refresh_token (id, session_id, token_hash, created_at) values ($1, $2, $3, $4)",
        id,
        session,
        hash,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Finds the token with this hash and its session. Locks both until the transaction ends, so that
/// concurrent exchanges and the end of the session run one after the other.
pub async fn lock(
    tx: &mut PgConnection,
    hash: &[u8],
) -> Result<Option<(RefreshToken, Session)>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select t.id, t.rotated_at as "rotated_at: SqlTimestamp", t.successor_id, s.id as session_id, s.user_id,
            s.is_remembered, s.expires_at as "expires_at: SqlTimestamp", s.ends_at as "ends_at: SqlTimestamp",
            s.ended_at as "ended_at: SqlTimestamp"
        from refresh_token t join session s on s.id = t.session_id where t.token_hash = $1 for update"#,
        hash,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| {
        let token =
            RefreshToken { id: row.id, exchange: row.rotated_at.map(|at| (at.to_jiff(), row.successor_id)) };
        let session = Session {
            id: row.session_id,
            user_id: row.user_id,
            is_remembered: row.is_remembered,
            expires_at: row.expires_at.to_jiff(),
            ends_at: row.ends_at.to_jiff(),
            ended_at: row.ended_at.map(SqlTimestamp::to_jiff),
        };
        (token, session)
    }))
}

/// Marks a token as exchanged for its successor.
pub async fn mark_exchanged(
    tx: &mut PgConnection,
    id: Uuid,
    successor: Uuid,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update refresh_token set rotated_at = $3, successor_id = $2 where id = $1",
        id,
        successor,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
