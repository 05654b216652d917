//! Tenders that wait for a check, refused publications and tenders that were taken down. The
//! columns are part of the table of tenders; [`super::tenders::revise`] clears them when the status
//! no longer fits.

use crate::domain::moderation::{HeldPublication, Moderation, ModerationReason, Publisher};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashMap;
use tender_model::tender::Tender;
use uuid::Uuid;

/// What is decided about these tenders. Tenders without decisions are left out.
pub async fn of_tenders(
    db: impl PgExecutor<'_>,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, Moderation>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select id, held_at as "held_at: SqlTimestamp", refused_at as "refused_at: SqlTimestamp", refusal_reason,
            taken_down_at as "taken_down_at: SqlTimestamp", takedown_reason
        from tender
        where id = any($1) and (held_at is not null or refused_at is not null or taken_down_at is not null)"#,
        ids,
    )
    .fetch_all(db)
    .await?;
    let reason = |at: Option<SqlTimestamp>, reason: Option<String>| {
        at.zip(reason).map(|(at, reason)| ModerationReason { at: at.to_jiff(), reason })
    };
    let found = rows.into_iter().map(|row| {
        let moderation = Moderation {
            held_at: row.held_at.map(SqlTimestamp::to_jiff),
            refusal: reason(row.refused_at, row.refusal_reason),
            takedown: reason(row.taken_down_at, row.takedown_reason),
        };
        (row.id, moderation)
    });
    Ok(found.collect())
}

/// Whether the tenders of a user are published without a check.
pub async fn is_approved_publisher(db: impl PgExecutor<'_>, user: Uuid) -> Result<bool, sqlx::Error> {
    let approved = sqlx::query_scalar!(
        r#"select publisher_approved_at is not null as "approved!" from users where id = $1"#,
        user
    )
    .fetch_optional(db)
    .await?;
    Ok(approved.unwrap_or(false))
}

/// From now on, the tenders of a user are published without a check.
pub async fn approve_publisher(tx: &mut PgConnection, user: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update users set publisher_approved_at = $2 where id = $1 and publisher_approved_at is null",
        user,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The next publication of a user waits for a check again.
pub async fn revoke_publisher_approval(tx: &mut PgConnection, user: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("update users set publisher_approved_at = null where id = $1", user).execute(tx).await?;
    Ok(())
}

/// Whether a tender waits for a check.
pub async fn is_held(db: impl PgExecutor<'_>, id: Uuid) -> Result<bool, sqlx::Error> {
    let held = sqlx::query_scalar!(r#"select held_at is not null as "held!" from tender where id = $1"#, id)
        .fetch_optional(db)
        .await?;
    Ok(held.unwrap_or(false))
}

/// Puts a draft at the end of the queue of tenders that wait for a check.
pub async fn hold(tx: &mut PgConnection, id: Uuid, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update tender set held_at = $2, held_number = nextval('tender_held_number'), hold_is_mailed = false,
            refused_at = null, refusal_reason = null
        where id = $1",
        id,
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Takes a draft out of the queue. With a reason, its publication is refused.
pub async fn release(
    tx: &mut PgConnection,
    id: Uuid,
    refusal: Option<(&str, Timestamp)>,
) -> Result<(), sqlx::Error> {
    let (reason, at) = refusal.unzip();
    sqlx::query!(
        "update tender set held_at = null, held_number = null, refused_at = $2, refusal_reason = $3 where id = $1",
        id,
        at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
        reason,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Records why a withdrawn tender was taken down.
pub async fn take_down(
    tx: &mut PgConnection,
    id: Uuid,
    reason: &str,
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update tender set taken_down_at = $2, takedown_reason = $3 where id = $1",
        id,
        at.to_sqlx() as SqlTimestamp,
        reason,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Whether tenders of a user are taken down.
pub async fn has_taken_down(db: impl PgExecutor<'_>, owner: Uuid) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from tender where owner_id = $1 and taken_down_at is not null) as "found!""#,
        owner
    )
    .fetch_one(db)
    .await
}

/// The publisher of a tender that waits for a check.
pub async fn publisher_of_held(db: impl PgExecutor<'_>, id: Uuid) -> Result<Option<Uuid>, sqlx::Error> {
    let owner =
        sqlx::query_scalar!("select owner_id from tender where id = $1 and held_number is not null", id)
            .fetch_optional(db)
            .await?;
    Ok(owner.flatten())
}

/// Locks the tenders of a publisher that wait for a check, until the transaction ends.
pub async fn lock_held_of(tx: &mut PgConnection, owner: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query_scalar!(
        "select id from tender where owner_id = $1 and held_number is not null order by id for update",
        owner
    )
    .fetch_all(tx)
    .await?;
    Ok(())
}

/// The tenders of a publisher that wait for a check, the oldest first, locked until the transaction
/// ends. A tender that another transaction has locked is left out.
pub async fn take_held_of(tx: &mut PgConnection, owner: Uuid) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select id from tender where owner_id = $1 and held_number is not null
        order by held_number for update skip locked",
        owner
    )
    .fetch_all(tx)
    .await
}

/// The number of tenders of a publisher that wait for a check.
pub async fn count_held_of(db: impl PgExecutor<'_>, owner: Uuid) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select count(*) as "count!" from tender where owner_id = $1 and held_number is not null"#,
        owner
    )
    .fetch_one(db)
    .await
}

/// The number of tenders that wait for a check.
pub async fn count_held(db: impl PgExecutor<'_>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar!(r#"select count(*) as "count!" from tender where held_number is not null"#)
        .fetch_one(db)
        .await
}

/// At most `limit` tenders that wait for a check, after the number `after`, the oldest first.
pub async fn held_page(
    db: impl PgExecutor<'_>,
    after: Option<i64>,
    limit: i64,
) -> Result<Vec<HeldPublication>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select t.held_number as "number!", t.held_at as "held_at!: SqlTimestamp", t.revision,
            r.record as "record: Json<Tender>", u.id as user_id, u.email, u.first_name, u.last_name, u.phone, u.company,
            u.created_at as "created_at: SqlTimestamp", u.locked_at as "locked_at: SqlTimestamp",
            c.published as "published!", c.held as "held!", c.refused as "refused!", c.taken_down as "taken_down!"
        from tender t
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        join users u on u.id = t.owner_id
        cross join lateral (
            select count(*) filter (where o.published_at is not null) as published,
                count(*) filter (where o.held_number is not null) as held,
                count(*) filter (where o.refused_at is not null) as refused,
                count(*) filter (where o.taken_down_at is not null) as taken_down
            from tender o where o.owner_id = u.id) as c
        where t.held_number > coalesce($1::bigint, 0)
        order by t.held_number limit $2"#,
        after,
        limit,
    )
    .fetch_all(db)
    .await?;
    let publications = rows.into_iter().map(|row| HeldPublication {
        number: row.number,
        held_at: row.held_at.to_jiff(),
        tender: row.record.0,
        revision: row.revision,
        publisher: Publisher {
            id: row.user_id,
            email: row.email,
            first_name: row.first_name,
            last_name: row.last_name,
            phone: row.phone,
            company: row.company,
            created_at: row.created_at.to_jiff(),
            locked_at: row.locked_at.map(SqlTimestamp::to_jiff),
            published: row.published,
            held: row.held,
            refused: row.refused,
            taken_down: row.taken_down,
        },
    });
    Ok(publications.collect())
}

