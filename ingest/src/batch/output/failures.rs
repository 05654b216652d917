//! The failures of pages. Each is stored in the folder that the page record would be in, until the
//! page is read. The command `retry` reads these files.

use super::listing;
use crate::{
    base::files::{self, write_atomically},
    batch::{BatchError, PageSource, file_names::FAILURE_SUFFIX},
};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Component, Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tender_model::vocabulary::Moment;

/// A page that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageFailure {
    /// The file and its output location.
    pub source: PageSource,
    /// The page in the file, from 1; `None` if the file could not be opened.
    pub page: Option<u32>,
    /// The hash of the page; `None` if the file could not be opened.
    #[serde(default)]
    pub hash: Option<String>,
    /// What failed, where, and what to do.
    pub message: String,
    /// The time of the failure.
    pub at: Moment,
}

/// The stored failures of an output folder. When a page is read or fails again, its earlier
/// failures are removed, even if they are stored for another issue or path.
#[derive(Debug)]
pub(crate) struct FailureLog {
    out: PathBuf,
    entries: Mutex<Vec<(PathBuf, PageFailure)>>,
}

impl FailureLog {
    /// Loads the failures. The folder need not exist.
    pub(crate) fn load(out: &Path) -> Result<Self, BatchError> {
        let entries = match failures(out) {
            Err(BatchError::NoSuchBatch(_)) => Vec::new(),
            entries => entries?,
        };
        Ok(Self { out: out.to_owned(), entries: Mutex::new(entries) })
    }

    fn entries(&self) -> MutexGuard<'_, Vec<(PathBuf, PageFailure)>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores a failure. `base` is the output name of the page.
    pub(crate) fn record(&self, base: &str, failure: PageFailure) -> io::Result<()> {
        // Several files may have the same output name.
        let source = &failure.source;
        let path =
            self.out.join(&source.folder).join(format!("{base}-{}{FAILURE_SUFFIX}", source.path_hash()));
        let json = serde_json::to_vec_pretty(&failure).map_err(io::Error::other)?;
        write_atomically(&path, &json)?;
        self.remove_where(|other, before| other != path && failure.is_of_same_page(before));
        let mut entries = self.entries();
        entries.retain(|(other, _)| *other != path);
        entries.push((path, failure));
        Ok(())
    }

    /// Removes the failures of a page that was read.
    pub(crate) fn remove_page(&self, source: &PageSource, page: u32, hash: &str) {
        self.remove_where(|_, entry| {
            entry.hash.as_deref() == Some(hash)
                || entry.source.path == source.path && entry.page == Some(page)
        });
    }

    /// Removes outdated failures of a file that could be opened: failures to open it, and failures
    /// of pages beyond its last page.
    pub(crate) fn remove_outdated(&self, source: &PageSource, pages: u32) {
        let has_no_such_page = |page: Option<u32>| page.is_none_or(|page| page > pages);
        self.remove_where(|_, entry| entry.source.path == source.path && has_no_such_page(entry.page));
    }

    fn remove_where(&self, is_outdated: impl Fn(&Path, &PageFailure) -> bool) {
        self.entries().retain(|(path, entry)| {
            let is_outdated = is_outdated(path, entry);
            if is_outdated {
                let _ = fs::remove_file(path);
            }
            !is_outdated
        });
    }
}

impl PageFailure {
    /// Whether two failures concern the same page.
    fn is_of_same_page(&self, other: &Self) -> bool {
        self.page == other.page
            && (self.source.path == other.source.path || self.hash.is_some() && self.hash == other.hash)
    }
}

/// The failures of pages that were not read since, with the paths of the failure files.
pub fn failures(out: &Path) -> Result<Vec<(PathBuf, PageFailure)>, BatchError> {
    let paths = listing::list_files(out, FAILURE_SUFFIX)?;
    // A failure file is untrusted input and must not lead out of the folder.
    let is_within = |failure: &PageFailure| {
        let plain = |part: Component<'_>| matches!(part, Component::Normal(_));
        failure.source.folder.components().all(plain)
            && Path::new(&failure.source.stem).components().count() == 1
            && Path::new(&failure.source.stem).components().all(plain)
    };
    let read = |path: PathBuf| files::read_json(&path).filter(is_within).map(|failure| (path, failure));
    Ok(paths.into_iter().filter_map(read).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_to_open_a_file_and_of_pages_beyond_its_end_are_removed() {
        let out = tempfile::tempdir().unwrap();
        let source = PageSource {
            path: "p1.pdf".into(),
            file: "p1.pdf".into(),
            publication: String::new(),
            date: None,
            folder: "unnamed/undated".into(),
            stem: "p1".into(),
        };
        let log = FailureLog::load(out.path()).unwrap();
        for page in [None, Some(1), Some(3)] {
            let at = "2026-11-20T12:00:00+05:30".parse().unwrap();
            let failure =
                PageFailure { source: source.clone(), page, hash: None, message: String::new(), at };
            log.record(&format!("p1-page{}", page.unwrap_or_default()), failure).unwrap();
        }
        // The file was replaced by one with two pages.
        log.remove_outdated(&source, 2);
        let left: Vec<_> = failures(out.path()).unwrap().into_iter().map(|(_, left)| left.page).collect();
        assert_eq!(left, [Some(1)]);
    }
}
