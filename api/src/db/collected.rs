//! What open messages collect until they are sealed. An alert has one open message a channel, and a user's saved tenders have one; whether,
//! where and how often it goes is decided by what its reader has chosen when it is sealed, not when it was opened.

use super::users;
use crate::{channels::Name, schedule::Frequency};
use index::{percolate::Why, tender::Tender, vocabulary::Language};
use jiff::{SignedDuration, Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, types::Json};
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

/// When a message that gets an item is sealed.
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

/// Adds an item to the open message of its alert and channel, opening one with `id` if there is none.
///
/// # Errors
/// Whatever the database answers.
pub async fn collect(
    tx: &mut PgConnection,
    id: Uuid,
    item: &NewItem,
    timing: Timing,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "with stream as (
            insert into delivery (id, user_id, alert_id, kind, channel, frequency, address, state, opened_at, seal_at)
            values ($1, $2, $3, 'alerts', $12, $4, $5, 'open', $6, $7)
            on conflict (alert_id, channel) where state = 'open' do update
            set frequency = excluded.frequency, seal_at = case
                when excluded.frequency = 'immediate'
                    then least(excluded.seal_at, delivery.opened_at + make_interval(secs => $8))
                when excluded.frequency <> delivery.frequency then excluded.seal_at
                else delivery.seal_at end
            returning id
        )
        insert into delivery_item (alert_id, tender_id, tender_revision, reason, address, delivery_id, added_at)
        select $3, $9, $10, $11, $5, stream.id, $6 from stream
        on conflict do nothing",
        id,
        item.user_id,
        item.alert_id,
        item.frequency.as_str(),
        item.address,
        timing.now.to_sqlx() as SqlTimestamp,
        timing.seal_at.to_sqlx() as SqlTimestamp,
        timing.limit.as_secs_f64(),
        item.tender_id,
        item.tender_revision,
        item.reason.to_word(),
        item.channel.as_str(),
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

/// Takes one reader with an open message that is due for the rest of the transaction. `None` when there is none. Reports, which take the
/// longest to make, keep nothing else waiting.
///
/// # Errors
/// Whatever the database answers.
pub async fn take_due(tx: &mut PgConnection, now: Timestamp) -> Result<Option<Due>, sqlx::Error> {
    let row = sqlx::query!(
        "select d.id, d.kind, d.channel, d.frequency, u.id as user_id, u.first_name, u.language
        from delivery d join users u on u.id = d.user_id
        where d.state = 'open' and d.seal_at <= $1
        order by d.kind = 'report', d.seal_at, d.id limit 1 for no key update of u skip locked",
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(tx)
    .await?;
    Ok(row.map(|row| Due {
        id: row.id,
        kind: Kind::from_word(&row.kind).unwrap_or(Kind::Alerts),
        channel: Name::from_word(&row.channel),
        frequency: Frequency::from_word(&row.frequency).unwrap_or_default(),
        user_id: row.user_id,
        first_name: row.first_name,
        language: users::language(&row.language),
    }))
}

/// What became of a message that was due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Gathered {
    /// It goes, to this address.
    Goes {
        /// The message, with the items of all that go with it.
        id: Uuid,
        /// Where to.
        address: String,
    },
    /// Its reader does not want it any more, or may not have it; or somebody else has just sealed it.
    Gone,
    /// Somebody is adding to it at this moment.
    Busy,
}

