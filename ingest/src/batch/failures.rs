//! Pages that could not be read: each is noted beside where its record would lie, until it is read, so that it can be tried
//! again by itself.

use super::{
    BatchError, Options, Outlets, PageSource, Progress, ReaderSource, Report,
    lock::Lock,
    publish::catch_up,
    run::{Manner, Task, Work, read},
    store, write_atomically,
};
use index::vocabulary::Moment;
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Component, Path, PathBuf},
    sync::atomic::AtomicBool,
};

/// Ends the name of a failure's file.
const FAILED: &str = ".failed.json";

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// Its file, and where its output goes.
    pub source: PageSource,
    /// The page in its file, from 1; `None` where the file itself could not be opened.
    pub page: Option<u32>,
    /// What, where and what to do.
    pub message: String,
    /// When.
    pub at: Moment,
}

/// Notes that a page failed, `base` being the name that its output would have by its file's.
pub(super) fn note(out: &Path, base: &str, failure: &Failure) -> io::Result<()> {
    let json = serde_json::to_vec_pretty(failure).map_err(io::Error::other)?;
    write_atomically(&place(out, &failure.source, base), &json)
}

/// Forgets it, once it was read.
pub(super) fn forget(out: &Path, source: &PageSource, base: &str) {
    let _ = fs::remove_file(place(out, source, base));
}

fn place(out: &Path, source: &PageSource, base: &str) -> PathBuf {
    // Files of one name may fail one after the other.
    out.join(&source.folder).join(format!("{base}-{}{FAILED}", source.mark()))
}

/// The pages that failed and were not read since, with where that is noted.
///
/// # Errors
/// Where the folder is not there or cannot be listed.
pub fn failures(out: &Path) -> Result<Vec<(PathBuf, Failure)>, BatchError> {
    let paths = store::named(out, FAILED)?;
    // A note is input too: it must not lead out of the folder.
    let is_within = |failure: &Failure| {
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        failure.source.folder.components().all(plain)
            && Path::new(&failure.source.stem).components().count() == 1
            && Path::new(&failure.source.stem).components().all(plain)
    };
    let read = |path: PathBuf| store::read_json(&path).filter(is_within).map(|failure| (path, failure));
    Ok(paths.into_iter().filter_map(read).collect())
}

/// Reads again the pages that failed, and then sends everything that was not sent.
///
/// # Errors
/// Where the folder cannot be used, or nothing can be read at all. A page that fails again is named in the report.
pub fn retry(
    options: &Options,
    readers: ReaderSource<'_>,
    outlets: Outlets<'_>,
    progress: &Progress,
) -> Result<Report, BatchError> {
    let failures = failures(&options.out)?;
    let _lock = Lock::run(&options.out)?;
    let mut work = Work::default();
    for (path, Failure { source, page, .. }) in failures {
        if !source.path.exists() {
            work.left_out.push(if is_away(&source.path) {
                BatchError::Away { path: source.path, note: path }
            } else {
                // Named once more, then no more.
                let _ = fs::remove_file(path);
                BatchError::Gone(source.path)
            });
        } else if let Some(task) = work.tasks.iter_mut().find(|task| task.source == source) {
            task.pages = task.pages.take().zip(page).map(|(mut pages, page)| {
                pages.push(page);
                pages
            });
        } else {
            work.tasks.push(Task { source, pages: page.map(|page| vec![page]) });
        }
    }
    let reading = Outlets { sender: None, ..outlets };
    let (stop, is_patient) = (&AtomicBool::new(false), true);
    let mut report = read(options, work, readers, reading, progress, Manner { stop, is_patient })?;
    if outlets.sender.is_some() {
        let sending = Outlets { index: None, ..outlets };
        let caught_up = catch_up(&options.out, sending, progress, Manner { stop, is_patient })?;
        report.published = caught_up.published;
        report.publishing_stopped = caught_up.publishing_stopped;
    }
    Ok(report)
}

/// Whether a file that is not there lay in a folder that is not there either, or on a disk that is taken out: then its place is empty.
fn is_away(file: &Path) -> bool {
    let folder = file.parent().map(fs::read_dir);
    !folder.is_some_and(|folder| folder.is_ok_and(|mut entries| entries.next().is_some()))
}
