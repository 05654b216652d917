//! Locks due open messages and their users, and merges messages that go to the same address.

use crate::{
    domain::{
        channel::Channel,
        digest::{DigestKind, DueDigest},
        frequency::Frequency,
    },
    storage::enum_column::decode,
};
use jiff::Timestamp;
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashMap, HashSet};
use uuid::Uuid;

/// Returns at most `limit` messages of alerts and about saved tenders that have been due for longest,
/// and locks their users until the transaction ends. Users that another transaction has locked are
/// skipped.
pub async fn lock_due(
    tx: &mut PgConnection,
    now: Timestamp,
    limit: i64,
) -> Result<Vec<DueDigest>, sqlx::Error> {
    lock_recipients(tx, now, &[DigestKind::Alerts, DigestKind::Saved], limit).await
}

/// Like [`lock_due`], for a message that is composed from the index. A report takes longest to compose.
/// It is returned only if no summary is due.
pub async fn lock_due_index_message(
    tx: &mut PgConnection,
    now: Timestamp,
) -> Result<Option<DueDigest>, sqlx::Error> {
    for kind in [DigestKind::Summary, DigestKind::Report] {
        if let Some(due) = lock_recipients(&mut *tx, now, &[kind], 1).await?.pop() {
            return Ok(Some(due));
        }
    }
    Ok(None)
}

/// Whether a message that is composed from the index is due.
pub async fn has_due_index_messages(tx: &mut PgConnection, now: Timestamp) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar!(
        r#"select exists (
            select from delivery where state = 'open' and seal_at <= $1 and kind in ('summary', 'report')
        ) as "is_due!""#,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_one(tx)
    .await
}

async fn lock_recipients(
    tx: &mut PgConnection,
    now: Timestamp,
    kinds: &[DigestKind],
    limit: i64,
) -> Result<Vec<DueDigest>, sqlx::Error> {
    let rows = sqlx::query!(
        "select d.id, d.kind, d.channel, d.frequency, u.id as user_id, u.first_name, u.language
        from delivery d join users u on u.id = d.user_id
        where d.state = 'open' and d.seal_at <= $1 and d.kind = any($2)
        order by d.seal_at limit $3 for no key update of u skip locked",
        now.to_sqlx() as SqlTimestamp,
        &kinds.iter().map(|kind| kind.as_str().to_owned()).collect::<Vec<_>>(),
        limit,
    )
    .fetch_all(tx)
    .await?;
    let due = rows.into_iter().map(|row| {
        let kind = decode("delivery.kind", &row.kind)?;
        let frequency = match kind {
            DigestKind::Report => None,
            DigestKind::Alerts | DigestKind::Saved | DigestKind::Summary => {
                Some(decode("delivery.frequency", &row.frequency)?)
            }
        };
        Ok(DueDigest {
            id: row.id,
            kind,
            channel: decode("delivery.channel", &row.channel)?,
            frequency,
            user_id: row.user_id,
            first_name: row.first_name,
            language: decode("users.language", &row.language)?,
        })
    });
    due.collect()
}

/// The due messages after they were locked and merged. A message that is neither to be sealed nor
/// busy was deleted, because the user does not want it or may not have it, or because it was
/// merged. Or it has passed to another user and is still due.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GatheredMessages {
    /// The messages to seal, each with the items of all messages that were merged into it.
    pub to_seal: Vec<GatheredMessage>,
    /// The number of due messages that were skipped. Another transaction has locked or just sealed
    /// such a message, or has locked another message of its group.
    pub busy: usize,
}

/// A message to seal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatheredMessage {
    /// The message that now has the items of all merged messages.
    pub due: DueDigest,
    /// The recipient's address.
    pub address: String,
}

/// The key of a group of messages, which are merged if they go to the same address. An immediate
/// message is a group of its own. All daily and weekly messages of a user and channel are a group.
type Group = (Uuid, Channel, Option<Uuid>);

fn group_key(user_id: Uuid, channel: Channel, frequency: Option<Frequency>, id: Uuid) -> Group {
    (user_id, channel, (frequency == Some(Frequency::Immediate)).then_some(id))
}

