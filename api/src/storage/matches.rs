//! Matches of alerts.

use super::digest_queue::NewItem;
use crate::{
    domain::{
        alert::{AlertMatch, RecentMatch},
        alert_shard::AlertShard,
        digest::DigestReason,
    },
    storage::enum_column::decode,
};
use index::percolate::MatchReason;
use jiff::{Timestamp, civil};
use jiff_sqlx::{Timestamp as SqlTimestamp, ToSqlx};
use sqlx::{PgConnection, PgExecutor, types::Json};
use std::collections::{HashMap, HashSet};
use tender_model::tender::Tender;
use uuid::Uuid;

/// A tender revision that matches an alert. The match may already be recorded, or the alert's owner
/// may not be entitled to it.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchCandidate {
    /// The alert.
    pub alert_id: Uuid,
    /// The tender.
    pub tender_id: Uuid,
    /// The revision of the tender.
    pub tender_revision: i64,
    /// The position of the log at which the match was found.
    pub position: i64,
    /// The keyword and the field it was found in.
    pub why: MatchReason,
}

impl MatchCandidate {
    /// The alert and the tender. Each such pair is recorded only once.
    const fn pair(&self) -> (Uuid, Uuid) {
        (self.alert_id, self.tender_id)
    }
}

/// The result of recording matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RecordedMatches {
    /// The number of new matches.
    pub count: usize,
    /// Items of the new matches, one for each channel of their alerts.
    pub items: Vec<NewItem>,
}

/// Records the candidates that are new matches. The alert must be active and its mail address
/// confirmed at `now`. Its owner must have a plan with alerts at `now`, and must have had one at
/// the time of the revision.
pub async fn record(
    tx: &mut PgConnection,
    candidates: &[MatchCandidate],
    now: Timestamp,
) -> Result<RecordedMatches, sqlx::Error> {
    let mut items = find_entitled(&mut *tx, candidates, now).await?;
    // Several revisions of a tender in one batch may match an alert. Only the first one to which
    // the alert's owner is entitled counts.
    let mut first = HashMap::new();
    items.retain(|(candidate, _)| {
        *first.entry(candidate.pair()).or_insert(candidate.tender_revision) == candidate.tender_revision
    });
    // A match is recorded once, even if the alert has several channels.
    let mut entitled: Vec<&MatchCandidate> = items.iter().map(|(candidate, _)| *candidate).collect();
    entitled.dedup_by_key(|candidate| candidate.pair());
    let new = insert(tx, &entitled, now).await?;
    let items = items.into_iter().filter(|(candidate, _)| new.contains(&candidate.pair()));
    let items = items.filter_map(|(_, item)| item);
    Ok(RecordedMatches { count: new.len(), items: items.collect() })
}

