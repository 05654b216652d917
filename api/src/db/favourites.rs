//! Tenders that users keep an eye on.

use super::tenders::CurrentTender;
use index::tender::Tender;
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgExecutor, types::Json};
use std::collections::HashSet;
use uuid::Uuid;

/// Keeps one. Kept again, it stays where it was.
///
/// # Errors
/// Whatever the database answers.
pub async fn add(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    tender_id: Uuid,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into favourite (user_id, tender_id, at) values ($1, $2, $3) on conflict do nothing",
        user_id,
        tender_id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Lets one go.
///
/// # Errors
/// Whatever the database answers.
pub async fn remove(db: impl PgExecutor<'_>, user_id: Uuid, tender_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from favourite where user_id = $1 and tender_id = $2", user_id, tender_id)
        .execute(db)
        .await?;
    Ok(())
}

/// Which of these tenders a user keeps.
///
/// # Errors
/// Whatever the database answers.
pub async fn among(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    tenders: &[Uuid],
) -> Result<HashSet<Uuid>, sqlx::Error> {
    let kept = sqlx::query_scalar!(
        "select tender_id from favourite where user_id = $1 and tender_id = any($2)",
        user_id,
        tenders,
    )
    .fetch_all(db)
    .await?;
    Ok(kept.into_iter().collect())
}

/// A user's, the last kept first, and how many there are: what was taken down since is left out.
///
/// # Errors
/// Whatever the database answers.
pub async fn of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    skip: i64,
    limit: i64,
) -> Result<(Vec<CurrentTender>, u64), sqlx::Error> {
    let rows = sqlx::query!(
        r#"with kept as (
            select t.id, t.owner_id, t.revision, f.at from favourite f join tender t on t.id = f.tender_id
            where f.user_id = $1 and t.status not in ('draft', 'withdrawn')
        ), page as (
            select * from kept order by at desc, id desc offset $2 limit $3
        )
        select (select count(*) from kept) as "count!", p.owner_id as "owner_id?", p.revision as "revision?",
            r.record as "record?: Json<Tender>"
        from (select 1) as one left join page p on true
        left join tender_revision r on r.tender_id = p.id and r.revision = p.revision
        order by p.at desc, p.id desc"#,
        user_id,
        skip,
        limit,
    )
    .fetch_all(db)
    .await?;
    let count = rows.first().map_or(0, |row| row.count);
    let found = rows.into_iter().filter_map(|row| {
        Some(CurrentTender { tender: row.record?.0, owner_id: row.owner_id, revision: row.revision? })
    });
    Ok((found.collect(), u64::try_from(count).unwrap_or(0)))
}
