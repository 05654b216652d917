//! Reminders of the deadlines of bids: what users chose, and which reminders were sealed.

use crate::{
    domain::{
        bid::reminders::{DueReminder, RemindedBid, ReminderSetting},
        channel::Channel,
    },
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::HashMap;
use tender_model::tender::Tender;
use uuid::Uuid;

fn channels(stored: &[String]) -> Result<Vec<Channel>, sqlx::Error> {
    stored.iter().map(|channel| decode("bid_reminder_setting.channels", channel)).collect()
}

/// What a user chose for a bid, or for all bids. `None`: nothing.
pub async fn setting(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    bid_id: Option<Uuid>,
) -> Result<Option<ReminderSetting>, sqlx::Error> {
    let row = sqlx::query!(
        "select channels, sale_ends, pre_bid, closing from bid_reminder_setting
        where user_id = $1 and bid_id is not distinct from $2",
        user_id,
        bid_id,
    )
    .fetch_optional(db)
    .await?;
    row.map(|row| {
        Ok(ReminderSetting {
            channels: channels(&row.channels)?,
            sale_ends: row.sale_ends,
            pre_bid: row.pre_bid,
            closing: row.closing,
        })
    })
    .transpose()
}

/// Stores what a user chose.
pub async fn put_setting(
    db: impl PgExecutor<'_>,
    (id, user_id, bid_id): (Uuid, Uuid, Option<Uuid>),
    setting: &ReminderSetting,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let channels: Vec<String> = setting.channels.iter().map(|channel| channel.as_str().to_owned()).collect();
    sqlx::query!(
        "insert into bid_reminder_setting (id, user_id, bid_id, channels, sale_ends, pre_bid, closing, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8)
        on conflict (user_id, bid_id) do update set channels = excluded.channels, sale_ends = excluded.sale_ends,
            pre_bid = excluded.pre_bid, closing = excluded.closing, updated_at = excluded.updated_at",
        id,
        user_id,
        bid_id,
        &channels,
        &setting.sale_ends,
        &setting.pre_bid,
        &setting.closing,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores what counts for all bids of a user who has never chosen. Who has switched reminders off has chosen.
pub async fn put_first_setting(
    tx: &mut PgConnection,
    (id, user_id): (Uuid, Uuid),
    setting: &ReminderSetting,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let channels: Vec<String> = setting.channels.iter().map(|channel| channel.as_str().to_owned()).collect();
    sqlx::query!(
        "insert into bid_reminder_setting (id, user_id, bid_id, channels, sale_ends, pre_bid, closing, updated_at)
        values ($1, $2, null, $3, $4, $5, $6, $7) on conflict (user_id, bid_id) do nothing",
        id,
        user_id,
        &channels,
        &setting.sale_ends,
        &setting.pre_bid,
        &setting.closing,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Stops all mails that remind a user of bids. The reminders over other channels stay, and keep the time
/// since when they are due.
pub async fn switch_mails_off(db: impl PgExecutor<'_>, user_id: Uuid) -> Result<(), sqlx::Error> {
    let email = Channel::Email.as_str();
    sqlx::query!(
        "update bid_reminder_setting set channels = array_remove(channels, $2)
        where user_id = $1 and $2 = any(channels)",
        user_id,
        email,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Deletes what a user chose for a bid, so that the choice for all bids counts.
pub async fn remove_setting(db: impl PgExecutor<'_>, user_id: Uuid, bid_id: Uuid) -> Result<(), sqlx::Error> {
    sqlx::query!("delete from bid_reminder_setting where user_id = $1 and bid_id = $2", user_id, bid_id)
        .execute(db)
        .await?;
    Ok(())
}

/// The bids that are not submitted, of published tenders that have not closed, with the users who are reminded.
/// Whether a user may still work on the board, and has a confirmed address, the caller decides.
pub async fn reminded_bids(db: impl PgExecutor<'_>, now: Timestamp) -> Result<Vec<RemindedBid>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select b.id as "bid_id!", b.account_id as "account_id!", s.user_id as "user_id!", s.channels as "channels!",
            s.sale_ends as "sale_ends!", s.pre_bid as "pre_bid!", s.closing as "closing!",
            greatest(s.updated_at, b.created_at) as "since!: SqlTimestamp", t.owner_id as "publisher_id?",
            r.record as "tender!: Json<Tender>",
            (select jsonb_object_agg(k.row_key, k.fingerprint) from bid_tick k where k.bid_id = b.id)
                as "ticks?: Json<HashMap<String, String>>"
        from bid_reminder_setting s
        join bid b on b.stage in ('considering', 'preparing') and (b.id = s.bid_id or (s.bid_id is null
            and (b.account_id = s.user_id
                or b.account_id in (select m.owner_id from team_member m where m.member_id = s.user_id))
            and not exists (select from bid_reminder_setting own where own.user_id = s.user_id and own.bid_id = b.id)))
        join tender t on t.id = b.tender_id and t.status = 'published' and (t.closing_at is null or t.closing_at > $1)
        join tender_revision r on r.tender_id = t.id and r.revision = t.revision
        where cardinality(s.channels) > 0
        order by s.user_id, b.id"#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let bids = rows.into_iter().map(|row| {
        Ok(RemindedBid {
            bid_id: row.bid_id,
            account_id: row.account_id,
            user_id: row.user_id,
            setting: ReminderSetting {
                channels: channels(&row.channels)?,
                sale_ends: row.sale_ends,
                pre_bid: row.pre_bid,
                closing: row.closing,
            },
            since: row.since.to_jiff(),
            tender: row.tender.0,
            ticks: row.ticks.map(|ticks| ticks.0).unwrap_or_default(),
            publisher_id: row.publisher_id,
        })
    });
    bids.collect()
}

/// Records a reminder. `false`: it was recorded before, perhaps by another process.
pub async fn record(
    tx: &mut PgConnection,
    (bid_id, user_id): (Uuid, Uuid),
    due: &DueReminder,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "insert into bid_reminder (bid_id, user_id, kind, deadline_at, hours, at) values ($1, $2, $3, $4, $5, $6)
        on conflict do nothing",
        bid_id,
        user_id,
        due.kind.as_str(),
        due.deadline.timestamp().to_sqlx() as SqlTimestamp,
        due.hours,
        now.to_sqlx() as SqlTimestamp,
    );
    Ok(done.execute(tx).await?.rows_affected() == 1)
}

/// Whether a reminder was recorded.
pub async fn is_recorded(
    db: impl PgExecutor<'_>,
    (bid_id, user_id): (Uuid, Uuid),
    due: &DueReminder,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (select from bid_reminder
            where bid_id = $1 and user_id = $2 and kind = $3 and deadline_at = $4 and hours = $5) as "found!""#,
        bid_id,
        user_id,
        due.kind.as_str(),
        due.deadline.timestamp().to_sqlx() as SqlTimestamp,
        due.hours,
    )
    .fetch_one(db)
    .await
}
