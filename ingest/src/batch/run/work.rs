//! What is to be read.

use super::options::Options;
use crate::batch::{
    BatchError, Found, PageSource, Twin,
    input::{
        discovery::find,
        duplicates::{self, Digests},
    },
};

/// A file to read.
pub(crate) struct Task {
    pub(crate) source: PageSource,
    /// Its pages; `None`: all.
    pub(crate) pages: Option<Vec<u32>>,
}

/// What is to be read, and what is not and why.
#[derive(Default)]
pub(crate) struct Work {
    pub(crate) tasks: Vec<Task>,
    pub(crate) left_out: Vec<BatchError>,
    pub(crate) duplicates: Vec<Twin>,
    pub(crate) passed_over: Vec<String>,
}

impl Work {
    /// Everything of the batches, of which each has pages.
    pub(crate) fn find(options: &Options) -> Result<Self, BatchError> {
        let found = find(&options.batches, &options.issue, Some(&options.out))?.complete()?;
        Ok(Self::of(found, &mut Digests::default()))
    }

    /// Everything that has come to the batches; `digests` are those of the last time.
    pub(crate) fn so_far(options: &Options, digests: &mut Digests) -> Result<Self, BatchError> {
        Ok(Self::of(find(&options.batches, &options.issue, Some(&options.out))?, digests))
    }

    fn of(found: Found, digests: &mut Digests) -> Self {
        let Found { sources, left_out, passed_over, bare: _ } = found;
        let (sources, duplicates) = duplicates::part(sources, digests);
        let tasks = sources.into_iter().map(|source| Task { source, pages: None }).collect();
        Self { tasks, left_out, duplicates, passed_over }
    }

    /// Whether there is anything to tell or to do.
    pub(crate) fn is_empty(&self) -> bool {
        let Self { tasks, left_out, duplicates, passed_over } = self;
        tasks.is_empty() && left_out.is_empty() && duplicates.is_empty() && passed_over.is_empty()
    }
}
