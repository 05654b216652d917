//! Deletes files in the folders of documents and of newspaper pages that no row uses. Such a file
//! remains if its document was removed, if its draft or account was deleted, if its newspaper page
//! was forgotten or read again, or if its upload was interrupted or refused. Files that were written
//! in the last 24 hours are kept, because their rows may not be committed yet. Of the clips, only unfinished
//! files are deleted.

use crate::{
    app::state::AppState,
    clients::blob_store,
    storage::{documents, newspaper_pages},
};
use anyhow::Context;
use std::{
    ffi::OsStr,
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
    let mut deleted = 0;
    for kind in [FileKind::Document, FileKind::NewspaperPage, FileKind::UnfinishedClip] {
        for batch in list_old_files_of(state, kind, min_age).await?.chunks(BATCH_SIZE) {
            let names: Vec<String> = batch.iter().filter_map(|file| hash_in_name(file)).collect();
            let needed = match kind {
                FileKind::Document => documents::used_hashes(&state.db, &names).await?,
                FileKind::NewspaperPage => newspaper_pages::used_hashes(&state.db, &names).await?,
                FileKind::UnfinishedClip => Vec::new(),
            };
            let is_unused = |file: &&PathBuf| hash_in_name(file).is_none_or(|name| !needed.contains(&name));
            for file in batch.iter().filter(is_unused) {
                // Check the age again: uploading the same content again has renewed it, and the new
                // row may not be committed yet.
                if is_old(file, min_age) && tokio::fs::remove_file(file).await.is_ok() {
                    deleted += 1;
                }
            }
        }
    }
    Ok(deleted)
}

/// The files that may be unused.
#[derive(Clone, Copy)]
enum FileKind {
    Document,
    NewspaperPage,
    UnfinishedClip,
}

async fn list_old_files_of(
    state: &AppState,
    kind: FileKind,
    min_age: Duration,
) -> anyhow::Result<Vec<PathBuf>> {
    let folder = match kind {
        FileKind::Document => state.documents.folder().to_owned(),
        FileKind::NewspaperPage => state.config.data.newspaper_pages(),
        FileKind::UnfinishedClip => state.config.data.clips(),
    };
    let (shown, list) = (folder.clone(), move || list_old_files(&folder, min_age));
    let files = tokio::task::spawn_blocking(list).await?;
    let mut files = files.with_context(|| format!("reading {}", shown.display()))?;
    if matches!(kind, FileKind::UnfinishedClip) {
        files.retain(|file| file.file_name().and_then(OsStr::to_str).is_some_and(blob_store::is_unfinished));
    }
    Ok(files)
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
