//! The index follower, one in each process. It reads the change log in batches, indexes the last
//! revision of each tender in a batch, and commits the batch together with its log position. If all
//! processes share an index, one of them writes to it, and the others watch; see [`shared`]. The index
//! is derived data: an invalid index is rebuilt.

mod shared;

use super::wake::ChangeListener;
use crate::{
    app::state::AppState,
    storage::{
        changes::{self, Change, Subject},
        index_writers,
        revisions::{self, OwnedTender},
        snapshot,
    },
};
use anyhow::{Context, bail};
use futures::{StreamExt, pin_mut};
use index::{IndexError, IndexRebuild, IndexWriter, LogPosition, SearchEngine};
use sqlx::PgPool;
use std::{collections::HashMap, sync::Arc};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The maximum number of changes in one commit.
const BATCH_SIZE: i64 = 500;

/// Follows the log until stopped. After an error, the supervisor calls this function again, and it
/// continues from the position in the index.
pub async fn follow(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    match state.search_engine.shared_name() {
        Some(name) => shared::follow(state, name, stop).await,
        None => write_changes(state, stop).await,
    }
}

/// Calls the search engine on a blocking thread.
async fn call<T: Send + 'static>(
    search_engine: &Arc<dyn SearchEngine>,
    function: impl FnOnce(&dyn SearchEngine) -> Result<T, IndexError> + Send + 'static,
) -> anyhow::Result<T> {
    let search_engine = search_engine.clone();
    Ok(tokio::task::spawn_blocking(move || function(&*search_engine)).await??)
}

/// Opens the index for writing, after a rebuild if it cannot be used. Returns its position too.
async fn open_writer(state: &AppState) -> anyhow::Result<(Box<dyn IndexWriter>, LogPosition)> {
    let at = trusted_position(state).await?;
    let writer = call(&state.search_engine, |engine| engine.writer()).await.with_context(|| {
        match state.search_engine.shared_name() {
            Some(name) => format!("opening the index {name}"),
            None => format!(
                "opening the index in {}; processes that share a data folder need an INDEX each",
                state.config.data.index().display()
            ),
        }
    })?;
    report_position(state, at).await?;
    Ok((writer, at))
}

/// Writes the changes of the log to the index until stopped.
async fn write_changes(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut wake = ChangeListener::new(&state.db).await.context("listening for changes")?;
    call(&state.search_engine, |engine| engine.refresh())
        .await
        .context("reading the position of the index")?;
    let (mut writer, mut at) = open_writer(state).await?;
    loop {
        // `api reindex` may have installed a newer index.
        if call(&state.search_engine, |engine| engine.refresh())
            .await
            .context("checking for a newer index")?
        {
            drop(writer);
            (writer, at) = open_writer(state).await?;
        }
        let batch = changes::after(&state.db, at.position, BATCH_SIZE).await?;
        let Some(last) = batch.last() else {
            // A restored database may be older than the index.
            if !changes::contains(&state.db, at).await? {
                bail!("the index is ahead of the database");
            }
            if !wake.wait(stop).await? {
                return Ok(());
            }
            continue;
        };
        at = last.at;
        let updates = read_updates(&state.db, &batch).await?;
        writer = match tokio::task::spawn_blocking(move || apply_updates(writer, &updates, at)).await? {
            Ok(writer) => writer,
            // `api reindex` has replaced the index meanwhile.
            Err(IndexError::Superseded) => {
                call(&state.search_engine, |engine| engine.refresh()).await?;
                (writer, at) = open_writer(state).await?;
                continue;
            }
            Err(error) => return Err(error.into()),
        };
        report_position(state, at).await?;
        if stop.is_cancelled() {
            return Ok(());
        }
    }
}

/// Reports the index's position to waiting requests, and to the processes that share the index.
async fn report_position(state: &AppState, at: LogPosition) -> Result<(), sqlx::Error> {
    show_position(state, at);
    match state.search_engine.shared_name() {
        Some(name) => index_writers::announce(&state.db, name).await,
        None => Ok(()),
    }
}

/// Reports that the index must be built first.
fn show_missing(state: &AppState) {
    state.progress.shared_index.set_missing();
    state.progress.index.send_modify(|job| job.ready = false);
}

/// Reports the index's position to waiting requests.
fn show_position(state: &AppState, at: LogPosition) {
    state.progress.shared_index.set_present();
    state.progress.index.send_modify(|job| {
        job.position = at.position;
        job.ready = true;
    });
}

