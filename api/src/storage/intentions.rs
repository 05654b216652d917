//! Intentions of users to bid.

use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgExecutor;
use uuid::Uuid;

/// Records that a user intends to bid for a tender. Repeating the call changes nothing.
pub async fn add(
    db: impl PgExecutor<'_>,
    tender_id: Uuid,
    user_id: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into tender_intention (tender_id, user_id, at) values ($1, $2, $3) on conflict do nothing",
        tender_id,
        user_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Removes the intention of a user to bid for a tender.
pub async fn remove(db: impl PgExecutor<'_>, tender_id: Uuid, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from tender_intention where tender_id = $1 and user_id = $2", tender_id, user_id)
        .execute(db)
        .await?;
    Ok(())
}

/// Whether a user intends to bid for a tender.
pub async fn has(db: impl PgExecutor<'_>, tender_id: Uuid, user_id: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from tender_intention where tender_id = $1 and user_id = $2) as "has!""#,
        tender_id,
        user_id,
    )
    .fetch_one(db)
    .await
}

/// Removes the intentions of an account and of the members of its team to bid for a tender.
pub async fn remove_of_account(
    db: impl PgExecutor<'_>,
    tender_id: Uuid,
    account_id: Uuid,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from tender_intention where tender_id = $1
            and (user_id = $2 or user_id in (select member_id from team_member where owner_id = $2))",
        tender_id,
        account_id,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Whether an account or a member of its team intends to bid for a tender.
pub async fn has_of_account(
    db: impl PgExecutor<'_>,
    tender_id: Uuid,
    account_id: Uuid,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from tender_intention where tender_id = $1
            and (user_id = $2 or user_id in (select member_id from team_member where owner_id = $2))) as "has!""#,
        tender_id,
        account_id,
    )
    .fetch_one(db)
    .await
}
