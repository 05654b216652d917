//! Deletes files in the documents' folder that no attached document uses. Such a file remains if
//! its document was removed, if its draft or account was deleted, or if its upload was interrupted
//! or refused. Files that were written in the last 24 hours are kept, because the rows of their
//! documents may not be committed yet. Clips are never deleted.

use crate::{app::state::AppState, clients::blob_store, storage::documents};
use anyhow::Context;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Files that were written more recently than this are kept.
const MIN_AGE: Duration = Duration::from_hours(24);
/// The pause between the end of a run and the next one.
const INTERVAL: Duration = Duration::from_hours(6);
/// The maximum number of files that one query looks up.
const BATCH_SIZE: usize = 500;

/// Deletes unused files when the server starts, and then about every six hours until stopped.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        let deleted = delete_unused_files(state, MIN_AGE).await?;
        if deleted > 0 {
            tracing::info!(files = deleted, "deleted unreferenced documents");
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Deletes the unused files that were written at least `min_age` ago. Returns their number.
pub async fn delete_unused_files(state: &AppState, min_age: Duration) -> anyhow::Result<usize> {
    let folder = state.documents.folder().to_owned();
    let files = tokio::task::spawn_blocking(move || list_old_files(&folder, min_age))
        .await?
        .context("reading the documents' folder")?;
    let mut deleted = 0;
    for batch in files.chunks(BATCH_SIZE) {
        let names: Vec<String> = batch.iter().filter_map(|file| hash_in_name(file)).collect();
        let needed = documents::used_hashes(&state.db, &names).await?;
        for file in batch.iter().filter(|file| hash_in_name(file).is_none_or(|name| !needed.contains(&name)))
        {
            // Check the age again: uploading the same content again has renewed it, and the row of
            // the new document may not be committed yet.
            if is_old(file, min_age) && tokio::fs::remove_file(file).await.is_ok() {
                deleted += 1;
            }
        }
    }
    Ok(deleted)
}

/// Returns a file's name if it is a hash. `None` for other names, such as those of unfinished
/// uploads.
fn hash_in_name(file: &Path) -> Option<String> {
    file.file_name()?.to_str().filter(|name| blob_store::is_hash(name)).map(str::to_owned)
}

/// Lists the files that were written at least `min_age` ago.
fn list_old_files(folder: &Path, min_age: Duration) -> std::io::Result<Vec<PathBuf>> {
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
