//! The matcher, one a database: goes through the log in order, keeps its percolator level with the alerts, meets each tender
//! revision with the alerts as they stand at that place, and in one transaction records the matches, what is to be sent of
//! them, and how far it has come.

use super::wake::Wake;
use crate::{
    db::{
        alerts,
        changes::{self, Change, Subject},
        deliveries,
        matches::{self, Candidate, NewMatch},
        revisions::{self, OwnedTender},
    },
    schedule,
    state::AppState,
};
use anyhow::Context;
use index::{LogPosition, alert::AlertQuery, percolate::Percolator, vocabulary::Moment};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The most changes in one transaction.
const BATCH: i64 = 100;

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
        let before = level.as_ref().map(|level| level.at);
        level = advance(state, level).await?;
        state.progress.matcher.send_modify(|station| {
            station.position = level.as_ref().map_or(station.position, |level| level.at.position);
            station.ready = true;
        });
        let moved = level.as_ref().map(|level| level.at) != before;
        if stop.is_cancelled() || (!moved && !wake.wait(stop).await?) {
            return Ok(());
        }
    }
}

/// Works off one batch. `None` while another process is the matcher. On any error the level is gone, and with it whatever
/// the percolator knew of a transaction that never was.
async fn advance(state: &AppState, level: Option<Level>) -> anyhow::Result<Option<Level>> {
    let mut tx = state.db.begin().await?;
    let Some(at) = matches::lock_position(&mut tx).await? else { return Ok(None) };
    let level = match level {
        Some(level) if level.at == at => level,
        _ => load(&mut tx, at).await?,
    };
    let batch = changes::after(&mut *tx, at.position, BATCH).await?;
    let Some(last) = batch.last().map(|change| change.at) else { return Ok(Some(level)) };
    let tenders = revisions::tenders(&mut *tx, &batch).await?;
    let queries = revisions::alerts(&mut *tx, &batch).await?;
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
    collect(state, &mut tx, &recorded, now).await?;
    matches::advance(&mut tx, last).await?;
    tx.commit().await?;
    if !candidates.is_empty() {
        tracing::info!(
            position = last.position,
            candidates = candidates.len(),
            matches = recorded.len(),
            "matched"
        );
    }
    Ok(Some(level))
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
            Subject::Alert => match queries.get(&key) {
                Some(query) => put(percolator, change.of.id, query),
                None => {
                    percolator.remove(change.of.id);
                }
            },
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

/// Puts each new match into the message it belongs to.
async fn collect(
    state: &AppState,
    tx: &mut PgConnection,
    recorded: &[NewMatch],
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let mail = &state.config.mail;
    let quiet = SignedDuration::from_secs(i64::try_from(mail.collect_quiet_seconds).unwrap_or(i64::MAX));
    let limit = SignedDuration::from_secs(i64::try_from(mail.collect_limit_seconds).unwrap_or(i64::MAX));
    for item in recorded.iter().filter(|item| item.email_enabled) {
        let seal_at = schedule::seal_at(item.frequency, now, item.daily_summary_time, quiet.min(limit));
        deliveries::collect(&mut *tx, state.random.id(&state.clock), item, now, seal_at, limit).await?;
    }
    Ok(())
}
