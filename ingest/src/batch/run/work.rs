//! The work list of a run.

use super::options::Options;
use crate::batch::{
    BatchError, DiscoveredPages, DuplicateFile, PageSource,
    input::{
        discovery::find_pages,
        duplicates::{self, DigestCache},
    },
};

/// A file to read.
pub(crate) struct FileTask {
    pub(crate) source: PageSource,
    /// The pages to read; `None` for all.
    pub(crate) pages: Option<Vec<u32>>,
}

/// The files to read, and the files that are not read with the reasons.
#[derive(Default)]
pub(crate) struct WorkList {
    pub(crate) tasks: Vec<FileTask>,
    pub(crate) left_out: Vec<BatchError>,
    pub(crate) duplicates: Vec<DuplicateFile>,
    pub(crate) passed_over: Vec<String>,
}

impl WorkList {
    /// All pages of the batches. A batch without pages is reported as an error.
    pub(crate) fn find_pages(options: &Options) -> Result<Self, BatchError> {
        let found = find_pages(&options.batches, &options.issue, Some(&options.out))?.complete()?;
        Ok(Self::of(found, &mut DigestCache::default()))
    }

    /// The pages that have arrived so far. Drop folders may be empty. `digests` are those of the
    /// last round.
    pub(crate) fn find_arrived(options: &Options, digests: &mut DigestCache) -> Result<Self, BatchError> {
        Ok(Self::of(find_pages(&options.batches, &options.issue, Some(&options.out))?, digests))
    }

    fn of(found: DiscoveredPages, digests: &mut DigestCache) -> Self {
        let DiscoveredPages { sources, left_out, passed_over, without_pages: _ } = found;
        let (sources, duplicates) = duplicates::split_duplicates(sources, digests);
        let tasks = sources.into_iter().map(|source| FileTask { source, pages: None }).collect();
        Self { tasks, left_out, duplicates, passed_over }
    }

    /// Whether there is nothing to do or to report.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { tasks, left_out, duplicates, passed_over } = self;
        tasks.is_empty() && left_out.is_empty() && duplicates.is_empty() && passed_over.is_empty()
    }
}
