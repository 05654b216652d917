//! Options of a run.

use super::extractor::Extractor;
use crate::{
    batch::{Issue, PublicationRule, Sender, upload::local_index::LocalIndex},
    extract::Gazetteer,
    ocr::{OcrError, Readers},
};
use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};
use tender_model::vocabulary::Moment;

/// What to read and how, and where to write.
#[derive(Debug, Clone)]
pub struct Options {
    /// The folders and files to read.
    pub batches: Vec<PathBuf>,
    /// The output folder.
    pub out: PathBuf,
    /// The issue given by the operator. It takes precedence over folder and file names.
    pub issue: Issue,
    /// The number of threads.
    pub jobs: usize,
    /// Which fields are certain, and which notices wait for review.
    pub rule: PublicationRule,
    /// Returns the current time.
    pub clock: fn() -> Moment,
    /// How notices are read.
    pub extractor: Extractor,
    /// The known organisations and places.
    pub gazetteer: Arc<Gazetteer>,
    /// Whether to remove the output of pages that were replaced by other pages.
    pub replace: bool,
}

impl Options {
    /// Options with defaults, on one thread.
    #[must_use]
    pub fn new(batches: Vec<PathBuf>, out: PathBuf, clock: fn() -> Moment) -> Self {
        Self {
            batches,
            out,
            issue: Issue::default(),
            jobs: 1,
            rule: PublicationRule::default(),
            clock,
            extractor: Extractor::Embedded,
            gazetteer: Arc::new(Gazetteer::built_in().clone()),
            replace: false,
        }
    }
}

/// Where notices go besides the output folder.
#[derive(Clone, Copy, Default)]
pub struct Sinks<'r> {
    /// A portal.
    pub sender: Option<&'r Sender>,
    /// A local index.
    pub index: Option<&'r LocalIndex>,
}

/// Creates the readers. A run calls it once, when the first page must be read.
pub type ReaderSource<'r> = &'r (dyn Fn() -> Result<Readers, OcrError> + Sync);

/// Controls a run.
#[derive(Clone, Copy)]
pub(crate) struct RunControl<'m> {
    /// Stops the run after the current pages.
    pub(crate) stop: &'m AtomicBool,
    /// Whether to wait at the end for a portal that is down.
    pub(crate) waits_for_portal: bool,
}
