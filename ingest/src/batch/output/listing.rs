//! Lists the records and other files of an output folder.

use super::record::{PageRecord, read_record};
use crate::batch::{
    BatchError,
    file_names::{FAILURE_SUFFIX, LOST_AND_FOUND, RECORD_SUFFIX},
};
use std::{
    collections::HashMap,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// The page records in an output folder with their paths, ordered by path. If a page has several
/// records, because a move was interrupted, only the newest is listed.
pub fn records(out: &Path) -> io::Result<Vec<(PathBuf, PageRecord)>> {
    let paths = find_files(out, RECORD_SUFFIX)?;
    let read = |path: PathBuf| read_record(&path).map(|record| (path, record));
    let mut records: Vec<_> = paths.into_iter().filter_map(read).collect();
    let mut newest: HashMap<String, (Option<SystemTime>, PathBuf)> = HashMap::new();
    for (path, record) in &records {
        let written = fs::metadata(path).and_then(|file| file.modified()).ok();
        let newest = newest.entry(record.hash.clone()).or_insert_with(|| (written, path.clone()));
        if written > newest.0 {
            *newest = (written, path.clone());
        }
    }
    records.retain(|(path, record)| newest.get(&record.hash).is_none_or(|(_, newest)| newest == path));
    Ok(records)
}

/// Whether a folder has page records or failures.
pub(crate) fn has_output(out: &Path) -> Result<bool, BatchError> {
    Ok(!list_files(out, RECORD_SUFFIX)?.is_empty() || !list_files(out, FAILURE_SUFFIX)?.is_empty())
}

/// Like [`records`], with errors for the operator.
pub(crate) fn list_records(out: &Path) -> Result<Vec<(PathBuf, PageRecord)>, BatchError> {
    records(out).map_err(|source| unlisted(out, source))
}

/// The files with a suffix under an output folder, ordered by path.
pub(crate) fn list_files(out: &Path, ending: &str) -> Result<Vec<PathBuf>, BatchError> {
    find_files(out, ending).map_err(|source| unlisted(out, source))
}

fn unlisted(out: &Path, source: io::Error) -> BatchError {
    match source.kind() {
        io::ErrorKind::NotFound => BatchError::NoSuchBatch(out.to_owned()),
        _ => BatchError::Unlisted { path: out.to_owned(), source },
    }
}

/// Like [`list_files`], with system errors.
pub(crate) fn find_files(out: &Path, ending: &str) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    collect_files(out, 0, ending, &mut paths)?;
    paths.sort();
    Ok(paths)
}

fn collect_files(folder: &Path, depth: usize, ending: &str, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() && depth < 12 {
            match collect_files(&entry.path(), depth + 1, ending, paths) {
                // The folder was removed in the meantime, or it is `lost+found`, which only the
                // superuser may read.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) if entry.file_name() == LOST_AND_FOUND => {}
                collected => collected?,
            }
        } else if entry.file_name().to_string_lossy().ends_with(ending) {
            paths.push(entry.path());
        }
    }
    Ok(())
}
