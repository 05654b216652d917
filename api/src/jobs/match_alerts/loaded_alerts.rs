//! [`LoadedAlerts`]: the active alerts of a shard in memory, as of a position of the change log.

use crate::{
    domain::alert_shard::AlertShard,
    storage::{
        alerts,
        changes::{self, Change, Subject},
        matcher_shards, revisions,
    },
};
use anyhow::Context;
use futures::TryStreamExt;
use index::{LogPosition, percolate::Percolator};
use sqlx::PgConnection;
use std::{collections::HashMap, time::Instant};
use tender_model::alert::AlertQuery;
use uuid::Uuid;

/// The number of alerts that are passed to the percolator at a time.
const LOAD_CHUNK: usize = 1000;
/// The number of changes that are read at a time to catch up.
const CATCH_UP_PAGE: i64 = 1000;

/// The active alerts of a shard as of a log position.
pub(super) struct LoadedAlerts {
    /// The shard.
    pub(super) shard: AlertShard,
    /// The alerts.
    pub(super) percolator: Percolator,
    /// The position.
    pub(super) at: LogPosition,
}

impl LoadedAlerts {
    /// Replaces an alert with its new revision, or removes it if the revision has no query. Alerts of
    /// other shards are skipped.
    pub(super) fn apply(&self, change: &Change, queries: &HashMap<(Uuid, i64), AlertQuery>) {
        if !self.shard.contains(change.of.id) {
            return;
        }
        match queries.get(&(change.of.id, change.of.revision)) {
            Some(query) => add_alert(&self.percolator, change.of.id, query),
            None => {
                self.percolator.remove(change.of.id);
            }
        }
    }
}

/// Adds an alert. Invalid queries are rejected when an alert is saved. If an invalid query is
/// stored all the same, it is logged and skipped, so that it does not block other alerts.
pub(super) fn add_alert(percolator: &Percolator, id: Uuid, query: &AlertQuery) {
    if let Err(error) = percolator.put(id, query) {
        tracing::error!(alert = %id, %error, "a stored alert has an invalid query");
    }
}

/// Loads the alerts of a shard, or brings loaded ones to the position that the shard has reached. `None`: the
/// number of shards has changed.
pub(super) async fn prepare(
    connection: &mut PgConnection,
    shard: AlertShard,
    loaded: Option<LoadedAlerts>,
) -> anyhow::Result<Option<LoadedAlerts>> {
    let Some(at) = matcher_shards::position(&mut *connection, shard).await? else { return Ok(None) };
    let loaded = match loaded {
        Some(loaded) => bring_to(connection, loaded, at).await?,
        None => load(connection, shard, at).await?,
    };
    Ok(Some(loaded))
}

/// Brings the loaded alerts to the position that another process has reached.
pub(super) async fn bring_to(
    connection: &mut PgConnection,
    mut loaded: LoadedAlerts,
    at: LogPosition,
) -> anyhow::Result<LoadedAlerts> {
    if loaded.at == at {
        return Ok(loaded);
    }
    let missed = at.position - loaded.at.position;
    // It is faster to load all alerts than to read more changes than there are alerts.
    let max = i64::try_from(loaded.percolator.len()).unwrap_or(i64::MAX).max(CATCH_UP_PAGE);
    // The position may also belong to another log, if a backup of the database was restored.
    if !(0..=max).contains(&missed) || !changes::contains(&mut *connection, loaded.at).await? {
        return load(connection, loaded.shard, at).await;
    }
    while loaded.at != at {
        let page = (at.position - loaded.at.position).min(CATCH_UP_PAGE);
        let missed = changes::after(&mut *connection, loaded.at.position, page).await?;
        let queries = revisions::alerts(&mut *connection, &missed).await?;
        for change in missed.iter().filter(|change| change.of.subject == Subject::Alert) {
            loaded.apply(change, &queries);
        }
        loaded.at = missed.last().map_or(at, |change| change.at);
    }
    Ok(loaded)
}

/// Loads the alerts of a shard as of a log position. They are read while earlier ones are added, so that
/// never all queries are in memory.
async fn load(
    connection: &mut PgConnection,
    shard: AlertShard,
    at: LogPosition,
) -> anyhow::Result<LoadedAlerts> {
    let started = Instant::now();
    let (sender, mut receiver) = tokio::sync::mpsc::channel::<Vec<(Uuid, String)>>(4);
    let added = tokio::task::spawn_blocking(move || {
        let percolator = Percolator::new();
        while let Some(chunk) = receiver.blocking_recv() {
            for (id, query) in chunk {
                let query =
                    serde_json::from_str(&query).with_context(|| format!("the query of alert {id}"))?;
                add_alert(&percolator, id, &query);
            }
        }
        anyhow::Ok(percolator)
    });
    let mut chunks = alerts::active_at(&mut *connection, shard, at.position).try_chunks(LOAD_CHUNK);
    while let Some(chunk) = chunks.try_next().await.map_err(|error| error.1)? {
        // The receiver ends early on an error, which is reported below.
        if sender.send(chunk).await.is_err() {
            break;
        }
    }
    drop((chunks, sender));
    let percolator = added.await??;
    let duration_ms = started.elapsed().as_millis() as u64;
    tracing::info!(
        alerts = percolator.len(),
        shard = shard.number,
        position = at.position,
        duration_ms,
        "loaded the stored alerts"
    );
    Ok(LoadedAlerts { shard, percolator, at })
}
