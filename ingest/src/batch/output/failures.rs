//! Pages that could not be read: each is noted beside where its record would lie, until it is read, so that it can be tried
//! again by itself.

use super::{
    lock::Lock,
    store::{self, FAILED},
};
use crate::batch::{
    BatchError, Options, Outlets, PageSource, Progress, ReaderSource, Report,
    input::duplicates::{self, Digests},
    run::{
        catch_up::catch_up,
        engine::{Manner, Task, Work, read},
    },
    write_atomically,
};
use index::vocabulary::Moment;
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::{HashMap, hash_map::Entry},
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicBool},
};

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Failure {
    /// Its file, and where its output goes.
    pub source: PageSource,
    /// The page in its file, from 1; `None` where the file itself could not be opened.
    pub page: Option<u32>,
    /// The page's content; `None` where the file itself could not be opened.
    #[serde(default)]
    pub hash: Option<String>,
    /// What, where and what to do.
    pub message: String,
    /// When.
    pub at: Moment,
}

/// What is noted under an output folder. A page is read, or fails anew, perhaps for another issue or from another place than
/// when it was noted: then what was noted of it no longer holds, wherever it lies.
#[derive(Debug)]
pub(crate) struct Notes {
    out: PathBuf,
    noted: Mutex<Vec<(PathBuf, Failure)>>,
}

impl Notes {
    /// What is noted; the folder need not be there.
    ///
    /// # Errors
    /// Where it cannot be listed.
    pub(crate) fn load(out: &Path) -> Result<Self, BatchError> {
        let noted = match failures(out) {
            Err(BatchError::NoSuchBatch(_)) => Vec::new(),
            noted => noted?,
        };
        Ok(Self { out: out.to_owned(), noted: Mutex::new(noted) })
    }

    fn noted(&self) -> MutexGuard<'_, Vec<(PathBuf, Failure)>> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a page failed, `base` being the name that its output would have by its file's.
    pub(crate) fn note(&self, base: &str, failure: Failure) -> io::Result<()> {
        // Files of one name may fail one after the other.
        let source = &failure.source;
        let path = self.out.join(&source.folder).join(format!("{base}-{}{FAILED}", source.mark()));
        let json = serde_json::to_vec_pretty(&failure).map_err(io::Error::other)?;
        write_atomically(&path, &json)?;
        self.forget(|other, before| other != path && failure.is_of(before));
        let mut noted = self.noted();
        noted.retain(|(other, _)| *other != path);
        noted.push((path, failure));
        Ok(())
    }

    /// A page was read.
    pub(crate) fn was_read(&self, source: &PageSource, page: u32, hash: &str) {
        self.forget(|_, noted| {
            noted.hash.as_deref() == Some(hash)
                || noted.source.path == source.path && noted.page == Some(page)
        });
    }

    /// A file was opened, and all its pages were gone through: so many.
    pub(crate) fn was_opened(&self, source: &PageSource, pages: u32) {
        let is_none_of_it = |page: Option<u32>| page.is_none_or(|page| page > pages);
        self.forget(|_, noted| noted.source.path == source.path && is_none_of_it(noted.page));
    }

    fn forget(&self, is_over: impl Fn(&Path, &Failure) -> bool) {
        self.noted().retain(|(path, noted)| {
            let is_over = is_over(path, noted);
            if is_over {
                let _ = fs::remove_file(path);
            }
            !is_over
        });
    }
}

impl Failure {
    /// Whether another one is of the same page.
    fn is_of(&self, other: &Self) -> bool {
        self.page == other.page
            && (self.source.path == other.source.path || self.hash.is_some() && self.hash == other.hash)
    }
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
    let _lock = Lock::existing(&options.out)?;
    let work = noted(&options.out)?;
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

/// What is to be tried again: every file once, as it was noted last.
fn noted(out: &Path) -> Result<Work, BatchError> {
    let mut failures = failures(out)?;
    failures.sort_by_key(|(_, failure)| Reverse(failure.at));
    let mut work = Work::default();
    let mut tasks: HashMap<PathBuf, Task> = HashMap::new();
    let mut notes: HashMap<PathBuf, Vec<PathBuf>> = HashMap::new();
    for (path, Failure { source, page, .. }) in failures {
        // Of a share that has failed nothing is known.
        let is_there = source.path.try_exists();
        if !is_there.as_ref().is_ok_and(|&is_there| is_there) {
            work.left_out.push(if is_there.is_err() || is_away(&source.path) {
                BatchError::Away { path: source.path, note: path }
            } else {
                // Named once more, then no more.
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
                place.insert(Task { source, pages: page.map(|page| vec![page]) });
            }
        }
    }
    let mut sources: Vec<PageSource> = tasks.values().map(|task| task.source.clone()).collect();
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    let (sources, duplicates) = duplicates::part(sources, &mut Digests::default());
    for source in &sources {
        let Some(mut task) = tasks.remove(&source.path) else { continue };
        // Another page of the other file may have failed.
        if duplicates.iter().any(|twin| twin.of == source.file) {
            task.pages = None;
        }
        work.tasks.push(task);
    }
    work.duplicates = duplicates;
    // Of two files that say the same one is enough to know of.
    for note in tasks.keys().filter_map(|twin| notes.get(twin)).flatten() {
        let _ = fs::remove_file(note);
    }
    Ok(work)
}

/// Whether a file that is not there lay in a folder that is not there either, or on a disk that is taken out: then its place is empty.
fn is_away(file: &Path) -> bool {
    let folder = file.parent().map(fs::read_dir);
    !folder.is_some_and(|folder| folder.is_ok_and(|mut entries| entries.next().is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_of_pages_that_a_file_has_no_more_goes() {
        let out = tempfile::tempdir().unwrap();
        let source = PageSource {
            path: "p1.pdf".into(),
            file: "p1.pdf".into(),
            publication: String::new(),
            date: None,
            folder: "unnamed/undated".into(),
            stem: "p1".into(),
        };
        let notes = Notes::load(out.path()).unwrap();
        for page in [None, Some(1), Some(3)] {
            let at = "2026-11-20T12:00:00+05:30".parse().unwrap();
            let failure = Failure { source: source.clone(), page, hash: None, message: String::new(), at };
            notes.note(&format!("p1-page{}", page.unwrap_or_default()), failure).unwrap();
        }
        // The file was replaced by one of two pages, of which the first fails again.
        notes.was_opened(&source, 2);
        let left: Vec<_> = failures(out.path()).unwrap().into_iter().map(|(_, left)| left.page).collect();
        assert_eq!(left, [Some(1)]);
    }
}
