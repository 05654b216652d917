//! What to read, how to go about it, and where the notices go.

use super::extractor::Extractor;
use crate::{
    batch::{Issue, PublicationRule, Sender, upload::local_index::LocalIndex},
    extract::Gazetteer,
    ocr::{Readers, TesseractError},
};
use index::vocabulary::Moment;
use std::{
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

/// What to read and where to.
#[derive(Debug, Clone)]
pub struct Options {
    /// Folders and files.
    pub batches: Vec<PathBuf>,
    /// The output folder.
    pub out: PathBuf,
    /// What folders do not tell.
    pub issue: Issue,
    /// Cores to use.
    pub jobs: usize,
    /// From which confidence on a field is certain, and which notices wait for review.
    pub rule: PublicationRule,
    /// What time it is.
    pub clock: fn() -> Moment,
    /// Who reads notices.
    pub extractor: Extractor,
    /// The bodies and places that are known.
    pub gazetteer: Arc<Gazetteer>,
    /// Whether what was read of a file is removed where another page stands in its place now.
    pub replace: bool,
}

impl Options {
    /// Reads these batches into `out` on one core, all else as usual.
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

/// Where notices go beyond their folder.
#[derive(Clone, Copy, Default)]
pub struct Sinks<'r> {
    /// A portal.
    pub sender: Option<&'r Sender>,
    /// An index on this machine.
    pub index: Option<&'r LocalIndex>,
}

/// How to come by readers; asked once, and only when a page has to be read.
pub type ReaderSource<'r> = &'r (dyn Fn() -> Result<Readers, TesseractError> + Sync);

/// How to go about it.
#[derive(Clone, Copy)]
pub(crate) struct RunControl<'m> {
    /// Once set, it ends after the pages in hand.
    pub(crate) stop: &'m AtomicBool,
    /// Whether to wait at the end for a portal that is away.
    pub(crate) is_patient: bool,
}