/// The candidates to which the alert's owner is entitled, in order. Each has one entry for each
/// channel of the alert. If the alert has no channel, there is one entry without an item.
async fn find_entitled<'c>(
    tx: &mut PgConnection,
    candidates: &'c [MatchCandidate],
    now: Timestamp,
) -> Result<Vec<(&'c MatchCandidate, Option<NewItem>)>, sqlx::Error> {
    let alert_ids: Vec<Uuid> = candidates.iter().map(|c| c.alert_id).collect();
    let tender_ids: Vec<Uuid> = candidates.iter().map(|c| c.tender_id).collect();
    let revisions: Vec<i64> = candidates.iter().map(|c| c.tender_revision).collect();
    // A cached query plan assumes lists of ten entries. With thousands of entries, it would compare
    // each entry with all rows of another list.
    sqlx::query!("set local plan_cache_mode = force_custom_plan").execute(&mut *tx).await?;
    sqlx::query!("set local enable_seqscan = on").execute(&mut *tx).await?;
    let rows = sqlx::query!(
        r#"select c.nth as "nth!", a.user_id, a.frequency, a.daily_summary_time as "daily_summary_time: jiff_sqlx::Time",
            r.channel as "channel?", r.address as "address?"
        from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as c (alert_id, tender_id, tender_revision, nth)
        join alert a on a.id = c.alert_id and a.is_active and a.deleted_at is null
        join users u on u.id = a.user_id
        join address on address.user_id = u.id and address.verified_at is not null
            and lower(address.email) = lower(coalesce(a.custom_email, u.email))
        cross join lateral (
            select at from change
            where subject = 'tender' and subject_id = c.tender_id and revision = c.tender_revision offset 0
        ) as made
        cross join lateral (
            select bool_or(p.direct_alerts) filter (where s.status = 'active' and s.start_date <= $4 and s.holds_until > $4)
                    as is_direct,
                bool_or(s.start_date <= made.at and s.holds_until > made.at) as was_held
            from held_subscription s join plan p on p.name = s.plan and p.email_alerts
            where s.holder_id = u.id and s.status <> 'pending'
        ) as held
        -- One alert at a time: else, where few matches are expected, the addresses of all are gone through for each.
        left join lateral (
            select channel, address from alert_address where alert_id = a.id and (channel = 'email' or held.is_direct) offset 0
        ) as r on true
        -- Not what was published while there was no plan, however late it is matched.
        where held.is_direct is not null and held.was_held
        order by c.nth"#,
        &alert_ids,
        &tender_ids,
        &revisions,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(&mut *tx)
    .await?;
    // Small statements check the foreign keys of the following inserts row by row. Caching the
    // plans of these statements saves time.
    sqlx::query!("set local plan_cache_mode to default").execute(&mut *tx).await?;
    super::disable_seq_scans(tx).await?;
    let mut entitled = Vec::with_capacity(rows.len());
    for row in rows {
        let nth = usize::try_from(row.nth - 1).ok();
        let Some(candidate) = nth.and_then(|nth| candidates.get(nth)) else { continue };
        let item = match row.channel.zip(row.address) {
            Some((channel, address)) => Some(NewItem {
                alert_id: candidate.alert_id,
                tender_id: candidate.tender_id,
                tender_revision: candidate.tender_revision,
                user_id: row.user_id,
                channel: decode("alert_address.channel", &channel)?,
                address,
                frequency: decode("alert.frequency", &row.frequency)?,
                daily_summary_time: row.daily_summary_time.to_jiff(),
                reason: DigestReason::New,
            }),
            None => None,
        };
        entitled.push((candidate, item));
    }
    Ok(entitled)
}

/// Stores matches and returns the new ones as pairs of alert and tender.
async fn insert(
    tx: &mut PgConnection,
    entitled: &[&MatchCandidate],
    now: Timestamp,
) -> Result<HashSet<(Uuid, Uuid)>, sqlx::Error> {
    let alert_ids: Vec<Uuid> = entitled.iter().map(|c| c.alert_id).collect();
    let tender_ids: Vec<Uuid> = entitled.iter().map(|c| c.tender_id).collect();
    let revisions: Vec<i64> = entitled.iter().map(|c| c.tender_revision).collect();
    let positions: Vec<i64> = entitled.iter().map(|c| c.position).collect();
    let whys: Vec<Json<&MatchReason>> = entitled.iter().map(|c| Json(&c.why)).collect();
    let rows = sqlx::query!(
        "insert into match (alert_id, tender_id, tender_revision, position, why, at)
        select *, $6 from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::jsonb[])
        on conflict do nothing
        returning alert_id, tender_id",
        &alert_ids,
        &tender_ids,
        &revisions,
        &positions,
        &whys as &[Json<&MatchReason>],
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.alert_id, row.tender_id)).collect())
}

