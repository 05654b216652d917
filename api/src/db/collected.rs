//! What open messages collect until they are sealed. An alert has one open message a channel, and a user's saved tenders have one; whether,
//! where and how often it goes is decided by what its reader has chosen when it is sealed, not when it was opened.

use super::users;
use crate::{channels::Name, schedule::Frequency};
use index::{percolate::Why, tender::Tender, vocabulary::Language};
use jiff::{SignedDuration, Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    sync::Arc,
};
use uuid::Uuid;

/// What a message that collects is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What alerts have matched.
    Alerts,
    /// What happens to saved tenders.
    Saved,
    /// The newest tenders of a week.
    Summary,
    /// A report of a month.
    Report,
}

impl Kind {
    /// From its stored word. `None` for any other: a letter.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word {
            "alerts" => Some(Self::Alerts),
            "saved" => Some(Self::Saved),
            "summary" => Some(Self::Summary),
            "report" => Some(Self::Report),
            _ => None,
        }
    }
}

/// Why a tender is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It matched.
    New,
    /// A revision changed what whoever knows of it must hear.
    Change(i64),
    /// It closes on a day, three days or one from now.
    Closes(civil::Date, i8),
}

impl Reason {
    /// As stored.
    #[must_use]
    pub fn to_word(self) -> String {
        match self {
            Self::New => "new".to_owned(),
            Self::Change(revision) => format!("change:{revision}"),
            Self::Closes(day, before) => format!("closes:{day}:{before}"),
        }
    }

    /// From its stored word. `None` for any other.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        match word.split(':').collect::<Vec<_>>().as_slice() {
            ["new"] => Some(Self::New),
            ["change", revision] => revision.parse().ok().map(Self::Change),
            ["closes", day, before] => Some(Self::Closes(day.parse().ok()?, before.parse().ok()?)),
            _ => None,
        }
    }
}

/// When a message of saved tenders that gets an item is sealed.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// The moment of the item.
    pub now: Timestamp,
    /// When it is to be sealed.
    pub seal_at: Timestamp,
    /// How long after it was opened an immediate one is sealed at the latest.
    pub limit: SignedDuration,
}

/// Something to tell of for an alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewItem {
    /// The alert.
    pub alert_id: Uuid,
    /// Its owner.
    pub user_id: Uuid,
    /// By which channel.
    pub channel: Name,
    /// Where it goes now.
    pub address: String,
    /// How often, now.
    pub frequency: Frequency,
    /// When the daily mail leaves.
    pub daily_summary_time: civil::Time,
    /// The tender.
    pub tender_id: Uuid,
    /// As it stood at this revision.
    pub tender_revision: i64,
    /// Why.
    pub reason: Reason,
}

/// An item on its way into a message.
#[derive(Debug, Clone, Copy)]
pub struct Collecting<'a> {
    /// What there is to tell.
    pub item: &'a NewItem,
    /// The message's id, where one is opened for it.
    pub id: Uuid,
    /// When its message is to be sealed.
    pub seal_at: Timestamp,
}