/// Locks a message of alerts that is due, with every other digest of its reader and channel that is due: what goes to one address goes as
/// one. What its reader has switched off, or has no plan or confirmed address for any more, is dropped.
///
/// # Errors
/// Whatever the database answers.
pub async fn gather_alerts(
    tx: &mut PgConnection,
    due: &Due,
    now: Timestamp,
) -> Result<Gathered, sqlx::Error> {
    let wanted = sqlx::query_scalar!(
        "select id from delivery where user_id = $1 and state = 'open' and kind = 'alerts' and channel = $5 and seal_at <= $2
            and (id = $3 or ($4 and frequency <> 'immediate'))",
        due.user_id,
        now.to_sqlx() as SqlTimestamp,
        due.id,
        due.frequency != Frequency::Immediate,
        due.channel.as_str(),
    )
    .fetch_all(&mut *tx)
    .await?;
    if !lock(tx, &wanted).await? {
        return Ok(Gathered::Busy);
    }
    sqlx::query!(
        "delete from delivery d where d.id = any($1) and not exists (
            select from alert_address r
            join held_subscription s on s.holder_id = r.user_id and s.status = 'active' and s.start_date <= $2 and s.holds_until > $2
            join plan p on p.name = s.plan and p.email_alerts and (r.channel = 'email' or p.direct_alerts)
            where r.alert_id = d.alert_id and r.channel = d.channel
        )",
        &wanted,
        now.to_sqlx() as SqlTimestamp,
    )
    .execute(&mut *tx)
    .await?;
    let left = sqlx::query!(
        r#"select d.id, r.address as "address!" from delivery d
        join alert_address r on r.alert_id = d.alert_id and r.channel = d.channel
        where d.id = any($1) order by d.id <> $2, d.seal_at, d.id"#,
        &wanted,
        due.id,
    )
    .fetch_all(&mut *tx)
    .await?;
    let Some(first) = left.first() else { return Ok(Gathered::Gone) };
    let (id, address) = (first.id, first.address.clone());
    let together: Vec<Uuid> = left.iter().filter(|row| row.address == address).map(|row| row.id).collect();
    // What has gone to that address already stays where it is, and goes with the messages below.
    sqlx::query!(
        "update delivery_item i set delivery_id = $1, address = $2 where i.delivery_id = any($3)
            and (i.address = $2 or not exists (select from delivery_item other
                where other.alert_id = i.alert_id and other.tender_id = i.tender_id and other.reason = i.reason and other.address = $2))",
        id,
        address,
        &together,
    )
    .execute(&mut *tx)
    .await?;
    sqlx::query!("delete from delivery_item where delivery_id = $1 and address <> $2", id, address)
        .execute(&mut *tx)
        .await?;
    sqlx::query!("delete from delivery where id = any($1) and id <> $2", &together, id)
        .execute(&mut *tx)
        .await?;
    sqlx::query!(
        "update delivery set address = $2, alert_id = case when $3 then alert_id end where id = $1",
        id,
        address,
        together.len() == 1,
    )
    .execute(tx)
    .await?;
    Ok(Gathered::Goes { id, address })
}

