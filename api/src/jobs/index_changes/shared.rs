//! The follower of an index that all processes share. One process writes to the index. The others watch
//! its position, and one of them takes over when the writer stops or falls silent.

use super::{call, show_missing, show_position, write_changes};
use crate::{
    app::state::AppState,
    jobs::silence::SilenceDetector,
    storage::{changes, index_writers},
};
use anyhow::{Context, bail};
use index::IndexError;
use sqlx::postgres::PgListener;
use std::{
    convert::Infallible,
    time::{Duration, Instant},
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The time between two heartbeats of the writer.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);
/// The number of heartbeats in a row that may fail. After a few seconds, another process takes over.
const MAX_FAILED_HEARTBEATS: u32 = 3;
/// The maximum time between two looks at the writer and at the position of the index.
const WATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The maximum time to tell the others that this process no longer writes.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// Watches the index until this process becomes its writer, then writes until stopped. On an error, another
/// process becomes the writer.
pub(super) async fn follow(state: &AppState, name: &str, stop: &CancellationToken) -> anyhow::Result<()> {
    let done = watch_and_write(state, name, stop).await;
    if let Err(error) = &done
        && let Some(IndexError::Unavailable(_)) = error.downcast_ref()
    {
        state.progress.shared_index.set_unreachable();
    }
    done
}

async fn watch_and_write(state: &AppState, name: &str, stop: &CancellationToken) -> anyhow::Result<()> {
    let process = state.random.id(&state.clock);
    if !watch(state, name, process, stop).await? {
        return Ok(());
    }
    tracing::info!(index = name, "this process writes to the search index now");
    let done = tokio::select! {
        done = write_changes(state, stop) => done,
        lost = keep_beating(state, name, process) => lost.map(|never| match never {}),
    };
    let release = index_writers::release(&state.db, name, process);
    match tokio::time::timeout(RELEASE_TIMEOUT, release).await {
        Ok(Ok(())) => {}
        // The others notice that this process is silent.
        Ok(Err(error)) => tracing::debug!(%error, "the search index could not be released"),
        Err(_) => tracing::debug!("the search index could not be released in time"),
    }
    done
}

/// Shows how far the index is, until this process becomes its writer. `false`: the process stops.
async fn watch(
    state: &AppState,
    name: &str,
    process: Uuid,
    stop: &CancellationToken,
) -> anyhow::Result<bool> {
    let mut wake = PgListener::connect_with(&state.db).await.context("listening for changes of the index")?;
    wake.listen(index_writers::CHANNEL).await?;
    let mut silence = SilenceDetector::default();
    loop {
        call(&state.search_engine, |engine| engine.refresh())
            .await
            .context("reading the position of the index")?;
        let writer = index_writers::writer(&state.db, name).await?;
        let silent = silence.detect(writer.as_slice(), Instant::now());
        if (writer.is_none() || !silent.is_empty())
            && index_writers::claim(&state.db, name, process, silent.first().copied()).await?
        {
            return Ok(true);
        }
        match state.search_engine.position() {
            Some(at) if changes::contains(&state.db, at).await? => show_position(state, at),
            // The writer is building the index.
            _ => show_missing(state),
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(false),
            () = tokio::time::sleep(WATCH_INTERVAL) => {}
            notified = wake.try_recv() => drop(notified?),
        }
    }
}

/// Counts heartbeats of this process, however long a batch or a rebuild takes. A heartbeat that fails is made
/// up for by the next one.
///
/// # Errors
/// Fails if another process writes to the index, or after [`MAX_FAILED_HEARTBEATS`].
async fn keep_beating(state: &AppState, name: &str, process: Uuid) -> anyhow::Result<Infallible> {
    let mut failed = 0;
    loop {
        match index_writers::beat(&state.db, name, process).await {
            Ok(true) => failed = 0,
            Ok(false) => {
                bail!("another process writes to the index {name}, because this one did not respond")
            }
            Err(error) if failed == MAX_FAILED_HEARTBEATS => return Err(error.into()),
            Err(_) => failed += 1,
        }
        tokio::time::sleep(HEARTBEAT_INTERVAL).await;
    }
}
