//! Checks that a backup is whole: every object and file is there and has its checksum.

use super::{
    manifest::{FileEntry, Manifest, Part},
    store::{BackupStore, StoredFileError},
};
use futures::{StreamExt, TryStreamExt, stream};
use std::collections::HashSet;

/// The number of files that are read at the same time.
const CONCURRENT_FILES: usize = 8;

/// What is wrong with a backup.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BackupProblems {
    /// Damaged objects of this backup alone.
    pub objects: Vec<String>,
    /// Damaged files, which other backups may share.
    pub files: Vec<String>,
}

/// Checks all objects and files of a backup.
pub async fn verify(store: &BackupStore, manifest: &Manifest) -> anyhow::Result<BackupProblems> {
    let mut objects = verify_objects(store, manifest).await;
    let files = match list_files(store, manifest).await {
        Ok(files) => verify_files(store, &files).await?,
        Err(error) => {
            objects.push(format!("the list of files: {error:#}"));
            Vec::new()
        }
    };
    Ok(BackupProblems { objects, files })
}

/// Checks the tables and the signing keys of a backup. Returns what is wrong.
pub async fn verify_objects(store: &BackupStore, manifest: &Manifest) -> Vec<String> {
    let mut problems = Vec::new();
    for table in &manifest.tables {
        for part in &table.parts {
            let name = &table.table.name;
            match store.get_compressed(&manifest.id, part).await {
                Ok(rows) if count_lines(&rows) == part.entries => (),
                Ok(_) => {
                    problems.push(format!("the table {name} has another number of rows than the manifest"))
                }
                Err(error) => problems.push(format!("the table {name}: {error:#}")),
            }
        }
    }
    if let Some(part) = &manifest.signing_key
        && let Err(error) = store.get(&manifest.id, part).await
    {
        problems.push(format!("the signing keys: {error:#}"));
    }
    problems
}

async fn verify_files(store: &BackupStore, files: &[FileEntry]) -> anyhow::Result<Vec<String>> {
    let mut seen = HashSet::new();
    let wanted = files.iter().filter(|file| seen.insert(&file.hash));
    let checks = stream::iter(wanted.map(async |file| match store.get_file(&file.hash).await {
        Ok(_) => Ok(None),
        Err(StoredFileError::File(problem)) => Ok(Some(format!("the file {}: {problem}", file.path))),
        Err(StoredFileError::Place(error)) => Err(error),
    }));
    checks.buffer_unordered(CONCURRENT_FILES).try_filter_map(async |problem| Ok(problem)).try_collect().await
}

/// Reads the list of files of a backup.
pub async fn list_files(store: &BackupStore, manifest: &Manifest) -> anyhow::Result<Vec<FileEntry>> {
    let lines = read_list(store, &manifest.id, &manifest.files).await?;
    anyhow::ensure!(lines.len() as u64 == manifest.files.entries, "entries are missing");
    Ok(lines)
}

async fn read_list(store: &BackupStore, id: &str, part: &Part) -> anyhow::Result<Vec<FileEntry>> {
    let lines = store.get_compressed(id, part).await?;
    Ok(serde_json::Deserializer::from_slice(&lines).into_iter().collect::<Result<_, _>>()?)
}

/// The number of lines, each of which is a row.
pub fn count_lines(rows: &[u8]) -> u64 {
    rows.iter().filter(|byte| **byte == b'\n').count() as u64
}
