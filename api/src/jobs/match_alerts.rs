//! The matcher, one a database: goes through the log in order, keeps its percolator level with the alerts, meets each tender
//! revision with the alerts as they stand at that place, and in one transaction records the matches, what is to be sent of
//! them, and how far it has come. Level with the log, it makes once a day the matches that time alone makes.

use super::wake::Wake;
use crate::{
    app::state::AppState,
    domain::schedule,
    storage::{
        self, alerts,
        changes::{self, Change, Subject},
        digest_queue::{self, Collecting, NewItem, Timing},
        favourites,
        matches::{self, Candidate},
        revisions::{self, OwnedTender},
    },
};
use anyhow::Context;
use index::{LogPosition, alert::AlertQuery, percolate::Percolator, tender::Tender, vocabulary::Moment};
use jiff::{Timestamp, ToSpan};
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashMap, HashSet};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The most changes in one transaction.
const BATCH: i64 = 100;
/// The most changes that another process may have worked off before the alerts are loaded anew.
const CATCH_UP: i64 = 1000;

/// The stored alerts, level with a place in the log.
struct Level {
    percolator: Percolator,
    at: LogPosition,
}

/// Matches until told to stop.
///
/// # Errors
/// When the database fails; nothing of the batch has then happened, and the percolator is loaded anew.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut wake = Wake::new(&state.db).await.context("listening for changes")?;
    let mut level: Option<Level> = None;
    loop {
        let step = advance(state, level.take()).await?;
        let has_more = matches!(step, Step::Advanced(_));
        level = match step {
            Step::Advanced(level) | Step::AtTheEnd(level) => Some(level),
            Step::Elsewhere(level) => level,
        };
        state.progress.matcher.send_modify(|station| {
            station.position = level.as_ref().map_or(station.position, |level| level.at.position);
            station.ready = true;
        });
        if stop.is_cancelled() || (!has_more && !wake.wait(stop).await?) {
            return Ok(());
        }
    }
}

/// What came of looking for a batch.
enum Step {
    /// One was worked off; there may be more.
    Advanced(Level),
    /// There was none.
    AtTheEnd(Level),
    /// Another process is at it.
    Elsewhere(Option<Level>),
}

/// Works off one batch. On any error the level is gone, and with it whatever the percolator knew of a transaction that never was.
async fn advance(state: &AppState, level: Option<Level>) -> anyhow::Result<Step> {
    let mut tx = state.db.begin().await?;
    let Some(at) = matches::lock_position(&mut tx).await? else { return Ok(Step::Elsewhere(level)) };
    storage::go_by_keys(&mut tx).await?;
    let level = match level {
        Some(level) if level.at == at => level,
        Some(level) => catch_up(&mut tx, level, at).await?,
        None => load(&mut tx, at).await?,
    };
    let batch = changes::after(&mut *tx, at.position, BATCH).await?;
    let Some(last) = batch.last().map(|change| change.at) else {
        closing_days(state, &mut tx, at).await?;
        // If only dropped, it would end some time later, and the next look might find the matcher's row taken.
        tx.commit().await?;
        return Ok(Step::AtTheEnd(level));
    };
    let tenders = revisions::tenders(&mut *tx, &batch).await?;
    let queries = revisions::alerts(&mut *tx, &batch).await?;
    let telling = revisions::telling(&mut *tx, &batch).await?;
    let now = state.clock.now();
    let rates = state.config.rates_lkr.clone();
    let (level, candidates) = tokio::task::spawn_blocking(move || {
        let mut level = level;
        let candidates = percolate(&level.percolator, &batch, &tenders, &queries, Moment::new(now), &rates);
        level.at = last;
        (level, candidates)
    })
    .await?;
    let recorded = matches::record(&mut tx, &candidates, now).await?;
    collect(state, &mut tx, &recorded.items, now).await?;
    tell_changes(state, &mut tx, &telling, now).await?;
    matches::advance(&mut tx, last).await?;
    tx.commit().await?;
    if !candidates.is_empty() {
        tracing::info!(
            position = last.position,
            candidates = candidates.len(),
            matches = recorded.count,
            "matched"
        );
    }
    Ok(Step::Advanced(level))
}