/// Items for the revisions that [`super::revisions::needing_notification`] returns: one for each
/// earlier match of an alert of the shard and each channel of its alert at `now`, even if the alert no
/// longer matches. If the message that reports the match is still open, it shows the new revision,
/// and no item is returned.
pub async fn change_items(
    tx: &mut PgConnection,
    shard: AlertShard,
    revisions: &[(Uuid, i64)],
    now: Timestamp,
) -> Result<Vec<NewItem>, sqlx::Error> {
    let (tenders, numbers): (Vec<Uuid>, Vec<i64>) = revisions.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"with changed as (
            select * from unnest($1::uuid[], $2::bigint[]) as c (tender_id, revision)
        ), latest as (
            select tender_id, max(revision) as revision from changed group by tender_id
        ), collecting as (
            -- Held, so that none is sealed with the revision before.
            select id, channel from delivery where state = 'open' and id in (
                select i.delivery_id from delivery_item i join latest on latest.tender_id = i.tender_id
                where i.alert_id is not null and i.reason = 'new' and matcher_shard_of(i.alert_id, $5) = $4
            ) for no key update
        ), renewed as (
            update delivery_item i set tender_revision = greatest(i.tender_revision, latest.revision)
            from latest, collecting d
            where i.tender_id = latest.tender_id and i.alert_id is not null and i.reason = 'new' and d.id = i.delivery_id
            returning i.alert_id, i.tender_id, d.channel
        )
        select c.tender_id as "tender_id!", c.revision as "revision!", a.id, a.user_id, r.channel as "channel!", r.address as "address!",
            a.frequency,
            a.daily_summary_time as "daily_summary_time: jiff_sqlx::Time"
        from changed c
        join match m on m.tender_id = c.tender_id and m.tender_revision < c.revision and m.irrelevant_at is null
            and matcher_shard_of(m.alert_id, $5) = $4
        join alert a on a.id = m.alert_id
        cross join lateral (select channel, address from alert_address where alert_id = a.id offset 0) as r
        where exists (
            select from held_subscription s join plan p on p.name = s.plan and p.email_alerts and (r.channel = 'email' or p.direct_alerts)
            where s.holder_id = a.user_id and s.status = 'active' and s.start_date <= $3 and s.holds_until > $3
        ) and not exists (
            select from renewed
            where renewed.alert_id = a.id and renewed.tender_id = c.tender_id and renewed.channel = r.channel
        )
        order by a.id, r.channel, c.tender_id, c.revision"#,
        &tenders,
        &numbers,
        now.to_sqlx() as SqlTimestamp,
        shard.number,
        shard.count,
    )
    .fetch_all(tx)
    .await?;
    let items = rows.into_iter().map(|row| {
        Ok(NewItem {
            alert_id: row.id,
            user_id: row.user_id,
            channel: decode("alert_address.channel", &row.channel)?,
            address: row.address,
            frequency: decode("alert.frequency", &row.frequency)?,
            daily_summary_time: row.daily_summary_time.to_jiff(),
            tender_id: row.tender_id,
            tender_revision: row.revision,
            reason: DigestReason::Change(row.revision),
        })
    });
    items.collect()
}

/// The last day in Colombo for which the alerts of a shard with a maximum number of days until closing
/// were checked. The caller must have locked the shard.
pub async fn last_closing_check(
    tx: &mut PgConnection,
    shard: AlertShard,
) -> Result<Option<civil::Date>, sqlx::Error> {
    let day = sqlx::query_scalar!(
        r#"select closing_day as "day: jiff_sqlx::Date" from matcher_shard where shard = $1"#,
        shard.number
    );
    Ok(day.fetch_one(tx).await?.map(jiff_sqlx::Date::to_jiff))
}

/// Records the last day for which the alerts of a shard with a maximum number of days until closing were
/// checked.
pub async fn record_closing_check(
    tx: &mut PgConnection,
    shard: AlertShard,
    day: civil::Date,
) -> Result<(), sqlx::Error> {
    sqlx::query!(
        "update matcher_shard set closing_day = $2 where shard = $1",
        shard.number,
        day.to_sqlx() as jiff_sqlx::Date,
    )
    .execute(tx)
    .await?;
    Ok(())
}

/// Filters pairs of an alert and a tender that match because a day has passed. A pair is kept if
/// the tender's current revision is newer than the alert's. At the time of the tender's revision,
/// the alert's owner must have had a plan with alerts.
pub async fn keep_newer_tenders(
    tx: &mut PgConnection,
    pairs: &[(Uuid, Uuid)],
) -> Result<Vec<(Uuid, Uuid)>, sqlx::Error> {
    let (alerts, tenders): (Vec<Uuid>, Vec<Uuid>) = pairs.iter().copied().unzip();
    let rows = sqlx::query!(
        r#"select a.id as alert_id, t.id as tender_id
        from unnest($1::uuid[], $2::uuid[]) as pair (alert_id, tender_id)
        join alert a on a.id = pair.alert_id
        join tender t on t.id = pair.tender_id
        join change of_alert
            on of_alert.subject = 'alert' and of_alert.subject_id = a.id and of_alert.revision = a.revision
        join change of_tender
            on of_tender.subject = 'tender' and of_tender.subject_id = t.id and of_tender.revision = t.revision
        where of_alert.position < of_tender.position and exists (
            select from held_subscription s join plan p on p.name = s.plan and p.email_alerts
            where s.holder_id = a.user_id and s.status <> 'pending'
                and s.start_date <= of_tender.at and s.holds_until > of_tender.at
        )"#,
        &alerts,
        &tenders,
    )
    .fetch_all(tx)
    .await?;
    Ok(rows.into_iter().map(|row| (row.alert_id, row.tender_id)).collect())
}

