//! Who holds which plan, from when until when.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// Begins an active monthly subscription.
///
/// # Errors
/// Whatever the database answers; a second active one is a unique violation.
pub async fn begin(
    tx: &mut PgConnection,
    id: Uuid,
    user_id: Uuid,
    plan: &str,
    start: Timestamp,
    end: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, created_at, updated_at)
        values ($1, $2, $3, 'active', 'monthly', $4, $5, $4, $4)",
        id,
        user_id,
        plan,
        start.to_sqlx() as SqlTimestamp,
        end.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Ends what a user has subscribed to; what was sold when stays on the books, without a name.
///
/// # Errors
/// Whatever the database answers.
pub async fn end_of_user(tx: &mut PgConnection, user_id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update subscription set user_id = null, auto_renew = false, updated_at = $2,
            status = case when status in ('pending', 'active') then 'cancelled' else status end
        where user_id = $1",
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}
