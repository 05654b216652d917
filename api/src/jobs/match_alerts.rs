//! The matcher. It runs in one process per database at a time. It reads the change log in order
//! and matches each public tender revision against the alerts at that point of the log. For each
//! batch, one transaction records the matches, the digest items and the new position. Once a day,
//! when the matcher has reached the end of the log, it adds matches that only the passage of time
//! causes.

use super::wake::ChangeListener;
use crate::{
    app::{metrics::Metrics, state::AppState},
    base::trace::trace_span,
    domain::{channel::Channel, schedule, seal_time},
    storage::{
        self, alerts, batches, canary,
        changes::{self, Change, Subject},
        digest_queue::{self, ItemToCollect, NewItem, SealSchedule},
        matches::{self, MatchCandidate},
        review_queue,
        revisions::{self, OwnedTender},
        saved_tenders,
    },
};
use anyhow::Context;
use index::{LogPosition, percolate::Percolator};
use jiff::{SignedDuration, Timestamp, ToSpan};
use sqlx::PgConnection;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    time::Instant,
};
use tender_model::{
    alert::AlertQuery,
    tender::{CANARY_ID, Tender},
    vocabulary::Moment,
};
use tokio_util::sync::CancellationToken;
use tracing::Instrument;
use uuid::Uuid;

/// The maximum number of changes in one transaction.
const BATCH_SIZE: i64 = 100;
/// If another process is ahead by more changes than this, all alerts are loaded again.
const MAX_CATCH_UP: i64 = 1000;

/// How long the number of alerts that match a notice in review is used.
const REVIEW_COUNT_LIFETIME: SignedDuration = SignedDuration::from_hours(6);
/// The maximum number of notices in review whose alerts are counted at a time.
const MAX_REVIEW_COUNTS: i64 = 100;

/// The active alerts as of a log position.
struct LoadedAlerts {
    percolator: Percolator,
    at: LogPosition,
}

/// Matches until stopped. On an error, the batch is rolled back, and the next call loads the
/// alerts again.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut wake = ChangeListener::new(&state.db).await.context("listening for changes")?;
    let mut loaded: Option<LoadedAlerts> = None;
    loop {
        let step = process_batch(state, loaded.take()).await?;
        let has_more = matches!(step, BatchOutcome::Processed(_));
        loaded = match step {
            BatchOutcome::Processed(loaded) | BatchOutcome::UpToDate(loaded) => Some(loaded),
            BatchOutcome::MatchedElsewhere(loaded) => loaded,
        };
        state.progress.matcher.send_modify(|job| {
            job.position = loaded.as_ref().map_or(job.position, |loaded| loaded.at.position);
            job.ready = true;
        });
        if stop.is_cancelled() || (!has_more && !wake.wait(stop).await?) {
            return Ok(());
        }
    }
}

/// The result of one batch.
enum BatchOutcome {
    /// A batch was processed; there may be more.
    Processed(LoadedAlerts),
    /// The log has no further changes yet.
    UpToDate(LoadedAlerts),
    /// Another process is matching.
    MatchedElsewhere(Option<LoadedAlerts>),
}

