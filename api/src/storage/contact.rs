//! Messages of the contact form.

use crate::domain::contact::NewContactMessage;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use uuid::Uuid;

/// Stores a message.
pub async fn insert(
    tx: &mut PgConnection,
    id: Uuid,
    message: &NewContactMessage<'_>,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into contact_message (id, user_id, name, email, message, is_priority, at, tender_id)
        values ($1, $2, $3, $4, $5, $6, $7, $8)",
        id,
        message.user_id,
        message.name,
        message.email,
        message.message,
        message.is_priority,
        at.to_sqlx() as SqlTimestamp,
        message.tender_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Deletes the messages of a user: those sent while signed in, and those of no account that name a
/// confirmed address of the user.
pub async fn delete_of_user(tx: &mut PgConnection, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from contact_message where user_id = $1 or (user_id is null and lower(email) in (
            select lower(email) from address where user_id = $1 and verified_at is not null))",
        user_id,
    )
    .execute(tx)
    .await?;
    Ok(())
}
