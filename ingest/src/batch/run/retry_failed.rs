//! Reads failed pages again.

use super::{
    catch_up::catch_up,
    engine::read_files,
    options::{Options, ReaderSource, RunControl, Sinks},
    report::Report,
    work::{FileTask, WorkList},
};
use crate::batch::{
    BatchError, PageSource, Progress,
    input::duplicates::{self, DigestCache},
    output::{
        failures::{PageFailure, failures},
        lock::Lock,
    },
};
use std::{
    cmp::Reverse,
    collections::{HashMap, hash_map::Entry},
    fs,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// Reads the failed pages again, and then sends all unsent notices.
///
/// # Errors
/// If the folder cannot be used or no reader is available. A page that fails again is listed in the
/// report.
pub fn retry(
    options: &Options,
    readers: ReaderSource<'_>,
    sinks: Sinks<'_>,
    progress: &Progress,
) -> Result<Report, BatchError> {
    let _lock = Lock::acquire_existing_run(&options.out)?;
    let work = failed_files(&options.out)?;
    let reading = Sinks { sender: None, ..sinks };
    let (stop, waits_for_portal) = (&AtomicBool::new(false), true);
    let mut report =
        read_files(options, work, readers, reading, progress, RunControl { stop, waits_for_portal })?;
    if sinks.sender.is_some() {
        let sending = Sinks { index: None, ..sinks };
        let caught_up = catch_up(&options.out, sending, progress, RunControl { stop, waits_for_portal })?;
        report.published = caught_up.published;
        report.publishing_stopped = caught_up.publishing_stopped;
    }
    Ok(report)
}

/// The work list of the failed files. Each file is listed once, with all its failed pages and the
/// source of its latest failure.
fn failed_files(out: &Path) -> Result<WorkList, BatchError> {
    let mut failures = failures(out)?;
    failures.sort_by_key(|(_, failure)| Reverse(failure.at));
    let mut work = WorkList::default();
    let mut tasks: HashMap<PathBuf, FileTask> = HashMap::new();
    let mut notes: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
    for (path, PageFailure { source, page, .. }) in failures {
        // If the share fails, the existence of the file is unknown.
        let is_there = source.path.try_exists();
        if !is_there.as_ref().is_ok_and(|&is_there| is_there) {
            work.left_out.push(if is_there.is_err() || is_folder_unavailable(&source.path) {
                BatchError::SourceUnavailable { path: source.path, note: path }
            } else {
                // A removed file is reported once, because its failure is deleted here.
                let _ = fs::remove_file(path);
                BatchError::SourceRemoved(source.path)
            });
            continue;
        }
        notes.entry(source.path.clone()).or_default().push(path);
        match tasks.entry(source.path.clone()) {
            Entry::Occupied(mut task) => {
                let pages = &mut task.get_mut().pages;
                *pages = pages.take().zip(page).map(|(pages, page)| [pages, vec![page]].concat());
            }
            Entry::Vacant(place) => {
                place.insert(FileTask { source, pages: page.map(|page| vec![page]) });
            }
        }
    }
    let mut sources: Vec<PageSource> = tasks.values().map(|task| task.source.clone()).collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let (sources, duplicates) = duplicates::split_duplicates(sources, &mut DigestCache::default());
    for source in &sources {
        let Some(mut task) = tasks.remove(&source.path) else { continue };
        // Other pages of the duplicate may have failed.
        if duplicates.iter().any(|duplicate| duplicate.of == source.file) {
            task.pages = None;
        }
        work.tasks.push(task);
    }
    work.duplicates = duplicates;
    // Identical files need only one stored failure.
    for note in tasks.keys().filter_map(|path| notes.get(path)).flatten() {
        let _ = fs::remove_file(note);
    }
    Ok(work)
}

/// Whether the folder of a missing file is missing or empty, for example because a share or disk is
/// unavailable.
fn is_folder_unavailable(file: &Path) -> bool {
    let folder = file.parent().map(fs::read_dir);
    !folder.is_some_and(|folder| folder.is_ok_and(|mut entries| entries.next().is_some()))
}
