//! Deletes document files that no tender references. Their documents were detached or deleted with
//! a draft, or a crash happened before the row was stored. New files are kept for a while, because
//! their rows may not be committed yet.

use crate::{app::state::AppState, clients::blob_store, storage::documents};
use anyhow::Context;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// The minimum age of a deleted file.
const MIN_AGE: Duration = Duration::from_hours(24);
/// The interval between sweeps.
const INTERVAL: Duration = Duration::from_hours(6);
/// The number of files checked in one query.
const BATCH: usize = 500;

/// Sweeps at startup and then at intervals until stopped.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        let deleted = sweep(state, MIN_AGE).await?;
        if deleted > 0 {
            tracing::info!(files = deleted, "deleted unreferenced documents");
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Sweeps once. Returns the number of deleted files.
pub async fn sweep(state: &AppState, min_age: Duration) -> anyhow::Result<usize> {
    let folder = state.documents.folder().to_owned();
    let files = tokio::task::spawn_blocking(move || old_files(&folder, min_age))
        .await?
        .context("reading the documents' folder")?;
    let mut deleted = 0;
    for batch in files.chunks(BATCH) {
        let names: Vec<String> = batch.iter().filter_map(|file| hash_in_name(file)).collect();
        let needed = documents::needed(&state.db, &names).await?;
        for file in batch.iter().filter(|file| hash_in_name(file).is_none_or(|name| !needed.contains(&name)))
        {
            // A file that was uploaded again is new, and its row may not be committed yet.
            if is_old(file, min_age) && tokio::fs::remove_file(file).await.is_ok() {
                deleted += 1;
            }
        }
    }
    Ok(deleted)
}

/// Returns the hash in a file's name. `None` for an unfinished upload.
fn hash_in_name(file: &Path) -> Option<String> {
    file.file_name()?.to_str().filter(|name| blob_store::is_hash(name)).map(str::to_owned)
}

fn old_files(folder: &Path, min_age: Duration) -> std::io::Result<Vec<PathBuf>> {
    let mut old = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if is_old(&path, min_age) {
            old.push(path);
        }
    }
    Ok(old)
}

fn is_old(file: &Path, min_age: Duration) -> bool {
    let age = std::fs::metadata(file)
        .and_then(|metadata| metadata.modified())
        .ok()
        .and_then(|at| at.elapsed().ok());
    age.is_some_and(|age| age >= min_age)
}