/// Processes one batch. On an error, the loaded alerts are dropped, because they may include
/// changes from the batch that is rolled back.
async fn process_batch(state: &AppState, loaded: Option<LoadedAlerts>) -> anyhow::Result<BatchOutcome> {
    let mut tx = state.db.begin().await?;
    let Some(at) = matches::lock_position(&mut tx).await? else {
        return Ok(BatchOutcome::MatchedElsewhere(loaded));
    };
    storage::disable_seq_scans(&mut tx).await?;
    let loaded = match loaded {
        Some(loaded) if loaded.at == at => loaded,
        Some(loaded) => catch_up(&mut tx, loaded, at).await?,
        None => load_alerts(&mut tx, at).await?,
    };
    let batch = changes::after(&mut *tx, at.position, BATCH_SIZE).await?;
    let Some(last) = batch.last().map(|change| change.at) else {
        match_closing_days(state, &mut tx, at).await?;
        let loaded = count_review_matches(state, &mut tx, loaded).await?;
        // Commit explicitly: a dropped transaction ends later, and the next batch might find the
        // matcher's row still locked.
        tx.commit().await?;
        return Ok(BatchOutcome::UpToDate(loaded));
    };
    let tenders = revisions::tenders(&mut *tx, &batch).await?;
    let queries = revisions::alerts(&mut *tx, &batch).await?;
    let notifiable = revisions::needing_notification(&mut *tx, &batch).await?;
    let canaries = match batch.iter().any(|change| change.of.id == CANARY_ID) {
        true => canary::alerts(&mut *tx).await?,
        false => Vec::new(),
    };
    let now = state.clock.now();
    let (rates, metrics) = (state.config.rates_lkr.clone(), state.metrics.clone());
    let span = trace_span!("percolate", tenders = tenders.len());
    let (loaded, candidates) = tokio::task::spawn_blocking(move || {
        let mut loaded = loaded;
        let revisions = BatchRevisions { changes: &batch, tenders: &tenders, queries: &queries };
        let mut candidates = percolate(&loaded.percolator, &revisions, Moment::new(now), &rates, &metrics);
        // The canary matches its own alerts only, and nobody else's.
        candidates.retain(|found| found.tender_id != CANARY_ID || canaries.contains(&found.alert_id));
        loaded.at = last;
        (loaded, candidates)
    })
    .instrument(span)
    .await?;
    let recorded = matches::record(&mut tx, &candidates, now).await?;
    add_to_digests(state, &mut tx, &recorded.items, now).await?;
    notify_of_changes(state, &mut tx, &notifiable, now).await?;
    matches::record_position(&mut tx, last).await?;
    tx.commit().await?;
    if !candidates.is_empty() {
        tracing::info!(
            position = last.position,
            candidates = candidates.len(),
            matches = recorded.count,
            "matched"
        );
    }
    Ok(BatchOutcome::Processed(loaded))
}

/// Counts the alerts that match the notices in the review queue. The queue shows the notices with
/// the most alerts first.
async fn count_review_matches(
    state: &AppState,
    tx: &mut PgConnection,
    loaded: LoadedAlerts,
) -> anyhow::Result<LoadedAlerts> {
    let now = state.clock.now();
    let outdated = now.checked_sub(REVIEW_COUNT_LIFETIME).unwrap_or(Timestamp::MIN);
    let notices = review_queue::uncounted(tx, outdated, MAX_REVIEW_COUNTS).await?;
    if notices.is_empty() {
        return Ok(loaded);
    }
    let rates = state.config.rates_lkr.clone();
    let (loaded, counts) = tokio::task::spawn_blocking(move || {
        let count = |(key, tender): (String, Tender)| {
            let hits = loaded.percolator.percolate(&tender, Moment::new(now), &rates).hits.len();
            (key, i32::try_from(hits).unwrap_or(i32::MAX))
        };
        let counts: Vec<(String, i32)> = notices.into_iter().map(count).collect();
        (loaded, counts)
    })
    .await?;
    review_queue::store_counts(tx, &counts, now).await?;
    Ok(loaded)
}

/// Brings the loaded alerts to the position that another process has reached.
async fn catch_up(
    tx: &mut PgConnection,
    mut loaded: LoadedAlerts,
    at: LogPosition,
) -> anyhow::Result<LoadedAlerts> {
    let missed = at.position - loaded.at.position;
    // The position may also belong to another log, if a backup of the database was restored.
    if !(0..=MAX_CATCH_UP).contains(&missed) || !changes::contains(&mut *tx, loaded.at).await? {
        return load_alerts(tx, at).await;
    }
    let missed = changes::after(&mut *tx, loaded.at.position, missed).await?;
    let queries = revisions::alerts(&mut *tx, &missed).await?;
    for change in missed.iter().filter(|change| change.of.subject == Subject::Alert) {
        apply_alert_change(&loaded.percolator, change, &queries);
    }
    loaded.at = at;
    Ok(loaded)
}

