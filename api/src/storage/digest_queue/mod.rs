//! Open messages collect items until they are sealed. An alert has at most one open message per
//! channel. A user has at most one open message about saved tenders. The user's settings at the
//! time of sealing decide whether and where a message is sent.

pub(crate) mod due;
pub(crate) mod items;

use crate::{
    domain::{channel::Channel, digest::DigestReason, frequency::Frequency},
    storage::enum_column::decode,
};
use jiff::{SignedDuration, Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashMap};
use uuid::Uuid;

/// The times that decide when a message about saved tenders is sealed.
#[derive(Debug, Clone, Copy)]
pub struct SealSchedule {
    /// The current time.
    pub now: Timestamp,
    /// When the message is sealed, unless `limit` makes it earlier.
    pub seal_at: Timestamp,
    /// The maximum time that the message stays open.
    pub limit: SignedDuration,
}

/// A new item of an alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewItem {
    /// The alert.
    pub alert_id: Uuid,
    /// The owner of the alert.
    pub user_id: Uuid,
    /// The channel.
    pub channel: Channel,
    /// The recipient's current address.
    pub address: String,
    /// The alert's current frequency.
    pub frequency: Frequency,
    /// The time of the daily mail.
    pub daily_summary_time: civil::Time,
    /// The tender.
    pub tender_id: Uuid,
    /// The revision of the tender.
    pub tender_revision: i64,
    /// Why the tender is in the message.
    pub reason: DigestReason,
}

/// An item that is added to a message.
#[derive(Debug, Clone, Copy)]
pub struct ItemToCollect<'a> {
    /// The item.
    pub item: &'a NewItem,
    /// The id of the message, if it has to be opened.
    pub id: Uuid,
    /// When the message is sealed, if it is opened or rescheduled for this item.
    pub seal_at: Timestamp,
}

