//! The matcher. It reads the change log in order and matches each public tender revision against the
//! alerts at that point of the log. The alerts are divided into shards, by default one. A process
//! matches the alerts of the shards that it holds, or stands by with the alerts of a shard in memory.
//! For each batch of a shard, one transaction records the matches, the digest items and the new
//! position. Once a day, when a shard has reached the end of the log, the matcher adds matches that
//! only the passage of time causes.

mod closing_days;
mod digests;
mod loaded_alerts;

use super::{silence::SilenceDetector, wake::ChangeListener};
use crate::{
    app::{metrics::Metrics, state::AppState},
    base::trace::trace_span,
    domain::{alert_shard::AlertShard, channel::Channel},
    storage::{
        self, batches, canary,
        changes::{self, Change, Subject},
        digest_queue::{self, SealSchedule},
        matcher_shards::{self, HeldShard},
        matches::{self, MatchCandidate},
        review_queue,
        revisions::{self, OwnedTender},
        saved_tenders,
    },
};
use anyhow::{Context, bail};
use digests::add_to_digests;
use jiff::{SignedDuration, Timestamp};
use loaded_alerts::LoadedAlerts;
use sqlx::{Connection, PgConnection};
use std::{
    collections::{BTreeMap, HashMap},
    convert::Infallible,
    sync::atomic::Ordering,
    time::{Duration, Instant},
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

/// The time between two heartbeats.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// How often a process that holds shards looks for dead processes and for its part of the shards.
const SHARD_INTERVAL: Duration = Duration::from_secs(1);

/// How long the number of alerts that match a notice in review is used.
const REVIEW_COUNT_LIFETIME: SignedDuration = SignedDuration::from_hours(6);
/// The maximum number of notices in review whose alerts are counted at a time.
const MAX_REVIEW_COUNTS: i64 = 100;

/// Matches until stopped, together with other processes. On an error, the batch is rolled back, and the
/// next call loads the alerts again.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let process = state.random.id(&state.clock);
    let mut connection = storage::connect_apart(&state.db).await.context("connecting to match")?;
    matcher_shards::enter(&mut connection, process).await?;
    tokio::select! {
        done = match_until_stopped(state, process, &mut connection, stop) => done?,
        lost = keep_beating(state, process) => { lost?; }
    }
    matcher_shards::leave(&mut connection, process).await?;
    Ok(())
}

/// Counts heartbeats of this process. Its own connection shows that the process works, however long a batch
/// takes.
///
/// # Errors
/// Fails if another process has declared this one dead.
async fn keep_beating(state: &AppState, process: Uuid) -> anyhow::Result<Infallible> {
    let mut connection = storage::connect_apart(&state.db).await.context("connecting for heartbeats")?;
    loop {
        if !matcher_shards::beat(&mut connection, process).await? {
            bail!(TAKEN_OVER);
        }
        tokio::time::sleep(HEARTBEAT_INTERVAL).await;
    }
}

/// The error of a process that was declared dead.
const TAKEN_OVER: &str = "another process has taken over, because this one did not respond";

async fn match_until_stopped(
    state: &AppState,
    process: Uuid,
    connection: &mut PgConnection,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let mut wake = ChangeListener::new(&state.db).await.context("listening for changes")?;
    let mut loaded: BTreeMap<AlertShard, LoadedAlerts> = BTreeMap::new();
    let mut held: Vec<HeldShard> = Vec::new();
    let mut looked_at: Option<Instant> = None;
    let mut silence = SilenceDetector::default();
    loop {
        if held.is_empty() || looked_at.is_none_or(|at| at.elapsed() >= SHARD_INTERVAL) {
            divide(state, connection).await?;
            let prepared = loaded.keys().next().copied();
            let silent = silence.detect(&matcher_shards::heartbeats(&mut *connection).await?, Instant::now());
            let taken = matcher_shards::take_part(connection, process, &silent, prepared).await?;
            held = taken.context(TAKEN_OVER)?;
            looked_at = Some(Instant::now());
            let standby = match held.is_empty() {
                true => matcher_shards::standby_shard(&mut *connection, process).await?,
                false => None,
            };
            loaded.retain(|shard, _| standby == Some(*shard) || held.iter().any(|held| held.shard == *shard));
            if let Some(shard) = standby {
                let alerts = loaded_alerts::prepare(connection, shard, loaded.remove(&shard)).await?;
                loaded.extend(alerts.map(|alerts| (shard, alerts)));
            }
        }
        let mut has_more = false;
        for shard in held.clone() {
            // Loading takes long, and other processes may have come meanwhile. So the process looks for its part
            // again before it loads the next shard.
            if !loaded.contains_key(&shard.shard) && looked_at.take().is_none() {
                has_more = true;
                continue;
            }
            let step = process_batch(state, connection, shard, loaded.remove(&shard.shard)).await?;
            has_more |= !matches!(step, BatchOutcome::UpToDate(_));
            match step {
                BatchOutcome::Processed(alerts) | BatchOutcome::UpToDate(alerts) => {
                    loaded.insert(shard.shard, alerts);
                }
                BatchOutcome::NotHeld => held.retain(|other| *other != shard),
            }
        }
        let position = held.iter().filter_map(|held| Some(loaded.get(&held.shard)?.at.position)).min();
        state.progress.matcher.send_modify(|job| {
            job.position = position.unwrap_or(job.position);
            job.ready = true;
        });
        if stop.is_cancelled() || (!has_more && !wake.wait(stop).await?) {
            return Ok(());
        }
    }
}