/// Loads the alerts as of a log position into a percolator.
async fn load_alerts(tx: &mut PgConnection, at: LogPosition) -> anyhow::Result<LoadedAlerts> {
    let started = Instant::now();
    let stored = alerts::active_at(tx, at.position).await?;
    let count = stored.len();
    let percolator = tokio::task::spawn_blocking(move || {
        let percolator = Percolator::new();
        for (id, query) in &stored {
            add_alert(&percolator, *id, query);
        }
        percolator
    })
    .await?;
    let duration_ms = started.elapsed().as_millis();
    tracing::info!(alerts = count, position = at.position, duration_ms, "loaded the stored alerts");
    Ok(LoadedAlerts { percolator, at })
}

/// Adds an alert. Invalid queries are rejected when an alert is saved. If an invalid query is
/// stored all the same, it is logged and skipped, so that it does not block other alerts.
fn add_alert(percolator: &Percolator, id: Uuid, query: &AlertQuery) {
    if let Err(error) = percolator.put(id, query) {
        tracing::error!(alert = %id, %error, "a stored alert has an invalid query");
    }
}

/// Replaces an alert with its new revision, or removes it if the revision has no query.
fn apply_alert_change(percolator: &Percolator, change: &Change, queries: &HashMap<(Uuid, i64), AlertQuery>) {
    match queries.get(&(change.of.id, change.of.revision)) {
        Some(query) => add_alert(percolator, change.of.id, query),
        None => {
            percolator.remove(change.of.id);
        }
    }
}

/// The changes of a batch, and the revisions that they name.
struct BatchRevisions<'a> {
    changes: &'a [Change],
    tenders: &'a HashMap<(Uuid, i64), OwnedTender>,
    queries: &'a HashMap<(Uuid, i64), AlertQuery>,
}

/// Applies the alert changes of a batch to the percolator and matches the tender revisions, in log
/// order. Returns the matches.
fn percolate(
    percolator: &Percolator,
    batch: &BatchRevisions<'_>,
    now: Moment,
    rates: &tender_model::vocabulary::Rates,
    metrics: &Metrics,
) -> Vec<MatchCandidate> {
    let BatchRevisions { changes, tenders, queries } = batch;
    let mut candidates = Vec::new();
    for change in *changes {
        let key = (change.of.id, change.of.revision);
        match change.of.subject {
            Subject::Alert => apply_alert_change(percolator, change, queries),
            Subject::Tender => {
                let found = tenders.get(&key).map(|owned| &owned.tender);
                let Some(tender) = found.filter(|tender| tender.status.is_public()) else {
                    continue;
                };
                let began = Instant::now();
                let found = percolator.percolate(tender, now, rates);
                metrics.portal.record_percolation(began.elapsed(), found.counters.candidates);
                candidates.extend(found.hits.iter().filter_map(|hit| {
                    Some(MatchCandidate {
                        alert_id: hit.alert,
                        tender_id: change.of.id,
                        tender_revision: change.of.revision,
                        position: change.at.position,
                        why: percolator.match_reason(hit)?,
                    })
                }));
            }
        }
    }
    candidates
}

