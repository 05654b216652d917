//! Takes from the data folder the files of documents that no tender needs any more: taken off, deleted with a draft, or left by a
//! server that died between a file and its row. Files change nothing while they are young, so that one whose row is on its way
//! is left alone.

use crate::{app::state::AppState, clients::blob_store, storage::documents};
use anyhow::Context;
use std::{
    path::{Path, PathBuf},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// How long a file is left alone.
const YOUNG: Duration = Duration::from_hours(24);
/// How often it is looked.
const PAUSE: Duration = Duration::from_hours(6);
/// How many files are asked about at once.
const AT_ONCE: usize = 500;

/// Sweeps at the start and every few hours until told to stop.
///
/// # Errors
/// When the database fails or the folder can't be read.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        let taken = sweep(state, YOUNG).await?;
        if taken > 0 {
            tracing::info!(files = taken, "documents that no tender needs were taken away");
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(PAUSE) => {}
        }
    }
}

/// Sweeps once. Answers how many files it took.
///
/// # Errors
/// As for [`run`].
pub async fn sweep(state: &AppState, young: Duration) -> anyhow::Result<usize> {
    let folder = state.documents.folder().to_owned();
    let old = tokio::task::spawn_blocking(move || old(&folder, young))
        .await?
        .context("reading the documents' folder")?;
    let mut taken = 0;
    for files in old.chunks(AT_ONCE) {
        let names: Vec<String> = files.iter().filter_map(|file| name(file)).collect();
        let needed = documents::needed(&state.db, &names).await?;
        for file in files.iter().filter(|file| name(file).is_none_or(|name| !needed.contains(&name))) {
            // Sent again since, it is young, and its row is on its way.
            if is_old(file, young) && tokio::fs::remove_file(file).await.is_ok() {
                taken += 1;
            }
        }
    }
    Ok(taken)
}

/// The hash that a file is named by; `None` for one that was never finished.
fn name(file: &Path) -> Option<String> {
    file.file_name()?.to_str().filter(|name| blob_store::is_hash(name)).map(str::to_owned)
}

fn old(folder: &Path, young: Duration) -> std::io::Result<Vec<PathBuf>> {
    let mut old = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if is_old(&path, young) {
            old.push(path);
        }
    }
    Ok(old)
}

fn is_old(file: &Path, young: Duration) -> bool {
    let age = std::fs::metadata(file).and_then(|told| told.modified()).ok().and_then(|at| at.elapsed().ok());
    age.is_some_and(|age| age >= young)
}
