//! Sessions.

use crate::domain::session::{OpenSession, Session, SignInStrength};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// Stores a new session.
pub async fn insert(
    tx: &mut PgConnection,
    session: &Session,
    strength: SignInStrength,
    user_agent: Option<&str>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into session (id, user_id, user_agent, is_remembered, begun_at, used_at, expires_at, ends_at,
            second_factor_at, has_short_password)
        values ($1, $2, $3, $4, $5, $5, $6, $7, case when $8 then $5::timestamptz end, $9)",
        session.id,
        session.user_id,
        user_agent,
        session.is_remembered,
        now.to_sqlx() as SqlTimestamp,
        session.expires_at.to_sqlx() as SqlTimestamp,
        session.ends_at.to_sqlx() as SqlTimestamp,
        strength.has_second_factor,
        strength.has_short_password,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Moves the time at which an unused session ends.
pub async fn renew(
    tx: &mut PgConnection,
    id: Uuid,
    expires_at: Timestamp,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update session set used_at = $2, expires_at = $3 where id = $1",
        id,
        now.to_sqlx() as SqlTimestamp,
        expires_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records that the user has just proved a second factor in this session.
pub async fn mark_second_factor(tx: &mut PgConnection, id: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update session set second_factor_at = $2 where id = $1",
        id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records whether the password that the user set in this session is short.
pub async fn set_has_short_password(
    tx: &mut PgConnection,
    id: Uuid,
    has_short_password: bool,
) -> Result<(), sqlx::Error> {
    sqlx::query!("update session set has_short_password = $2 where id = $1", id, has_short_password)
        .execute(tx)
        .await?;
    Ok(())
}

/// The open sessions of a user, last used first.
pub async fn open_of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    now: Timestamp,
) -> Result<Vec<OpenSession>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, user_agent, begun_at as "begun_at: SqlTimestamp", used_at as "used_at: SqlTimestamp"
        from session where user_id = $1 and ended_at is null and expires_at > $2 order by used_at desc, id desc"#,
        user_id,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let open = rows.into_iter().map(|row| OpenSession {
        id: row.id,
        user_agent: row.user_agent,
        begun_at: row.begun_at.to_jiff(),
        used_at: row.used_at.to_jiff(),
    });
    Ok(open.collect())
}

/// Signs out the sessions of a user beyond the `kept` last used ones.
pub async fn end_least_used(
    tx: &mut PgConnection,
    user_id: Uuid,
    kept: i64,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update session set ended_at = $3 where id in (
            select id from session where user_id = $1 and ended_at is null and expires_at > $3
            order by used_at desc, id desc offset $2)",
        user_id,
        kept,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Signs out a session.
pub async fn end(db: impl PgExecutor<'_>, id: Uuid, now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update session set ended_at = $2 where id = $1 and ended_at is null",
        id,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Signs out all sessions of a user, except the session `kept`.
pub async fn end_others(
    tx: &mut PgConnection,
    user_id: Uuid,
    kept: Option<Uuid>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update session set ended_at = $3
        where user_id = $1 and ($2::uuid is null or id <> $2) and ended_at is null",
        user_id,
        kept,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