/// Adds each item to the open message of its alert and channel, opening those that there are none of. An immediate message is sealed
/// `limit` after it was opened at the latest.
///
/// # Errors
/// Whatever the database answers.
pub async fn collect(
    tx: &mut PgConnection,
    items: &[Collecting<'_>],
    now: Timestamp,
    limit: SignedDuration,
) -> Result<(), sqlx::Error> {
    fn column<'a, T>(items: &'a [Collecting<'a>], value: impl Fn(&'a NewItem) -> T) -> Vec<T> {
        items.iter().map(|collecting| value(collecting.item)).collect()
    }
    if items.is_empty() {
        return Ok(());
    }
    let ids: Vec<Uuid> = items.iter().map(|collecting| collecting.id).collect();
    let seal_at: Vec<SqlTimestamp> = items.iter().map(|collecting| collecting.seal_at.to_sqlx()).collect();
    sqlx::query!(
        "with item as (
            select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::uuid[],
                    $9::bigint[], $10::text[])
                as i (id, user_id, alert_id, channel, frequency, address, seal_at, tender_id, tender_revision, reason)
        ), stream as (
            insert into delivery (id, user_id, alert_id, kind, channel, frequency, address, state, opened_at, seal_at)
            select distinct on (alert_id, channel) id, user_id, alert_id, 'alerts', channel, frequency, address, 'open', $11::timestamptz, seal_at
            from item order by alert_id, channel, id
            on conflict (alert_id, channel) where state = 'open' do update
            set frequency = excluded.frequency, seal_at = case
                when excluded.frequency = 'immediate'
                    then least(excluded.seal_at, delivery.opened_at + make_interval(secs => $12))
                when excluded.frequency <> delivery.frequency then excluded.seal_at
                else delivery.seal_at end
            returning id, alert_id, channel
        )
        insert into delivery_item (alert_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
        select item.alert_id, item.tender_id, item.tender_revision, item.reason, item.address, stream.id, $11
        from item join stream using (alert_id, channel)
        on conflict do nothing",
        &ids,
        &column(items, |item| item.user_id),
        &column(items, |item| item.alert_id),
        &column(items, |item| item.channel.as_str().to_owned()),
        &column(items, |item| item.frequency.as_str().to_owned()),
        &column(items, |item| item.address.clone()),
        &seal_at as &[SqlTimestamp],
        &column(items, |item| item.tender_id),
        &column(items, |item| item.tender_revision),
        &column(items, |item| item.reason.to_word()),
        now.to_sqlx() as SqlTimestamp,
        limit.as_secs_f64(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Something to tell of a tender that a user has saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedItem {
    /// The user.
    pub user_id: Uuid,
    /// Its address.
    pub address: String,
    /// The tender.
    pub tender_id: Uuid,
    /// As it stood at this revision.
    pub tender_revision: i64,
    /// Why.
    pub reason: Reason,
}

/// Adds an item to the open message of a user's saved tenders, opening one with `id` if there is none.
///
/// # Errors
/// Whatever the database answers.
pub async fn collect_saved(
    tx: &mut PgConnection,
    id: Uuid,
    item: &SavedItem,
    timing: Timing,
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
        item.reason.to_word(),
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Opens a user's summary of the week that begins on this Monday, unless it had one.
///
/// # Errors
/// Whatever the database answers.
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

/// What an alert has collected goes when its owner says now.
///
/// # Errors
/// Whatever the database answers.
pub async fn reschedule(
    tx: &mut PgConnection,
    alert_id: Uuid,
    frequency: Frequency,
    seal_at: Timestamp,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update delivery set frequency = $2, seal_at = $3 where alert_id = $1 and state = 'open'",
        alert_id,
        frequency.as_str(),
        seal_at.to_sqlx() as SqlTimestamp,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// An open message whose time has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// Its id, from which the Message-ID is made.
    pub id: Uuid,
    /// What it is about.
    pub kind: Kind,
    /// By which channel it goes.
    pub channel: Name,
    /// How often it goes.
    pub frequency: Frequency,
    /// Its reader.
    pub user_id: Uuid,
    /// The reader's first name.
    pub first_name: String,
    /// What the reader reads.
    pub language: Language,
}

/// Takes the readers of the messages that have been due for longest, at most `limit` messages, for the rest of the transaction; who is
/// another's at this moment is left out. Reports, which take the longest to make, come one at a time and after everything else.
///
/// # Errors
/// Whatever the database answers.
pub async fn take_due(tx: &mut PgConnection, now: Timestamp, limit: i64) -> Result<Vec<Due>, sqlx::Error> {
    let mut due = take(&mut *tx, now, false, limit).await?;
    if due.is_empty() {
        due = take(tx, now, true, 1).await?;
    }
    Ok(due)
}

async fn take(
    tx: &mut PgConnection,
    now: Timestamp,
    is_report: bool,
    limit: i64,
) -> Result<Vec<Due>, sqlx::Error> {
    let rows = sqlx::query!(
        "select d.id, d.kind, d.channel, d.frequency, u.id as user_id, u.first_name, u.language
        from delivery d join users u on u.id = d.user_id
        where d.state = 'open' and d.seal_at <= $1 and (d.kind = 'report') = $2
        order by d.seal_at, d.id limit $3 for no key update of u skip locked",
        now.to_sqlx() as SqlTimestamp,
        is_report,
        limit,
    )
    .fetch_all(tx)
    .await?;
    let due = rows.into_iter().map(|row| Due {
        id: row.id,
        kind: Kind::from_word(&row.kind).unwrap_or(Kind::Alerts),
        channel: Name::from_word(&row.channel),
        frequency: Frequency::from_word(&row.frequency).unwrap_or_default(),
        user_id: row.user_id,
        first_name: row.first_name,
        language: users::language(&row.language),
    });
    Ok(due.collect())
}

/// What became of messages that were due. What is in neither list is dropped: its reader does not want it any more, or may not have it;
/// or it went with another, or somebody else has just sealed it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gathered {
    /// They go, each with the items of all that go with it.
    pub going: Vec<Going>,
    /// Somebody is adding to these at this moment.
    pub busy: usize,
}

/// A message that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Going {
    /// The message, by the id that its items have now.
    pub due: Due,
    /// Where to.
    pub address: String,
}

/// What goes together if it goes to one address: an immediate message alone, and all digests of a reader and channel.
type Group = (Uuid, Name, Option<Uuid>);

fn group(user_id: Uuid, channel: Name, frequency: Frequency, id: Uuid) -> Group {
    (user_id, channel, (frequency == Frequency::Immediate).then_some(id))
}

/// Locks messages of alerts that are due, with every other digest of their readers and channels that is due: what goes to one address goes
/// as one. What its reader has switched off, or has no plan or confirmed address for any more, is dropped.
///
/// # Errors
/// Whatever the database answers.
pub async fn gather_alerts(
    tx: &mut PgConnection,
    due: &[Due],
    now: Timestamp,
) -> Result<Gathered, sqlx::Error> {
    if due.is_empty() {
        return Ok(Gathered::default());
    }
    let of_group = |due: &Due| group(due.user_id, due.channel, due.frequency, due.id);
    let locked = lock_groups(&mut *tx, due, now).await?;
    let busy = due.iter().filter(|due| !locked.contains_key(&of_group(due))).count();
    let ids: Vec<Uuid> = locked.into_values().flatten().collect();
    drop_unwanted(&mut *tx, &ids, now).await?;
    let left = sqlx::query!(
        r#"select d.id, d.user_id as "user_id!", d.channel, d.frequency, r.address as "address!" from delivery d
        cross join lateral (
            select address from alert_address where alert_id = d.alert_id and channel = d.channel offset 0
        ) as r
        where d.id = any($1) order by d.seal_at, d.id"#,
        &ids,
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut messages: BTreeMap<(Group, String), Vec<Uuid>> = BTreeMap::new();
    for row in left {
        let frequency = Frequency::from_word(&row.frequency).unwrap_or_default();
        let of = group(row.user_id, Name::from_word(&row.channel), frequency, row.id);
        messages.entry((of, row.address)).or_default().push(row.id);
    }
    join(tx, &messages).await?;
    let going = messages.into_iter().filter_map(|((of, address), ids)| {
        let due = due.iter().find(|due| of_group(due) == of)?;
        Some(Going { due: Due { id: *ids.first()?, ..due.clone() }, address })
    });
    Ok(Gathered { going: going.collect(), busy })
}

/// Locks the messages of the groups that some are of, as far as they are due; a group all or not at all.
async fn lock_groups(
    tx: &mut PgConnection,
    due: &[Due],
    now: Timestamp,
) -> Result<HashMap<Group, Vec<Uuid>>, sqlx::Error> {
    let (immediate, digests): (Vec<&Due>, Vec<&Due>) =
        due.iter().partition(|due| due.frequency == Frequency::Immediate);
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
    let locked = lock(tx, &ids).await?;
    let mut groups: HashMap<Group, Vec<Uuid>> = HashMap::new();
    let mut held_up = HashSet::new();
    for row in wanted {
        let frequency = Frequency::from_word(&row.frequency).unwrap_or_default();
        let of = group(row.user_id, Name::from_word(&row.channel), frequency, row.id);
        if locked.contains(&row.id) {
            groups.entry(of).or_default().push(row.id);
        } else {
            held_up.insert(of);
        }
    }
    groups.retain(|of, _| !held_up.contains(of));
    Ok(groups)
}

/// Drops messages that their readers have switched off, or have no plan or confirmed address for any more.
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

/// Makes one message, the first, of those that go to one address together.
async fn join(
    tx: &mut PgConnection,
    messages: &BTreeMap<(Group, String), Vec<Uuid>>,
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
    // What has gone to that address already stays where it is, and goes with the messages below.
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

/// Locks messages of saved tenders, summaries, or reports, that are due.
///
/// # Errors
/// Whatever the database answers.
pub async fn gather_own(tx: &mut PgConnection, due: &[Due], now: Timestamp) -> Result<Gathered, sqlx::Error> {
    if due.is_empty() {
        return Ok(Gathered::default());
    }
    let ids: Vec<Uuid> = due.iter().map(|due| due.id).collect();
    let locked: Vec<Uuid> = lock(&mut *tx, &ids).await?.into_iter().collect();
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
    let going =
        due.iter().filter_map(|due| Some(Going { due: due.clone(), address: going.get(&due.id)?.clone() }));
    Ok(Gathered { going: going.collect(), busy })
}

/// Locks those of these messages that are open and that nobody has. Never waits: whoever adds to several waits for nobody either.
async fn lock(tx: &mut PgConnection, ids: &[Uuid]) -> Result<HashSet<Uuid>, sqlx::Error> {
    let locked = sqlx::query_scalar!(
        "select id from delivery where id = any($1) and state = 'open' for update skip locked",
        ids,
    )
    .fetch_all(tx)
    .await?;
    Ok(locked.into_iter().collect())
}

/// What one message says of one tender. Of the tenders, only what a list shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// The alert; `None`: its reader has saved the tender.
    pub alert: Option<ItemAlert>,
    /// The tender at the item's revision.
    pub tender: Tender,
    /// At the revision before, for a change.
    pub before: Option<Tender>,
    /// Why it is told of.
    pub reason: Reason,
}

/// The alert of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemAlert {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: String,
    /// The keyword that matched.
    pub keyword: String,
}

/// The items of messages of alerts, each message's in the order of their alerts' names; within one tender, of its revisions. What its reader
/// has called irrelevant is left out.
///
/// # Errors
/// Whatever the database answers.
pub async fn items_of_alerts(
    tx: &mut PgConnection,
    deliveries: &[Uuid],
) -> Result<HashMap<Uuid, Vec<Item>>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.delivery_id, a.id, a.name, m.why ->> 'keyword' as "keyword!", i.reason, i.tender_id, i.tender_revision as revision
        from delivery_item i
        join alert a on a.id = i.alert_id
        join match m on m.alert_id = i.alert_id and m.tender_id = i.tender_id and m.irrelevant_at is null
        where i.delivery_id = any($1)
        order by a.name, a.id, i.tender_id, i.tender_revision"#,
        deliveries,
    )
    .fetch_all(&mut *tx)
    .await?;
    let found = rows.into_iter().filter_map(|row| {
        Some(Found {
            delivery_id: row.delivery_id,
            alert: Some(ItemAlert { id: row.id, name: row.name, keyword: row.keyword }),
            tender: (row.tender_id, row.revision),
            reason: Reason::from_word(&row.reason)?,
        })
    });
    items(tx, found.collect()).await
}