/// Locks due messages of alerts, with all other due messages of the same groups. Messages of a
/// group to the same address are merged. Messages are deleted if the user has switched them off or
/// has no plan or confirmed address. The owner of an alert may change while its message is being
/// opened. Such a message passes to the new owner and stays open.
pub async fn gather_alerts(
    tx: &mut PgConnection,
    due: &[DueDigest],
    now: Timestamp,
) -> Result<GatheredMessages, sqlx::Error> {
    if due.is_empty() {
        return Ok(GatheredMessages::default());
    }
    let of_group = |due: &DueDigest| group_key(due.user_id, due.channel, due.frequency, due.id);
    let locked = lock_groups(&mut *tx, due, now).await?;
    let busy = due.iter().filter(|due| !locked.contains_key(&of_group(due))).count();
    let ids: Vec<Uuid> = locked.into_values().flatten().collect();
    drop_unwanted(&mut *tx, &ids, now).await?;
    let left = sqlx::query!(
        r#"select d.id, d.user_id as "user_id!", d.channel, d.frequency, r.user_id as "owner_id!", r.address as "address!",
            d.address <> r.address or exists (
                select from delivery_item i where i.delivery_id = d.id and i.address <> r.address
            ) as "is_elsewhere!"
        from delivery d
        cross join lateral (
            select user_id, address from alert_address where alert_id = d.alert_id and channel = d.channel offset 0
        ) as r
        where d.id = any($1) order by d.seal_at, d.id"#,
        &ids,
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut messages: BTreeMap<(Group, String), Vec<Uuid>> = BTreeMap::new();
    let mut elsewhere = HashSet::new();
    let mut passed_on = Vec::new();
    for row in left {
        if row.owner_id != row.user_id {
            passed_on.push((row.id, row.owner_id));
            continue;
        }
        if row.is_elsewhere {
            elsewhere.insert(row.id);
        }
        let frequency = Some(decode("delivery.frequency", &row.frequency)?);
        let of = group_key(row.user_id, decode("delivery.channel", &row.channel)?, frequency, row.id);
        messages.entry((of, row.address)).or_default().push(row.id);
    }
    pass_on(&mut *tx, passed_on).await?;
    // Most groups are a single message that was collected for its current address.
    let is_whole = |ids: &[Uuid]| matches!(ids, [id] if !elsewhere.contains(id));
    merge(tx, messages.iter().filter(|(_, ids)| !is_whole(ids))).await?;
    let to_seal = messages.into_iter().filter_map(|((of, address), ids)| {
        let due = due.iter().find(|due| of_group(due) == of)?;
        Some(GatheredMessage { due: DueDigest { id: *ids.first()?, ..due.clone() }, address })
    });
    Ok(GatheredMessages { to_seal: to_seal.collect(), busy })
}

/// Locks the due messages of the groups of `due`. Returns only groups of which all messages are
/// locked.
async fn lock_groups(
    tx: &mut PgConnection,
    due: &[DueDigest],
    now: Timestamp,
) -> Result<HashMap<Group, Vec<Uuid>>, sqlx::Error> {
    let (immediate, digests): (Vec<&DueDigest>, Vec<&DueDigest>) =
        due.iter().partition(|due| due.frequency == Some(Frequency::Immediate));
    let immediate: Vec<Uuid> = immediate.into_iter().map(|due| due.id).collect();
    let readers: Vec<Uuid> = digests.iter().map(|due| due.user_id).collect();
    let channels: Vec<String> = digests.iter().map(|due| due.channel.as_str().to_owned()).collect();
    let wanted = sqlx::query!(
        r#"select d.id as "id!", d.user_id as "user_id!", d.channel as "channel!", d.frequency as "frequency!" from delivery d
        where d.id = any($1) and d.state = 'open' and d.seal_at <= $4 and d.frequency = 'immediate'
        union
        select d.id, d.user_id, d.channel, d.frequency
        from unnest($2::uuid[], $3::text[]) as digest (user_id, channel)
        join delivery d on d.user_id = digest.user_id and d.channel = digest.channel
        where d.state = 'open' and d.kind = 'alerts' and d.seal_at <= $4 and d.frequency <> 'immediate'"#,
        &immediate,
        &readers,
        &channels,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(&mut *tx)
    .await?;
    let ids: Vec<Uuid> = wanted.iter().map(|row| row.id).collect();
    let locked = lock_messages(tx, &ids).await?;
    let mut groups: HashMap<Group, Vec<Uuid>> = HashMap::new();
    let mut blocked = HashSet::new();
    for row in wanted {
        let frequency = Some(decode("delivery.frequency", &row.frequency)?);
        let of = group_key(row.user_id, decode("delivery.channel", &row.channel)?, frequency, row.id);
        if locked.contains(&row.id) {
            groups.entry(of).or_default().push(row.id);
        } else {
            blocked.insert(of);
        }
    }
    groups.retain(|of, _| !blocked.contains(of));
    Ok(groups)
}

/// Deletes messages whose users have switched them off or have no plan or confirmed address.
async fn drop_unwanted(tx: &mut PgConnection, ids: &[Uuid], now: Timestamp) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "delete from delivery d where d.id = any($1) and not exists (
            select from alert_address r
            cross join lateral (
                select p.direct_alerts from held_subscription s join plan p on p.name = s.plan and p.email_alerts
                where s.holder_id = r.user_id and s.status = 'active' and s.start_date <= $2 and s.holds_until > $2
                offset 0
            ) as held
            where r.alert_id = d.alert_id and r.channel = d.channel and (r.channel = 'email' or held.direct_alerts)
            -- Looked up for each message, as is the plan: else the addresses of all alerts are gone through.
            offset 0
        )",
        ids,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Sets the users of messages.
async fn pass_on(tx: &mut PgConnection, messages: Vec<(Uuid, Uuid)>) -> Result<(), sqlx::Error> {
    if messages.is_empty() {
        return Ok(());
    }
    let (ids, users): (Vec<Uuid>, Vec<Uuid>) = messages.into_iter().unzip();
    sqlx::query!(
        "update delivery d set user_id = m.user_id from unnest($1::uuid[], $2::uuid[]) as m (id, user_id) where d.id = m.id",
        &ids,
        &users,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Merges the messages of a group to the same address into the first of them.
async fn merge(
    tx: &mut PgConnection,
    messages: impl Iterator<Item = (&(Group, String), &Vec<Uuid>)>,
) -> Result<(), sqlx::Error> {
    let (mut ids, mut firsts, mut addresses, mut alone) = (vec![], vec![], vec![], vec![]);
    for ((_, address), of) in messages {
        for id in of {
            ids.push(*id);
            firsts.extend(of.first());
            addresses.push(address.clone());
            alone.push(of.len() == 1);
        }
    }
    if ids.is_empty() {
        return Ok(());
    }
    // Move the items to the first message and its address. An item that would be a duplicate of one
    // that was collected for this address is deleted below.
    sqlx::query!(
        "update delivery_item i set delivery_id = m.first, address = m.address
        from unnest($1::uuid[], $2::uuid[], $3::text[]) as m (id, first, address)
        where i.delivery_id = m.id and (i.delivery_id <> m.first or i.address <> m.address)
            and (i.address = m.address or not exists (select from delivery_item other
                where other.alert_id = i.alert_id and other.tender_id = i.tender_id and other.reason = i.reason
                    and other.address = m.address))",
        &ids,
        &firsts,
        &addresses,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from delivery_item i using unnest($1::uuid[], $2::text[]) as m (first, address)
        where i.delivery_id = m.first and i.address <> m.address",
        &firsts,
        &addresses,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "delete from delivery d using unnest($1::uuid[], $2::uuid[]) as m (id, first) where d.id = m.id and d.id <> m.first",
        &ids,
        &firsts,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!(
        "update delivery d set address = m.address, alert_id = case when m.is_alone then d.alert_id end
        from unnest($1::uuid[], $2::text[], $3::boolean[]) as m (first, address, is_alone)
        where d.id = m.first and (d.address <> m.address or not m.is_alone)",
        &firsts,
        &addresses,
        &alone,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Locks due messages about saved tenders, summaries and reports. Messages are deleted if the user
/// has switched them off or has no plan or confirmed address.
pub async fn gather_user_messages(
    tx: &mut PgConnection,
    due: &[DueDigest],
    now: Timestamp,
) -> Result<GatheredMessages, sqlx::Error> {
    if due.is_empty() {
        return Ok(GatheredMessages::default());
    }
    let ids: Vec<Uuid> = due.iter().map(|due| due.id).collect();
    let locked: Vec<Uuid> = lock_messages(&mut *tx, &ids).await?.into_iter().collect();
    let going = sqlx::query!(
        "update delivery d set address = u.email
        from users u join address on address.user_id = u.id and lower(address.email) = lower(u.email)
            and address.verified_at is not null
        left join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $2 and s.holds_until > $2
        left join plan p on p.name = s.plan
        where d.id = any($1) and d.state = 'open' and u.id = d.user_id and case d.kind
            when 'report' then (u.role = 'admin' or p.custom_reports)
                and exists (select from report r where r.id = d.report_id and r.monthly_since is not null)
            when 'saved' then u.saved_mails and (u.role = 'admin' or p.rank >= (select rank from plan where name = 'professional'))
            else u.weekly_summary and p.weekly_summary end
        returning d.id, d.address",
        &locked,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(&mut *tx)
    .await?;
    let going: HashMap<Uuid, String> = going.into_iter().map(|row| (row.id, row.address)).collect();
    let gone: Vec<Uuid> = locked.iter().copied().filter(|id| !going.contains_key(id)).collect();
    sqlx::query!("delete from delivery where id = any($1) and state = 'open'", &gone).execute(tx).await?;
    let busy = due.len() - locked.len();
    let to_seal = due
        .iter()
        .filter_map(|due| Some(GatheredMessage { due: due.clone(), address: going.get(&due.id)?.clone() }));
    Ok(GatheredMessages { to_seal: to_seal.collect(), busy })
}

/// Locks the open messages among these and skips those that another transaction has locked. It
/// never waits, because waiting could deadlock with a writer that adds items to several messages.
async fn lock_messages(tx: &mut PgConnection, ids: &[Uuid]) -> Result<HashSet<Uuid>, sqlx::Error> {
    let locked = sqlx::query_scalar!(
        "select id from delivery where id = any($1) and state = 'open' for update skip locked",
        ids,
    )
    .fetch_all(tx)
    .await?;
    Ok(locked.into_iter().collect())
}