/// Adds matches that only the passage of time causes: the days until a tender's closing reach the
/// limit of an alert. For each day since the last run, this matches the alerts with a limit
/// against the tenders that close exactly that many days later. A match counts only if the
/// tender's last revision is newer than the alert's.
async fn match_closing_days(state: &AppState, tx: &mut PgConnection, at: LogPosition) -> anyhow::Result<()> {
    let now = state.clock.now();
    let today = Moment::new(now).day();
    let last = matches::last_closing_check(&mut *tx).await?;
    if last == Some(today) {
        return Ok(());
    }
    let days = schedule::missed_days(last, today);
    let mut by_limit: BTreeMap<u16, Vec<(Uuid, AlertQuery)>> = BTreeMap::new();
    if let Some(((first, last), limited_alerts)) = days
        .first()
        .zip(days.last())
        .zip(Some(alerts::with_max_days_until_closing(&mut *tx, at.position).await?))
    {
        for (id, query) in limited_alerts {
            if let Some(bound) = query.advanced_filters.max_days_until_closing {
                by_limit.entry(bound).or_default().push((id, query));
            }
        }
        let mut candidates = Vec::new();
        for (bound, alerts) in by_limit {
            let ahead = i64::from(bound).days();
            let (Ok(from), Ok(until)) = (first.checked_add(ahead), last.checked_add(ahead)) else { continue };
            let Some(span) = Moment::start_of(from).zip(Moment::end_of(until)) else { continue };
            let span = (span.0.timestamp(), span.1.timestamp());
            let tenders = revisions::closing_within(&mut *tx, span).await?;
            let rates = state.config.rates_lkr.clone();
            let matched = tokio::task::spawn_blocking(move || {
                match_alerts_to_tenders(&alerts, &tenders, Moment::new(now), &rates, at)
            });
            candidates.extend(matched.await?);
        }
        let pairs: Vec<_> = candidates.iter().map(|found| (found.alert_id, found.tender_id)).collect();
        let kept: HashSet<_> = matches::keep_newer_tenders(&mut *tx, &pairs).await?.into_iter().collect();
        candidates.retain(|found| kept.contains(&(found.alert_id, found.tender_id)));
        let recorded = matches::record(&mut *tx, &candidates, now).await?;
        add_to_digests(state, &mut *tx, &recorded.items, now).await?;
        tracing::info!(day = %today, days = days.len(), matches = recorded.count, "matched by days until closing");
    }
    matches::record_closing_check(&mut *tx, today).await?;
    Ok(())
}

/// Matches these alerts against these tenders.
fn match_alerts_to_tenders(
    alerts: &[(Uuid, AlertQuery)],
    tenders: &[(i64, Tender)],
    now: Moment,
    rates: &tender_model::vocabulary::Rates,
    at: LogPosition,
) -> Vec<MatchCandidate> {
    let percolator = Percolator::new();
    for (id, query) in alerts {
        add_alert(&percolator, *id, query);
    }
    let mut candidates = Vec::new();
    for (revision, tender) in tenders {
        let hits = percolator.percolate(tender, now, rates).hits;
        candidates.extend(hits.iter().filter_map(|hit| {
            Some(MatchCandidate {
                alert_id: hit.alert,
                tender_id: tender.id,
                tender_revision: *revision,
                position: at.position,
                why: percolator.match_reason(hit)?,
            })
        }));
    }
    candidates
}

/// Adds each item to the open message of its alert, and opens the message if necessary.
async fn add_to_digests(
    state: &AppState,
    tx: &mut PgConnection,
    items: &[NewItem],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (quiet, limit) = state.config.mail.collection_times();
    let collecting = items.iter().map(|item| ItemToCollect {
        item,
        id: state.random.id(&state.clock),
        seal_at: seal_time::seal_at(item.frequency, now, item.daily_summary_time, quiet),
    });
    digest_queue::collect(tx, &collecting.collect::<Vec<_>>(), now, limit).await
}

/// Collects messages about changed tenders, for the users whose alerts matched a tender and for
/// the users who saved it. Mails about batches that were withdrawn are composed by
/// [`super::withdraw_batches`].
async fn notify_of_changes(
    state: &AppState,
    tx: &mut PgConnection,
    notifiable: &[(Uuid, i64)],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if notifiable.is_empty() {
        return Ok(());
    }
    let of_batches = batches::progress::revisions_of_batches(&mut *tx, notifiable).await?;
    let mut items = matches::change_items(&mut *tx, notifiable, now).await?;
    items.retain(|item| {
        item.channel != Channel::Email || !of_batches.contains(&(item.tender_id, item.tender_revision))
    });
    add_to_digests(state, &mut *tx, &items, now).await?;
    let notifiable: Vec<(Uuid, i64)> =
        notifiable.iter().copied().filter(|change| !of_batches.contains(change)).collect();
    let (quiet, limit) = state.config.mail.collection_times();
    let seal_at = now.saturating_add(quiet).unwrap_or(now);
    for item in saved_tenders::change_items(&mut *tx, &notifiable, now).await? {
        let timing = SealSchedule { now, seal_at, limit };
        digest_queue::collect_saved(&mut *tx, state.random.id(&state.clock), &item, timing).await?;
    }
    Ok(())
}