/// The same level with a place that another process has come to.
async fn catch_up(tx: &mut PgConnection, mut level: Level, at: LogPosition) -> anyhow::Result<Level> {
    let missed = at.position - level.at.position;
    // It may also be another database than it was, put in its place from a copy.
    if !(0..=CATCH_UP).contains(&missed) || !changes::holds(&mut *tx, level.at).await? {
        return load(tx, at).await;
    }
    let missed = changes::after(&mut *tx, level.at.position, missed).await?;
    let queries = revisions::alerts(&mut *tx, &missed).await?;
    for change in missed.iter().filter(|change| change.of.subject == Subject::Alert) {
        follow(&level.percolator, change, &queries);
    }
    level.at = at;
    Ok(level)
}

/// A percolator holding the alerts as they stood at a place in the log.
async fn load(tx: &mut PgConnection, at: LogPosition) -> anyhow::Result<Level> {
    let started = std::time::Instant::now();
    let stored = alerts::asking_at(tx, at.position).await?;
    let count = stored.len();
    let percolator = tokio::task::spawn_blocking(move || {
        let percolator = Percolator::new();
        for (id, query) in &stored {
            put(&percolator, *id, query);
        }
        percolator
    })
    .await?;
    let duration_ms = started.elapsed().as_millis();
    tracing::info!(alerts = count, position = at.position, duration_ms, "loaded the stored alerts");
    Ok(Level { percolator, at })
}

/// An alert that can't be compiled was refused when it was saved; should one be stored all the same, it must not stop the
/// others.
fn put(percolator: &Percolator, id: Uuid, query: &AlertQuery) {
    if let Err(error) = percolator.put(id, query) {
        tracing::error!(alert = %id, %error, "a stored alert can't be matched");
    }
}

/// Puts an alert's new revision in the place of its last; one that asks nothing any more goes.
fn follow(percolator: &Percolator, change: &Change, queries: &HashMap<(Uuid, i64), AlertQuery>) {
    match queries.get(&(change.of.id, change.of.revision)) {
        Some(query) => put(percolator, change.of.id, query),
        None => {
            percolator.remove(change.of.id);
        }
    }
}

/// Goes through a batch in the order of the log.
fn percolate(
    percolator: &Percolator,
    batch: &[Change],
    tenders: &HashMap<(Uuid, i64), OwnedTender>,
    queries: &HashMap<(Uuid, i64), AlertQuery>,
    now: Moment,
    rates: &index::vocabulary::Rates,
) -> Vec<Candidate> {
    let mut candidates = Vec::new();
    for change in batch {
        let key = (change.of.id, change.of.revision);
        match change.of.subject {
            Subject::Alert => follow(percolator, change, queries),
            Subject::Tender => {
                let found = tenders.get(&key).map(|owned| &owned.tender);
                let Some(tender) = found.filter(|tender| tender.status.is_public()) else {
                    continue;
                };
                let hits = percolator.percolate(tender, now, rates).hits;
                candidates.extend(hits.iter().filter_map(|hit| {
                    Some(Candidate {
                        alert_id: hit.alert,
                        tender_id: change.of.id,
                        tender_revision: change.of.revision,
                        position: change.at.position,
                        why: percolator.why(hit)?,
                    })
                }));
            }
        }
    }
    candidates
}

