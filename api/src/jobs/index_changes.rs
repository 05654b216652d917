//! The index follower, one a node: brings each tender's newest revision into the index in the order of the log, and commits
//! with the position it has come to. The index is derived: where it can't be trusted, it is built anew.

use super::wake::Wake;
use crate::{
    app::state::AppState,
    storage::{
        changes::{self, Change, Subject},
        revisions::{self, OwnedTender},
        snapshot,
    },
};
use anyhow::{Context, bail};
use futures::{StreamExt, pin_mut};
use index::{IndexStore, LogPosition, StoreRebuild, StoreWriter};
use sqlx::PgPool;
use std::collections::HashMap;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// The most changes in one commit.
const BATCH: i64 = 500;

/// Follows the log until told to stop. On an error the supervisor starts it anew, from the position in the index.
///
/// # Errors
/// When the database or the index fails.
pub async fn follow(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut wake = Wake::new(&state.db).await.context("listening for changes")?;
    let mut at = trusted_position(state).await?;
    let mut writer = state.catalogue.writer().context("opening the index for writing")?;
    announce(state, at);
    loop {
        // `api reindex` may have put a newer index in place.
        if state.catalogue.refresh().context("looking for a newer index")? {
            drop(writer);
            at = trusted_position(state).await?;
            writer = state.catalogue.writer().context("opening the newer index for writing")?;
            announce(state, at);
        }
        let batch = changes::after(&state.db, at.position, BATCH).await?;
        let Some(last) = batch.last() else {
            // A restored database may have gone back behind us.
            if !changes::holds(&state.db, at).await? {
                bail!("the index is ahead of the database");
            }
            if !wake.wait(stop).await? {
                return Ok(());
            }
            continue;
        };
        at = last.at;
        let steps = steps(&state.db, &batch).await?;
        writer = tokio::task::spawn_blocking(move || apply(writer, &steps, at)).await??;
        announce(state, at);
        if stop.is_cancelled() {
            return Ok(());
        }
    }
}

/// Tells everyone who waits that the index holds the log up to here.
fn announce(state: &AppState, at: LogPosition) {
    state.progress.index.send_modify(|station| {
        station.position = at.position;
        station.ready = true;
    });
}

/// The position the index stands at, after building it anew if it has none or comes from another log.
async fn trusted_position(state: &AppState) -> anyhow::Result<LogPosition> {
    if let Some(at) = state.catalogue.position() {
        if changes::holds(&state.db, at).await? {
            return Ok(at);
        }
        tracing::warn!(
            position = at.position,
            "the index does not belong to this database's log; building it anew"
        );
    } else {
        tracing::info!("there is no usable index; building it anew");
    }
    state.progress.index.send_modify(|station| station.ready = false);
    rebuild(&state.db, &state.catalogue).await
}

/// One tender's newest state: what to hold of it, or nothing.
type Step = (Uuid, Option<OwnedTender>);

/// What a batch comes to: for each tender only its last revision in the batch counts.
async fn steps(db: &PgPool, batch: &[Change]) -> anyhow::Result<Vec<Step>> {
    let mut records = revisions::tenders(db, batch).await?;
    let mut newest: HashMap<Uuid, i64> = HashMap::new();
    for change in batch.iter().filter(|change| change.of.subject == Subject::Tender) {
        newest.insert(change.of.id, change.of.revision);
    }
    Ok(newest.into_iter().map(|(id, revision)| (id, records.remove(&(id, revision)))).collect())
}

fn apply(mut writer: StoreWriter, steps: &[Step], at: LogPosition) -> Result<StoreWriter, index::IndexError> {
    for (id, tender) in steps {
        match tender {
            Some(OwnedTender { tender, owner }) => writer.put_owned(tender, *owner)?,
            None => writer.remove(*id)?,
        }
    }
    writer.commit(at)?;
    Ok(writer)
}

/// Builds a new index beside the current one: from one snapshot of the database, then from the log until it is level, and
/// puts it in the current one's place. Search goes on meanwhile; nothing is matched. Answers where it stands.
///
/// # Errors
/// When the database or the index fails; the current index stays.
pub async fn rebuild(db: &PgPool, catalogue: &IndexStore) -> anyhow::Result<LogPosition> {
    let started = std::time::Instant::now();
    let (mut rebuild, mut at, mut tenders) = from_snapshot(db, catalogue).await?;
    loop {
        let batch = changes::after(db, at.position, BATCH).await?;
        let Some(last) = batch.last() else { break };
        at = last.at;
        let steps = steps(db, &batch).await?;
        tenders += steps.len();
        rebuild = tokio::task::spawn_blocking(move || {
            for (id, tender) in &steps {
                match tender {
                    Some(OwnedTender { tender, owner }) => rebuild.put_owned(tender, *owner)?,
                    None => rebuild.remove(*id)?,
                }
            }
            Ok::<_, index::IndexError>(rebuild)
        })
        .await??;
    }
    tokio::task::spawn_blocking(move || rebuild.publish(at))
        .await?
        .context("putting the new index in place")?;
    let duration_ms = started.elapsed().as_millis();
    tracing::info!(tenders, position = at.position, duration_ms, "built the index anew");
    Ok(at)
}

/// Fills a new index from one snapshot. Answers the snapshot's place in the log.
async fn from_snapshot(
    db: &PgPool,
    catalogue: &IndexStore,
) -> anyhow::Result<(StoreRebuild, LogPosition, usize)> {
    let mut rebuild = catalogue.rebuild().context("beginning a new index")?;
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
                chunk.iter().try_for_each(|owned| rebuild.put_owned(&owned.tender, owned.owner))?;
                Ok::<_, index::IndexError>(rebuild)
            })
            .await??;
        }
    }
    Ok((rebuild, at, tenders))
}
