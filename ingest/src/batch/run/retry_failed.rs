//! Reads failed pages again.

use super::{
    catch_up::catch_up,
    engine::read,
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
    let _lock = Lock::existing(&options.out)?;
    let work = noted(&options.out)?;
    let reading = Sinks { sender: None, ..sinks };
    let (stop, is_patient) = (&AtomicBool::new(false), true);
    let mut report = read(options, work, readers, reading, progress, RunControl { stop, is_patient })?;
    if sinks.sender.is_some() {
        let sending = Sinks { index: None, ..sinks };
        let caught_up = catch_up(&options.out, sending, progress, RunControl { stop, is_patient })?;
        report.published = caught_up.published;
        report.publishing_stopped = caught_up.publishing_stopped;
    }
    Ok(report)
}

/// The work list of failed files, each once, by its latest failure.
fn noted(out: &Path) -> Result<WorkList, BatchError> {
    let mut failures = failures(out)?;
    failures.sort_by_key(|(_, failure)| Reverse(failure.at));
    let mut work = WorkList::default();
    let mut tasks: HashMap<PathBuf, FileTask> = HashMap::new();
    let mut notes: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
    for (path, PageFailure { source, page, .. }) in failures {
        // If the share fails, the existence of the file is unknown.
        let is_there = source.path.try_exists();
        if !is_there.as_ref().is_ok_and(|&is_there| is_there) {
            work.left_out.push(if is_there.is_err() || is_away(&source.path) {
                BatchError::Away { path: source.path, note: path }
            } else {
                // It is reported once and then forgotten.
                let _ = fs::remove_file(path);
                BatchError::Gone(source.path)
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
        // Another page of the other file may have failed.
        if duplicates.iter().any(|twin| twin.of == source.file) {
            task.pages = None;
        }
        work.tasks.push(task);
    }
    work.duplicates = duplicates;
    // Of two identical files, one failure is enough.
    for note in tasks.keys().filter_map(|twin| notes.get(twin)).flatten() {
        let _ = fs::remove_file(note);
    }
    Ok(work)
}

/// Whether the folder of a missing file is missing or empty, as an unavailable share or disk is.
fn is_away(file: &Path) -> bool {
    let folder = file.parent().map(fs::read_dir);
    !folder.is_some_and(|folder| folder.is_ok_and(|mut entries| entries.next().is_some()))
}
