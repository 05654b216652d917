//! Deletes documents and files of newspaper pages that no row uses. Such a file remains if its document
//! was removed, if its draft or account was deleted, if its newspaper page was forgotten or read again, or
//! if its upload was refused. Also deletes what interrupted uploads leave behind. Files that were written in
//! the last 24 hours are kept, because their rows may not be committed yet. Clips are never deleted.

use crate::{
    app::state::AppState,
    clients::file_store::{ListedFile, is_hash},
    storage::{documents, newspaper_pages, stored_files::FileFolder},
};
use futures::{TryStreamExt, future};
use std::time::Duration;
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
            tracing::info!(files = deleted, "deleted unreferenced files");
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Deletes the unused files that were written at least `min_age` ago. Returns their number.
pub async fn delete_unused_files(state: &AppState, min_age: Duration) -> anyhow::Result<usize> {
    let mut deleted = state.files.delete_unfinished(min_age).await?;
    for folder in [FileFolder::Documents, FileFolder::NewspaperPages] {
        let old = state
            .files
            .list(folder)
            .try_filter(|file| future::ready(is_hash(file.stem()) && file.is_old(min_age)));
        let mut batches = old.try_chunks(BATCH_SIZE);
        while let Some(batch) = batches.try_next().await? {
            deleted += delete_unused(state, folder, &batch, min_age).await?;
        }
    }
    Ok(deleted)
}

async fn delete_unused(
    state: &AppState,
    folder: FileFolder,
    batch: &[ListedFile],
    min_age: Duration,
) -> anyhow::Result<usize> {
    let hashes: Vec<String> = batch.iter().map(|file| file.stem().to_owned()).collect();
    let used = match folder {
        FileFolder::Documents => documents::used_hashes(&state.db, &hashes).await?,
        FileFolder::NewspaperPages => newspaper_pages::files::used_hashes(&state.db, &hashes).await?,
        FileFolder::Clips => return Ok(0),
    };
    let mut deleted = 0;
    for (file, hash) in batch.iter().zip(&hashes) {
        // The age is checked again: uploading the same content again has renewed it, and the new row may
        // not be committed yet.
        if !used.contains(hash) && state.files.delete_if_old(file, min_age).await? {
            deleted += 1;
        }
    }
    Ok(deleted)
}