/// Adds each item to the open message of its alert and channel, and opens missing messages. An
/// immediate message is sealed at most `limit` after it was opened.
pub async fn collect(
    tx: &mut PgConnection,
    items: &[ItemToCollect<'_>],
    now: Timestamp,
    limit: SignedDuration,
) -> Result<(), sqlx::Error> {
    if items.is_empty() {
        return Ok(());
    }
    let mut by_message: BTreeMap<(Uuid, Channel), &ItemToCollect<'_>> = BTreeMap::new();
    for collecting in items {
        by_message.entry((collecting.item.alert_id, collecting.item.channel)).or_insert(collecting);
    }
    let ids = open_messages(&mut *tx, &by_message.into_values().collect::<Vec<_>>(), now, limit).await?;
    let items_by_message: Vec<(&NewItem, Uuid)> = items
        .iter()
        .filter_map(|ItemToCollect { item, .. }| Some((*item, *ids.get(&(item.alert_id, item.channel))?)))
        .collect();
    sqlx::query!(
        "insert into delivery_item (alert_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
        select *, $7::timestamptz from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::text[], $6::uuid[])
        on conflict do nothing",
        &items_by_message.iter().map(|(item, _)| item.alert_id).collect::<Vec<_>>(),
        &items_by_message.iter().map(|(item, _)| item.tender_id).collect::<Vec<_>>(),
        &items_by_message.iter().map(|(item, _)| item.tender_revision).collect::<Vec<_>>(),
        &items_by_message.iter().map(|(item, _)| item.reason.to_stored()).collect::<Vec<_>>(),
        &items_by_message.iter().map(|(item, _)| item.address.clone()).collect::<Vec<_>>(),
        &items_by_message.iter().map(|(_, id)| *id).collect::<Vec<_>>(),
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Opens missing messages. Postpones open immediate messages, at most to `limit` after they were
/// opened, and reschedules messages whose frequency changed. Returns the ids of all these messages
/// by alert and channel.
async fn open_messages(
    tx: &mut PgConnection,
    by_message: &[&ItemToCollect<'_>],
    now: Timestamp,
    limit: SignedDuration,
) -> Result<HashMap<(Uuid, Channel), Uuid>, sqlx::Error> {
    let seal_at: Vec<SqlTimestamp> = by_message.iter().map(|stream| stream.seal_at.to_sqlx()).collect();
    let rows = sqlx::query!(
        r#"insert into delivery (id, user_id, alert_id, kind, channel, frequency, address, state, opened_at, seal_at)
        select id, user_id, alert_id, 'alerts', channel, frequency, address, 'open', $8::timestamptz, seal_at
        from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[])
            as stream (id, user_id, alert_id, channel, frequency, address, seal_at)
        on conflict (alert_id, channel) where state = 'open' do update
        set frequency = excluded.frequency, seal_at = case
            when excluded.frequency = 'immediate'
                then least(excluded.seal_at, delivery.opened_at + make_interval(secs => $9))
            when excluded.frequency <> delivery.frequency then excluded.seal_at
            else delivery.seal_at end
        returning id, alert_id as "alert_id!", channel"#,
        &by_message.iter().map(|stream| stream.id).collect::<Vec<_>>(),
        &by_message.iter().map(|stream| stream.item.user_id).collect::<Vec<_>>(),
        &by_message.iter().map(|stream| stream.item.alert_id).collect::<Vec<_>>(),
        &by_message.iter().map(|stream| stream.item.channel.as_str().to_owned()).collect::<Vec<_>>(),
        &by_message.iter().map(|stream| stream.item.frequency.as_str().to_owned()).collect::<Vec<_>>(),
        &by_message.iter().map(|stream| stream.item.address.clone()).collect::<Vec<_>>(),
        &seal_at as &[SqlTimestamp],
        now.to_sqlx() as SqlTimestamp,
        limit.as_secs_f64(),
    )
    .fetch_all(tx)
    .await?;
    let open =
        rows.into_iter().map(|row| Ok(((row.alert_id, decode("delivery.channel", &row.channel)?), row.id)));
    open.collect()
}

/// A new item about a saved tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedItem {
    /// The user.
    pub user_id: Uuid,
    /// The user's address.
    pub address: String,
    /// The tender.
    pub tender_id: Uuid,
    /// The revision of the tender.
    pub tender_revision: i64,
    /// Why the tender is in the message.
    pub reason: DigestReason,
}

/// Adds an item to the open message about a user's saved tenders, or opens one with `id`.
pub async fn collect_saved(
    tx: &mut PgConnection,
    id: Uuid,
    item: &SavedItem,
    timing: SealSchedule,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with stream as (
            insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at)
            values ($1, $2, 'saved', 'email', 'immediate', $3, 'open', $4, $5)
            on conflict (user_id) where state = 'open' and kind = 'saved' do update
            set seal_at = least(excluded.seal_at, delivery.opened_at + make_interval(secs => $6))
            returning id
        )
        insert into delivery_item (user_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
        select $2, $7, $8, $9, $3, stream.id, $4 from stream
        on conflict do nothing",
        id,
        item.user_id,
        item.address,
        timing.now.to_sqlx() as SqlTimestamp,
        timing.seal_at.to_sqlx() as SqlTimestamp,
        timing.limit.as_secs_f64(),
        item.tender_id,
        item.tender_revision,
        item.reason.to_stored(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Opens the weekly summary of a user for the given Monday, unless it exists.
pub async fn open_summary(
    tx: &mut PgConnection,
    id: Uuid,
    (user_id, address): (Uuid, &str),
    monday: civil::Date,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at, period)
        values ($1, $2, 'summary', 'email', 'weekly', $3, 'open', $4, $4, $5)
        on conflict do nothing",
        id,
        user_id,
        address,
        now.to_sqlx() as SqlTimestamp,
        monday.to_sqlx() as jiff_sqlx::Date,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Opens a mail about several changed tenders, which the same transaction seals. An item is an alert,
/// a tender and its revision. Without an alert, the user has saved the tender. An item that was sent
/// to the address before is left out. Returns whether the mail has an item.
pub async fn open_changes(
    tx: &mut PgConnection,
    id: Uuid,
    (user_id, address): (Uuid, &str),
    items: &[(Option<Uuid>, Uuid, i64)],
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    let alerts: Vec<Option<Uuid>> = items.iter().map(|item| item.0).collect();
    let reasons: Vec<String> =
        items.iter().map(|(_, _, revision)| DigestReason::Change(*revision).to_stored()).collect();
    sqlx::query!(
        "insert into delivery (id, user_id, kind, channel, frequency, address, state, opened_at, seal_at)
        values ($1, $2, 'alerts', 'email', 'immediate', $3, 'open', $4, $4)",
        id,
        user_id,
        address,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    let done = sqlx::query!(
        "insert into delivery_item (alert_id, user_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
        select i.alert_id, case when i.alert_id is null then $2::uuid end, i.tender_id, i.revision, i.reason, $3, $1, $4
        from unnest($5::uuid[], $6::uuid[], $7::bigint[], $8::text[]) as i (alert_id, tender_id, revision, reason)
        on conflict do nothing",
        id,
        user_id,
        address,
        now.to_sqlx() as SqlTimestamp,
        alerts.as_slice() as &[Option<Uuid>],
        &items.iter().map(|item| item.1).collect::<Vec<_>>(),
        &items.iter().map(|item| item.2).collect::<Vec<_>>(),
        &reasons,
    )
    .execute(tx)
    .await?;
    Ok(done.rows_affected() > 0)
}

/// Marks sealed mails without an item of an alert as mails about saved tenders. Their links then
/// switch such mails off.
pub async fn mark_saved(tx: &mut PgConnection, ids: &[Uuid]) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery d set kind = 'saved' where d.id = any($1) and d.state = 'sealed'
            and not exists (select from delivery_item i where i.delivery_id = d.id and i.alert_id is not null)",
        ids
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the frequency and the time of sealing of the open messages of an alert that was just saved. A
/// message that was already due stays due.
pub async fn reschedule(
    tx: &mut PgConnection,
    alert_id: Uuid,
    frequency: Frequency,
    seal_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery d set frequency = $2, seal_at = case when d.seal_at <= a.updated_at then d.seal_at else $3 end
        from alert a where a.id = $1 and d.alert_id = a.id and d.state = 'open'",
        alert_id,
        frequency.as_str(),
        seal_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_round_trip_through_their_text_and_invalid_texts_are_refused() {
        for reason in
            [DigestReason::New, DigestReason::Change(7), DigestReason::Closes(civil::date(2026, 11, 23), 3)]
        {
            assert_eq!(DigestReason::from_stored(&reason.to_stored()), Some(reason));
        }
        for invalid in
            ["", "news", "change:", "change:x", "closes:2026-11-31:1", "closes:2026-11-23", "new:1"]
        {
            assert_eq!(DigestReason::from_stored(invalid), None, "{invalid}");
        }
    }
}