/// Whether a tender waits for a check of which the administrators were not mailed yet.
pub async fn has_unmailed(db: impl PgExecutor<'_>) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from tender where held_number is not null and not hold_is_mailed) as "found!""#
    )
    .fetch_one(db)
    .await
}

/// Locks the record of the mails about waiting tenders until the transaction ends, and returns when
/// the last one was sent. The outer `None` means that another process has locked it.
pub async fn lock_last_mail(tx: &mut PgConnection) -> Result<Option<Option<Timestamp>>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select mailed_at as "mailed_at: SqlTimestamp" from administrator_mail
        where topic = 'held-publications' for update skip locked"#
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| row.mailed_at.map(SqlTimestamp::to_jiff)))
}

/// Records that the administrators are mailed about all tenders that wait now. A tender that another
/// transaction has locked is part of the next mail.
pub async fn record_mail(tx: &mut PgConnection, at: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update tender set hold_is_mailed = true where id in (
            select id from tender where held_number is not null and not hold_is_mailed for update skip locked)"
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update administrator_mail set mailed_at = $1 where topic = 'held-publications'",
        at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// The ids of the administrators who can be mailed: their addresses are confirmed and their accounts
/// are not locked.
pub async fn mailed_administrators(db: impl PgExecutor<'_>) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select u.id from users u
        join address a on a.user_id = u.id and lower(a.email) = lower(u.email) and a.verified_at is not null
        where u.role = 'admin' and u.locked_at is null order by u.id"#
    )
    .fetch_all(db)
    .await
}

/// At most `limit` tenders that are taken down, the latest first.
pub async fn taken_down(db: impl PgExecutor<'_>, limit: i64) -> Result<Vec<Uuid>, sqlx::Error> {
    sqlx::query_scalar!(
        "select id from tender where taken_down_at is not null order by taken_down_at desc limit $1",
        limit
    )
    .fetch_all(db)
    .await
}