/// The items of messages of saved tenders; within one tender, in the order of its revisions. What is not saved any more is left out; for a
/// reminder, the tender is as it stands.
///
/// # Errors
/// Whatever the database answers.
pub async fn items_of_saved(
    tx: &mut PgConnection,
    deliveries: &[Uuid],
) -> Result<HashMap<Uuid, Vec<Item>>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.delivery_id, i.reason, i.tender_id,
            case when i.reason like 'closes:%' then t.revision else i.tender_revision end as "revision!"
        from delivery_item i
        join favourite f on f.user_id = i.user_id and f.tender_id = i.tender_id
        join tender t on t.id = i.tender_id
        where i.delivery_id = any($1)
        order by i.tender_id, i.tender_revision"#,
        deliveries,
    )
    .fetch_all(&mut *tx)
    .await?;
    let found = rows.into_iter().filter_map(|row| {
        Some(Found {
            delivery_id: row.delivery_id,
            alert: None,
            tender: (row.tender_id, row.revision),
            reason: Reason::from_word(&row.reason)?,
        })
    });
    items(tx, found.collect()).await
}

/// A tender's revision.
type Revision = (Uuid, i64);

/// An item without its tender.
struct Found {
    delivery_id: Uuid,
    alert: Option<ItemAlert>,
    tender: Revision,
    reason: Reason,
}