/// Returns the index's log position. First rebuilds the index if it has no position or belongs to
/// another log.
async fn trusted_position(state: &AppState) -> anyhow::Result<LogPosition> {
    if let Some(at) = state.search_engine.position() {
        if changes::contains(&state.db, at).await? {
            return Ok(at);
        }
        if let Some(name) = state.search_engine.shared_name()
            && !index_writers::has_built(&state.db, name).await?
        {
            bail!(
                "the index {name} in the search cluster belongs to another portal; set another SEARCH_INDEX, or \
                run `api reindex` to replace that index"
            );
        }
        tracing::warn!(position = at.position, "the index belongs to another log; rebuilding it");
    } else {
        tracing::info!("there is no usable index; rebuilding it");
    }
    show_missing(state);
    rebuild(&state.db, &state.search_engine).await
}

/// The newest state of a tender in a batch.
struct IndexUpdate {
    id: Uuid,
    /// The position of the tender's last change in the batch.
    position: i64,
    /// `None`: the tender is removed from the index.
    tender: Option<OwnedTender>,
}

/// Reads the index updates for a batch: the last revision of each tender in it.
async fn read_updates(db: &PgPool, batch: &[Change]) -> anyhow::Result<Vec<IndexUpdate>> {
    let mut records = revisions::tenders(db, batch).await?;
    let mut newest: HashMap<Uuid, (i64, i64)> = HashMap::new();
    for change in batch.iter().filter(|change| change.of.subject == Subject::Tender) {
        newest.insert(change.of.id, (change.of.revision, change.at.position));
    }
    let update =
        |(id, (revision, position))| IndexUpdate { id, position, tender: records.remove(&(id, revision)) };
    Ok(newest.into_iter().map(update).collect())
}

fn apply_updates(
    mut writer: Box<dyn IndexWriter>,
    updates: &[IndexUpdate],
    at: LogPosition,
) -> Result<Box<dyn IndexWriter>, index::IndexError> {
    for IndexUpdate { id, position, tender } in updates {
        match tender {
            Some(OwnedTender { tender, owner }) => writer.put(tender, *owner, *position)?,
            None => writer.remove(*id, *position)?,
        }
    }
    writer.commit(at)?;
    Ok(writer)
}

/// Builds a new index beside the current one, first from one database snapshot, then from the log.
/// Then replaces the current index. Searches use the current index until then, and keep it if
/// there is an error. Returns the new index's log position.
pub async fn rebuild(db: &PgPool, search_engine: &Arc<dyn SearchEngine>) -> anyhow::Result<LogPosition> {
    let started = std::time::Instant::now();
    let (mut rebuild, mut at, mut tenders) = build_from_snapshot(db, search_engine).await?;
    loop {
        let batch = changes::after(db, at.position, BATCH_SIZE).await?;
        let Some(last) = batch.last() else { break };
        at = last.at;
        let updates = read_updates(db, &batch).await?;
        tenders += updates.len();
        rebuild = tokio::task::spawn_blocking(move || {
            for IndexUpdate { id, position, tender } in &updates {
                match tender {
                    Some(OwnedTender { tender, owner }) => rebuild.put(tender, *owner, *position)?,
                    None => rebuild.remove(*id, *position)?,
                }
            }
            Ok::<_, index::IndexError>(rebuild)
        })
        .await??;
    }
    // Otherwise a process that dies after the replacement would leave an index that seems to belong to
    // another portal.
    if let Some(name) = search_engine.shared_name() {
        index_writers::record_built(db, name).await?;
    }
    tokio::task::spawn_blocking(move || rebuild.publish(at))
        .await?
        .context("replacing the index with the new one")?;
    let duration_ms = started.elapsed().as_millis() as u64;
    tracing::info!(tenders, position = at.position, duration_ms, "rebuilt the index");
    Ok(at)
}

/// Fills a new index from one database snapshot. Returns it with the snapshot's log position and
/// the number of tenders.
async fn build_from_snapshot(
    db: &PgPool,
    search_engine: &Arc<dyn SearchEngine>,
) -> anyhow::Result<(Box<dyn IndexRebuild>, LogPosition, usize)> {
    let mut rebuild = call(search_engine, |engine| engine.rebuild()).await.context("creating a new index")?;
    let mut tx = snapshot(db).await?;
    let at = changes::head(&mut *tx).await?;
    let mut tenders = 0;
    {
        let listed = revisions::all_listed(&mut *tx).chunks(500);
        pin_mut!(listed);
        while let Some(chunk) = listed.next().await {
            let chunk = chunk.into_iter().collect::<Result<Vec<OwnedTender>, _>>()?;
            tenders += chunk.len();
            rebuild = tokio::task::spawn_blocking(move || {
                chunk.iter().try_for_each(|owned| rebuild.put(&owned.tender, owned.owner, at.position))?;
                Ok::<_, index::IndexError>(rebuild)
            })
            .await??;
        }
    }
    Ok((rebuild, at, tenders))
}