/// Matches that time alone makes: a tender's days until closing have come down to an alert's bound. Looks, for each day since it last
/// did, at just the alerts with a bound and the tenders that close so many days later, and at those that are younger than their alert.
async fn closing_days(state: &AppState, tx: &mut PgConnection, at: LogPosition) -> anyhow::Result<()> {
    let now = state.clock.now();
    let today = Moment::new(now).day();
    let last = matches::closing_day(&mut *tx).await?;
    if last == Some(today) {
        return Ok(());
    }
    let days = schedule::missed(last, today);
    let mut of_bound: BTreeMap<u16, Vec<(Uuid, AlertQuery)>> = BTreeMap::new();
    if let Some(((first, last), asking)) =
        days.first().zip(days.last()).zip(Some(alerts::bounded_by_days(&mut *tx, at.position).await?))
    {
        for (id, query) in asking {
            if let Some(bound) = query.advanced_filters.max_days_until_closing {
                of_bound.entry(bound).or_default().push((id, query));
            }
        }
        let mut candidates = Vec::new();
        for (bound, alerts) in of_bound {
            let ahead = i64::from(bound).days();
            let (Ok(from), Ok(until)) = (first.checked_add(ahead), last.checked_add(ahead)) else { continue };
            let Some(span) = Moment::start_of(from).zip(Moment::end_of(until)) else { continue };
            let span = (span.0.timestamp(), span.1.timestamp());
            let tenders = revisions::closing_within(&mut *tx, span).await?;
            let rates = state.config.rates_lkr.clone();
            let met =
                tokio::task::spawn_blocking(move || meet(&alerts, &tenders, Moment::new(now), &rates, at));
            candidates.extend(met.await?);
        }
        let pairs: Vec<_> = candidates.iter().map(|met| (met.alert_id, met.tender_id)).collect();
        let younger: HashSet<_> = matches::younger_tenders(&mut *tx, &pairs).await?.into_iter().collect();
        candidates.retain(|met| younger.contains(&(met.alert_id, met.tender_id)));
        let recorded = matches::record(&mut *tx, &candidates, now).await?;
        collect(state, &mut *tx, &recorded.items, now).await?;
        tracing::info!(day = %today, days = days.len(), matches = recorded.count, "matched by days until closing");
    }
    matches::set_closing_day(&mut *tx, today).await?;
    Ok(())
}

/// Some alerts against some tenders.
fn meet(
    alerts: &[(Uuid, AlertQuery)],
    tenders: &[(i64, Tender)],
    now: Moment,
    rates: &index::vocabulary::Rates,
    at: LogPosition,
) -> Vec<Candidate> {
    let percolator = Percolator::new();
    for (id, query) in alerts {
        put(&percolator, *id, query);
    }
    let mut candidates = Vec::new();
    for (revision, tender) in tenders {
        let hits = percolator.percolate(tender, now, rates).hits;
        candidates.extend(hits.iter().filter_map(|hit| {
            Some(Candidate {
                alert_id: hit.alert,
                tender_id: tender.id,
                tender_revision: *revision,
                position: at.position,
                why: percolator.why(hit)?,
            })
        }));
    }
    candidates
}

/// Puts each item into the message it belongs to.
async fn collect(
    state: &AppState,
    tx: &mut PgConnection,
    items: &[NewItem],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (quiet, limit) = state.config.mail.collecting();
    let collecting = items.iter().map(|item| Collecting {
        item,
        id: state.random.id(&state.clock),
        seal_at: schedule::seal_at(item.frequency, now, item.daily_summary_time, quiet),
    });
    digest_queue::collect(tx, &collecting.collect::<Vec<_>>(), now, limit).await
}

/// Tells whoever knows of a tender what has become of it: by the alerts that had matched it, and by having saved it.
async fn tell_changes(
    state: &AppState,
    tx: &mut PgConnection,
    telling: &[(Uuid, i64)],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if telling.is_empty() {
        return Ok(());
    }
    let items = matches::changed(&mut *tx, telling, now).await?;
    collect(state, &mut *tx, &items, now).await?;
    let (quiet, limit) = state.config.mail.collecting();
    let seal_at = now.saturating_add(quiet).unwrap_or(now);
    for item in favourites::changed(&mut *tx, telling, now).await? {
        let timing = Timing { now, seal_at, limit };
        digest_queue::collect_saved(&mut *tx, state.random.id(&state.clock), &item, timing).await?;
    }
    Ok(())
}