impl Found {
    /// The revision that a change came after.
    const fn before(&self) -> Option<Revision> {
        match self.reason {
            Reason::Change(_) => Some((self.tender.0, self.tender.1 - 1)),
            Reason::New | Reason::Closes(..) => None,
        }
    }
}

/// Adds the tenders.
async fn items(tx: &mut PgConnection, found: Vec<Found>) -> Result<HashMap<Uuid, Vec<Item>>, sqlx::Error> {
    let wanted: BTreeSet<Revision> =
        found.iter().flat_map(|found| [Some(found.tender), found.before()]).flatten().collect();
    let tenders = as_listed(tx, wanted).await?;
    let mut items: HashMap<Uuid, Vec<Item>> = HashMap::new();
    for found in found {
        let Some(tender) = tenders.get(&found.tender).cloned() else { continue };
        let before = found.before().and_then(|before| tenders.get(&before).cloned());
        let item = Item { alert: found.alert, tender, before, reason: found.reason };
        items.entry(found.delivery_id).or_default().push(item);
    }
    Ok(items)
}

/// Tenders as they stood at some revisions, with only what a list shows.
async fn as_listed(
    tx: &mut PgConnection,
    revisions: BTreeSet<Revision>,
) -> Result<HashMap<Revision, Tender>, sqlx::Error> {
    let (ids, revisions): (Vec<Uuid>, Vec<i64>) = revisions.into_iter().unzip();
    let rows = sqlx::query!(
        r#"select r.tender_id, r.revision,
            r.record - '{fullTextMarkdown,description,evidence,confidence,changes,sources,lots,tags}'::text[] as "tender!: Json<Tender>"
        from unnest($1::uuid[], $2::bigint[]) as wanted (tender_id, revision)
        join tender_revision r on r.tender_id = wanted.tender_id and r.revision = wanted.revision"#,
        &ids,
        &revisions,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| ((row.tender_id, row.revision), row.tender.0)).collect())
}