/// Locks a message of saved tenders, a summary, or a report, that is due.
///
/// # Errors
/// Whatever the database answers.
pub async fn gather_own(tx: &mut PgConnection, due: &Due, now: Timestamp) -> Result<Gathered, sqlx::Error> {
    if !lock(tx, &[due.id]).await? {
        return Ok(Gathered::Busy);
    }
    let address = sqlx::query_scalar!(
        "update delivery d set address = u.email
        from users u join address on address.user_id = u.id and lower(address.email) = lower(u.email)
            and address.verified_at is not null
        left join held_subscription s on s.holder_id = u.id and s.status = 'active' and s.start_date <= $2 and s.holds_until > $2
        left join plan p on p.name = s.plan
        where d.id = $1 and d.state = 'open' and u.id = d.user_id and case d.kind
            when 'report' then (u.role = 'admin' or p.custom_reports)
                and exists (select from report r where r.id = d.report_id and r.monthly_since is not null)
            when 'saved' then u.saved_mails and (u.role = 'admin' or p.rank >= (select rank from plan where name = 'professional'))
            else u.weekly_summary and p.weekly_summary end
        returning d.address",
        due.id,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_optional(&mut *tx)
    .await?;
    let Some(address) = address else {
        sqlx::query!("delete from delivery where id = $1 and state = 'open'", due.id).execute(tx).await?;
        return Ok(Gathered::Gone);
    };
    Ok(Gathered::Goes { id: due.id, address })
}

/// Locks these open messages, all or, as far as it matters, none. Never waits: whoever adds to several waits for nobody either.
async fn lock(tx: &mut PgConnection, ids: &[Uuid]) -> Result<bool, sqlx::Error> {
    let locked = sqlx::query_scalar!(
        "select id from delivery where id = any($1) and state = 'open' for update skip locked",
        ids,
    )
    .fetch_all(tx)
    .await?;
    Ok(locked.len() == ids.len())
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

/// The items of a message of alerts, in the order of their alerts' names and of their closing; within one tender, of its revisions. What
/// its reader has called irrelevant is left out.
///
/// # Errors
/// Whatever the database answers.
pub async fn items_of_alerts(tx: &mut PgConnection, delivery_id: Uuid) -> Result<Vec<Item>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select a.id, a.name, m.why ->> 'keyword' as "keyword!", i.reason,
            r.record - '{fullTextMarkdown,description,evidence,confidence,changes,sources,lots,tags}'::text[] as "tender!: Json<Tender>",
            before.record - '{fullTextMarkdown,description,evidence,confidence,changes,sources,lots,tags}'::text[] as "before?: Json<Tender>"
        from delivery_item i
        join alert a on a.id = i.alert_id
        join match m on m.alert_id = i.alert_id and m.tender_id = i.tender_id and m.irrelevant_at is null
        join tender_revision r on r.tender_id = i.tender_id and r.revision = i.tender_revision
        left join tender_revision before
            on before.tender_id = i.tender_id and before.revision = i.tender_revision - 1 and i.reason <> 'new'
        where i.delivery_id = $1
        order by a.name, a.id, r.record #>> '{dates,closing}', i.tender_id, i.tender_revision"#,
        delivery_id,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().filter_map(|row| {
        Some(Item {
            alert: Some(ItemAlert { id: row.id, name: row.name, keyword: row.keyword }),
            tender: row.tender.0,
            before: row.before.map(|before| before.0),
            reason: Reason::from_word(&row.reason)?,
        })
    });
    Ok(items.collect())
}

/// The items of a message of saved tenders, in the order of their closing; within one tender, of its revisions. What is not saved any more
/// is left out; for a reminder, the tender is as it stands.
///
/// # Errors
/// Whatever the database answers.
pub async fn items_of_saved(tx: &mut PgConnection, delivery_id: Uuid) -> Result<Vec<Item>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select i.reason,
            r.record - '{fullTextMarkdown,description,evidence,confidence,changes,sources,lots,tags}'::text[] as "tender!: Json<Tender>",
            before.record - '{fullTextMarkdown,description,evidence,confidence,changes,sources,lots,tags}'::text[] as "before?: Json<Tender>"
        from delivery_item i
        join favourite f on f.user_id = i.user_id and f.tender_id = i.tender_id
        join tender t on t.id = i.tender_id
        join tender_revision r on r.tender_id = i.tender_id
            and r.revision = case when i.reason like 'closes:%' then t.revision else i.tender_revision end
        left join tender_revision before
            on before.tender_id = i.tender_id and before.revision = i.tender_revision - 1 and i.reason like 'change:%'
        where i.delivery_id = $1
        order by r.record #>> '{dates,closing}', i.tender_id, i.tender_revision"#,
        delivery_id,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().filter_map(|row| {
        Some(Item {
            alert: None,
            tender: row.tender.0,
            before: row.before.map(|before| before.0),
            reason: Reason::from_word(&row.reason)?,
        })
    });
    Ok(items.collect())
}

/// The text in which a match was found, as it stood when it matched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundText {
    /// The alert.
    pub alert_id: Uuid,
    /// The tender.
    pub tender_id: Uuid,
    /// The keyword and its place.
    pub why: Why,
    /// The text.
    pub text: String,
}

/// The texts in which some matches, each an alert and a tender, were found.
///
/// # Errors
/// Whatever the database answers.
pub async fn found_texts(
    tx: &mut PgConnection,
    matches: &[(Uuid, Uuid)],
) -> Result<Vec<FoundText>, sqlx::Error> {
    let (alerts, tenders): (Vec<Uuid>, Vec<Uuid>) = matches.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"select m.alert_id, m.tender_id, m.why as "why: Json<Why>",
            r.record #>> string_to_array(m.why ->> 'field', '.') as text
        from unnest($1::uuid[], $2::uuid[]) as wanted (alert_id, tender_id)
        join match m on m.alert_id = wanted.alert_id and m.tender_id = wanted.tender_id
        join tender_revision r on r.tender_id = m.tender_id and r.revision = m.tender_revision"#,
        &alerts,
        &tenders,
    )
    .fetch_all(tx)
    .await?;
    let found = rows.into_iter().filter_map(|row| {
        Some(FoundText { alert_id: row.alert_id, tender_id: row.tender_id, why: row.why.0, text: row.text? })
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