/// Marks a match as irrelevant at `at`, or as relevant if `at` is `None`. `false`: the user and the
/// user's team have no such match.
pub async fn mark_irrelevant(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    (alert_id, tender_id): (Uuid, Uuid),
    at: Option<Timestamp>,
) -> Result<bool, sqlx::Error> {
    let done = sqlx::query!(
        "update match set irrelevant_at = $4 from alert a
        where a.id = match.alert_id and a.user_id in (select mate_id from teammate where teammate.user_id = $1) and a.deleted_at is null and match.alert_id = $2 and match.tender_id = $3",
        user_id,
        alert_id,
        tender_id,
        at.map(ToSqlx::to_sqlx) as Option<SqlTimestamp>,
    );
    Ok(done.execute(db).await?.rows_affected() > 0)
}

/// A page of the matches of an alert, newest first, and their total number. Withdrawn tenders are
/// left out. For an empty page, the number is 0.
pub async fn of_alert(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    alert_id: Uuid,
    (limit, offset): (i64, i64),
) -> Result<(Vec<AlertMatch>, u64), sqlx::Error> {
    let rows = sqlx::query!(
        r#"select m.tender_id, r.record as "record: Json<Tender>", m.why as "why: Json<MatchReason>", m.at as "at: SqlTimestamp",
            m.irrelevant_at is not null as "is_irrelevant!", count(*) over () as "count!"
        from match m
        join alert a on a.id = m.alert_id and a.user_id in (select mate_id from teammate where teammate.user_id = $1) and a.deleted_at is null
        join tender t on t.id = m.tender_id and t.status <> 'withdrawn'
        join tender_revision r on r.tender_id = m.tender_id and r.revision = m.tender_revision
        where m.alert_id = $2
        order by m.at desc, m.tender_id desc limit $3 offset $4"#,
        user_id,
        alert_id,
        limit,
        offset,
    )
    .fetch_all(db)
    .await?;
    let count = rows.first().map_or(0, |row| row.count.unsigned_abs());
    let seen = rows.into_iter().map(|row| AlertMatch {
        tender_id: row.tender_id,
        tender: row.record.0,
        why: row.why.0,
        at: row.at.to_jiff(),
        is_irrelevant: row.is_irrelevant,
    });
    Ok((seen.collect(), count))
}

/// The newest matches of all alerts of a user and the user's team, newest first. Only open tenders and
/// relevant matches are included, and each tender is included once, with the current revision. Tenders that
/// the user has saved or that are on the board of the user's team are left out.
pub async fn newest_of_user(
    db: impl PgExecutor<'_>,
    user_id: Uuid,
    limit: i64,
    now: Timestamp,
) -> Result<Vec<RecentMatch>, sqlx::Error> {
    let rows = sqlx::query!(
        r#"select n.alert_id, n.name, n.at as "at: SqlTimestamp", r.record as "record: Json<Tender>",
            n.why as "why: Json<MatchReason>", n.tender_revision = n.revision as "is_current!"
        from (
            select distinct on (m.tender_id) m.tender_id, t.revision, m.alert_id, a.name, m.at, m.why, m.tender_revision
            from match m
            join alert a on a.id = m.alert_id and a.user_id in (select mate_id from teammate where teammate.user_id = $1)
                and a.deleted_at is null
            join tender t on t.id = m.tender_id and t.status = 'published' and (t.closing_at is null or t.closing_at > $3)
            where m.irrelevant_at is null
                and not exists (select from favourite f where f.user_id = $1 and f.tender_id = m.tender_id)
                and not exists (select from bid b where b.tender_id = m.tender_id
                    and b.account_id in (select mate_id from teammate where teammate.user_id = $1))
            order by m.tender_id, m.at desc, m.alert_id
        ) as n
        join tender_revision r on r.tender_id = n.tender_id and r.revision = n.revision
        order by n.at desc, n.tender_id desc limit $2"#,
        user_id,
        limit,
        now.to_sqlx() as SqlTimestamp,
    )
    .fetch_all(db)
    .await?;
    let recent = rows.into_iter().map(|row| RecentMatch {
        alert_id: row.alert_id,
        alert_name: row.name,
        tender: row.record.0,
        why: row.why.0,
        is_current: row.is_current,
        at: row.at.to_jiff(),
    });
    Ok(recent.collect())
}