/// The text in which a match was found, as it stood when it matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// The keyword and its place.
    pub why: Why,
    /// The text; matches in one share it.
    pub text: Arc<str>,
}

/// The texts in which some matches, each an alert and a tender, were found.
///
/// # Errors
/// Whatever the database answers.
pub async fn found_texts(
    tx: &mut PgConnection,
    matches: &BTreeSet<(Uuid, Uuid)>,
) -> Result<HashMap<(Uuid, Uuid), FoundText>, sqlx::Error> {
    let (alerts, tenders): (Vec<Uuid>, Vec<Uuid>) = matches.iter().copied().unzip();
    let found = sqlx::query!(
        r#"select m.alert_id, m.tender_id, m.tender_revision, m.why as "why: Json<Why>"
        from unnest($1::uuid[], $2::uuid[]) as wanted (alert_id, tender_id)
        join match m on m.alert_id = wanted.alert_id and m.tender_id = wanted.tender_id"#,
        &alerts,
        &tenders,
    )
    .fetch_all(&mut *tx)
    .await?;
    let wanted: BTreeSet<(Uuid, i64, &str)> =
        found.iter().map(|row| (row.tender_id, row.tender_revision, row.why.0.field.as_str())).collect();
    let ids: Vec<Uuid> = wanted.iter().map(|wanted| wanted.0).collect();
    let revisions: Vec<i64> = wanted.iter().map(|wanted| wanted.1).collect();
    let fields: Vec<String> = wanted.iter().map(|wanted| wanted.2.to_owned()).collect();
    let rows = sqlx::query!(
        r#"select r.tender_id, r.revision, wanted.field as "field!", r.record #>> string_to_array(wanted.field, '.') as text
        from unnest($1::uuid[], $2::bigint[], $3::text[]) as wanted (tender_id, revision, field)
        join tender_revision r on r.tender_id = wanted.tender_id and r.revision = wanted.revision"#,
        &ids,
        &revisions,
        &fields,
    )
    .fetch_all(tx)
    .await?;
    let texts: HashMap<(Uuid, i64, String), Arc<str>> = rows
        .into_iter()
        .filter_map(|row| Some(((row.tender_id, row.revision, row.field), row.text?.into())))
        .collect();
    let found = found.into_iter().filter_map(|row| {
        let text = texts.get(&(row.tender_id, row.tender_revision, row.why.0.field.to_string()))?;
        Some(((row.alert_id, row.tender_id), FoundText { why: row.why.0, text: Arc::clone(text) }))
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_read_as_they_are_written() {
        for reason in [Reason::New, Reason::Change(7), Reason::Closes(civil::date(2026, 11, 23), 3)] {
            assert_eq!(Reason::from_word(&reason.to_word()), Some(reason));
        }
        for rubbish in
            ["", "news", "change:", "change:x", "closes:2026-11-31:1", "closes:2026-11-23", "new:1"]
        {
            assert_eq!(Reason::from_word(rubbish), None, "{rubbish}");
        }
    }
}
