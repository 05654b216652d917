//! The matcher, one per database. It reads the log in order and matches each tender revision
//! against the alerts as of that position. One transaction records the matches, the digest items
//! and the new position. Once a day, when it has reached the end of the log, it adds matches that
//! only the passing of time causes.

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

/// The maximum number of changes in one transaction.
const BATCH: i64 = 100;
/// The maximum number of changes another process may be ahead before the alerts are reloaded.
const MAX_CATCH_UP: i64 = 1000;

/// The loaded alerts and their log position.
struct LoadedAlerts {
    percolator: Percolator,
    at: LogPosition,
}

/// Matches until stopped. On a database error the batch is rolled back and the percolator is
/// reloaded.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut wake = Wake::new(&state.db).await.context("listening for changes")?;
    let mut level: Option<LoadedAlerts> = None;
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

/// The result of one batch.
enum Step {
    /// A batch was processed; there may be more.
    Advanced(LoadedAlerts),
    /// There was none.
    AtTheEnd(LoadedAlerts),
    /// Another process is matching.
    Elsewhere(Option<LoadedAlerts>),
}

/// Processes one batch. On any error the loaded alerts are dropped, because they may include
/// changes of a rolled back transaction.
async fn advance(state: &AppState, level: Option<LoadedAlerts>) -> anyhow::Result<Step> {
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
        // A dropped transaction ends later, so that the next batch could find the matcher's row
        // still locked.
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
    notify_of_changes(state, &mut tx, &telling, now).await?;
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

/// Brings the loaded alerts up to the position of another process.
async fn catch_up(
    tx: &mut PgConnection,
    mut level: LoadedAlerts,
    at: LogPosition,
) -> anyhow::Result<LoadedAlerts> {
    let missed = at.position - level.at.position;
    // The database may also have been replaced by a copy.
    if !(0..=MAX_CATCH_UP).contains(&missed) || !changes::holds(&mut *tx, level.at).await? {
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

/// Loads the alerts as of a log position into a percolator.
async fn load(tx: &mut PgConnection, at: LogPosition) -> anyhow::Result<LoadedAlerts> {
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
    Ok(LoadedAlerts { percolator, at })
}

/// Adds an alert. Invalid queries are refused on saving; a stored one must not block the other
/// alerts.
fn put(percolator: &Percolator, id: Uuid, query: &AlertQuery) {
    if let Err(error) = percolator.put(id, query) {
        tracing::error!(alert = %id, %error, "a stored alert has an invalid query");
    }
}

/// Replaces an alert by its new revision, or removes it if that has no query.
fn follow(percolator: &Percolator, change: &Change, queries: &HashMap<(Uuid, i64), AlertQuery>) {
    match queries.get(&(change.of.id, change.of.revision)) {
        Some(query) => put(percolator, change.of.id, query),
        None => {
            percolator.remove(change.of.id);
        }
    }
}

/// Processes a batch in log order.
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

/// Adds matches that only the passing of time causes: the days until closing reach an alert's
/// limit. For each day since the last run, it checks alerts with a limit against the tenders that
/// close that many days later, if they are newer than the alert.
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
            let met = tokio::task::spawn_blocking(move || {
                match_pairs(&alerts, &tenders, Moment::new(now), &rates, at)
            });
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

/// Matches some alerts against some tenders.
fn match_pairs(
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

/// Adds each item to its message.
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

/// Notifies readers of changes to a tender: those whose alerts matched it, and those who saved it.
async fn notify_of_changes(
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