/// Divides the alerts into as many shards as the settings say, once after the start of the process. A process
/// that runs for longer keeps to the number of one that was started later.
async fn divide(state: &AppState, connection: &mut PgConnection) -> anyhow::Result<()> {
    let is_done = &state.progress.has_divided_alerts;
    if !is_done.load(Ordering::Relaxed) {
        let count = state.config.matcher.matcher_shards.into();
        is_done.store(matcher_shards::divide(connection, count).await?, Ordering::Relaxed);
    }
    Ok(())
}

/// The result of one batch.
enum BatchOutcome {
    /// A batch was processed; there may be more.
    Processed(LoadedAlerts),
    /// The log has no further changes yet.
    UpToDate(LoadedAlerts),
    /// This process no longer holds the shard.
    NotHeld,
}

/// Processes one batch of a shard. On an error, the loaded alerts are dropped, because they may include
/// changes from the batch that is rolled back.
async fn process_batch(
    state: &AppState,
    connection: &mut PgConnection,
    held: HeldShard,
    loaded: Option<LoadedAlerts>,
) -> anyhow::Result<BatchOutcome> {
    let shard = held.shard;
    // All alerts are loaded before the shard is locked, because that takes long.
    let loaded = match loaded {
        Some(loaded) => loaded,
        None => match loaded_alerts::prepare(connection, shard, None).await? {
            Some(loaded) => loaded,
            None => return Ok(BatchOutcome::NotHeld),
        },
    };
    let mut tx = connection.begin().await?;
    let Some(at_start) = matcher_shards::lock(&mut tx, held).await? else { return Ok(BatchOutcome::NotHeld) };
    let at = at_start.at;
    storage::disable_seq_scans(&mut tx).await?;
    let loaded = loaded_alerts::bring_to(&mut tx, loaded, at).await?;
    let limit = at_start.stop_at.map_or(BATCH_SIZE, |stop| (stop - at.position).clamp(0, BATCH_SIZE));
    let batch = changes::after(&mut *tx, at.position, limit).await?;
    let now = state.clock.now();
    let Some(last) = batch.last().map(|change| change.at) else {
        let mut loaded = loaded;
        if at_start.stop_at.is_none() {
            closing_days::match_closing_days(state, &mut tx, shard, at).await?;
            loaded = count_review_matches(state, &mut tx, loaded).await?;
        }
        let has_more = catch_up_with_saved(state, &mut tx, shard, at_start.saved_position, now).await?;
        // Commit explicitly: a dropped transaction ends later, and the next batch might find the
        // shard still locked.
        tx.commit().await?;
        if at_start.stop_at == Some(at.position) {
            matcher_shards::finish_division(connection).await?;
        }
        return Ok(if has_more { BatchOutcome::Processed(loaded) } else { BatchOutcome::UpToDate(loaded) });
    };
    let tenders = revisions::tenders(&mut *tx, &batch).await?;
    let queries = revisions::alerts(&mut *tx, &batch).await?;
    let notifiable = revisions::needing_notification(&mut *tx, &batch).await?;
    let canaries = match batch.iter().any(|change| change.of.id == CANARY_ID) {
        true => canary::alerts(&mut *tx).await?,
        false => Vec::new(),
    };
    let (rates, metrics) = (state.config.rates_lkr.clone(), state.metrics.clone());
    let span = trace_span!("percolate", tenders = tenders.len());
    let (loaded, candidates) = tokio::task::spawn_blocking(move || {
        let mut loaded = loaded;
        let revisions = BatchRevisions { changes: &batch, tenders: &tenders, queries: &queries };
        let mut candidates = percolate(&loaded, &revisions, Moment::new(now), &rates, &metrics);
        // The canary matches its own alerts only, and nobody else's.
        candidates.retain(|found| found.tender_id != CANARY_ID || canaries.contains(&found.alert_id));
        loaded.at = last;
        (loaded, candidates)
    })
    .instrument(span)
    .await?;
    let recorded = matches::record(&mut tx, &candidates, now).await?;
    add_to_digests(state, &mut tx, &recorded.items, now).await?;
    notify_of_changes(state, &mut tx, shard, &notifiable, now).await?;
    matcher_shards::record_position(&mut tx, shard, last).await?;
    if shard.is_part() {
        catch_up_with_saved(state, &mut tx, shard, at_start.saved_position, now).await?;
    } else {
        notify_savers(state, &mut tx, &notifiable, now).await?;
    }
    tx.commit().await?;
    if !candidates.is_empty() {
        tracing::info!(
            position = last.position,
            shard = shard.number,
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
    let shard = loaded.shard;
    let notices = review_queue::uncounted(tx, shard, outdated, MAX_REVIEW_COUNTS).await?;
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
    review_queue::store_counts(tx, shard, &counts, now).await?;
    Ok(loaded)
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
    loaded: &LoadedAlerts,
    batch: &BatchRevisions<'_>,
    now: Moment,
    rates: &tender_model::vocabulary::Rates,
    metrics: &Metrics,
) -> Vec<MatchCandidate> {
    let BatchRevisions { changes, tenders, queries } = batch;
    let percolator = &loaded.percolator;
    let mut candidates = Vec::new();
    for change in *changes {
        let key = (change.of.id, change.of.revision);
        match change.of.subject {
            Subject::Alert => loaded.apply(change, queries),
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

/// Collects messages about changed tenders, for the users whose alerts of the shard matched a tender. Mails
/// about batches that were withdrawn are composed by [`super::withdraw_batches`].
async fn notify_of_changes(
    state: &AppState,
    tx: &mut PgConnection,
    shard: AlertShard,
    notifiable: &[(Uuid, i64)],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if notifiable.is_empty() {
        return Ok(());
    }
    let of_batches = batches::progress::revisions_of_batches(&mut *tx, notifiable).await?;
    let mut items = matches::change_items(&mut *tx, shard, notifiable, now).await?;
    items.retain(|item| {
        item.channel != Channel::Email || !of_batches.contains(&(item.tender_id, item.tender_revision))
    });
    add_to_digests(state, &mut *tx, &items, now).await
}

/// Collects messages about changed tenders, for the users who saved a tender. A user whom an alert tells
/// about the change gets no other message, so all shards must have passed the change.
async fn notify_savers(
    state: &AppState,
    tx: &mut PgConnection,
    notifiable: &[(Uuid, i64)],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    if notifiable.is_empty() {
        return Ok(());
    }
    let of_batches = batches::progress::revisions_of_batches(&mut *tx, notifiable).await?;
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

/// Tells the users who saved a tender about the changes that all of several shards have passed. The first
/// shard does so for all. Returns whether there are more such changes.
async fn catch_up_with_saved(
    state: &AppState,
    tx: &mut PgConnection,
    shard: AlertShard,
    from: i64,
    now: Timestamp,
) -> Result<bool, sqlx::Error> {
    if !shard.is_part() || shard.number > 0 {
        return Ok(false);
    }
    let until = matcher_shards::least_position(&mut *tx).await?;
    let passed = changes::after(&mut *tx, from, (until - from).clamp(0, BATCH_SIZE)).await?;
    let Some(last) = passed.last().map(|change| change.at.position) else { return Ok(false) };
    let notifiable = revisions::needing_notification(&mut *tx, &passed).await?;
    notify_savers(state, &mut *tx, &notifiable, now).await?;
    matcher_shards::record_saved_position(&mut *tx, shard, last).await?;
    Ok(last < until)
}
