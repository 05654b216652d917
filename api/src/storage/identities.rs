//! Google accounts that sign a user in: at most one per user.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor};
use uuid::Uuid;

/// The user that a Google account signs in.
pub async fn user_of(db: impl PgExecutor<'_>, subject: &str) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select user_id from identity where provider = 'google' and subject = $1", subject)
        .fetch_optional(db)
        .await
}

/// Connects a Google account with a user. `false`: the Google account or the user is already
/// connected with another account, and nothing is stored. Connecting the same pair again changes
/// nothing.
pub async fn connect(
    tx: &mut PgConnection,
    subject: &str,
    user_id: Uuid,
    at: Timestamp,
) -> Result<bool, sqlx::Error> {
    let stored = sqlx::query!(
        "insert into identity (provider, subject, user_id, created_at) values ('google', $1, $2, $3)
        on conflict do nothing",
        subject,
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    Ok(stored.rows_affected() == 1 || user_of(tx, subject).await? == Some(user_id))
}

/// Disconnects the Google account of a user.
pub async fn disconnect(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from identity where user_id = $1", user_id).execute(tx).await?;
    Ok(())
}
