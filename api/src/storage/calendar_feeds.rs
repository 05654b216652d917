//! The secret addresses of calendars, and the tenders in them.

use super::enum_column::decode;
use crate::domain::{
    bid::BidStage,
    calendar::{CalendarFeed, CalendarTender},
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgExecutor, types::Json};
use std::collections::HashMap;
use tender_model::tender::Tender;
use uuid::Uuid;

/// The maximum number of tenders in a calendar.
const MAX_TENDERS: i64 = 1000;

/// Gives the calendar of a user a new address. An earlier address becomes invalid.
pub async fn renew(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    feed_key: &str,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into calendar_feed (user_id, feed_key, created_at) values ($1, $2, $3)
        on conflict (user_id) do update set feed_key = excluded.feed_key, created_at = excluded.created_at",
        user_id,
        feed_key,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Revokes the address of a user's calendar.
pub async fn revoke(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from calendar_feed where user_id = $1", user_id).execute(db).await?;
    Ok(())
}

/// The address of a user's calendar, if it has one.
pub async fn of_user(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<Option<CalendarFeed>, sqlx::Error> {
    let row = sqlx::query!(
        r#"select feed_key, created_at as "created_at: SqlTimestamp" from calendar_feed where user_id = $1"#,
        user_id
    );
    let row = row.fetch_optional(db).await?;
    Ok(row.map(|row| CalendarFeed { feed_key: row.feed_key, created_at: row.created_at.to_jiff() }))
}

/// The user whose calendar has this key.
pub async fn user_of(db: impl PgExecutor<'_>, feed_key: &str) -> Result<Option<Uuid>, sqlx::Error> {
    sqlx::query_scalar!("select user_id from calendar_feed where feed_key = $1", feed_key)
        .fetch_optional(db)
        .await
}

/// The tenders for which a board has a bid that is neither lost nor dropped, and those that a user has
/// saved, unless the board has such a bid. Drafts are left out. Of too many, those that close last
/// are kept.
pub async fn tenders(
    db: impl PgExecutor<'_>,
    account_id: Uuid,
    user_id: Uuid,
) -> Result<Vec<CalendarTender>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select t.owner_id as publisher_id, t.revision, r.at as "revised_at: SqlTimestamp",
            r.record as "record: Json<Tender>", b.id as "bid_id?", b.stage as "stage?",
            (select jsonb_object_agg(k.row_key, k.fingerprint) from bid_tick k where k.bid_id = b.id)
                as "ticks?: Json<HashMap<String, String>>"
        from tender t
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        left join bid b on b.tender_id = t.id and b.account_id = $1
        where t.status <> 'draft' and (b.stage not in ('lost', 'dropped') or (b.id is null
            and exists (select from favourite f where f.tender_id = t.id and f.user_id = $2)))
            and (t.id in (select tender_id from bid where account_id = $1)
                or t.id in (select tender_id from favourite where user_id = $2))
        order by t.closing_at desc nulls first, t.id limit $3"#,
        account_id,
        user_id,
        MAX_TENDERS,
    )
    .fetch_all(db)
    .await?;
    let tenders = rows.into_iter().map(|row| {
        let stage: Option<BidStage> =
            row.stage.as_deref().map(|stage| decode("bid.stage", stage)).transpose()?;
        Ok(CalendarTender {
            tender: row.record.0,
            publisher_id: row.publisher_id,
            revision: row.revision,
            revised_at: row.revised_at.to_jiff(),
            bid: row.bid_id.zip(stage),
            ticks: row.ticks.map(|ticks| ticks.0).unwrap_or_default(),
        })
    });
    tenders.collect()
}
