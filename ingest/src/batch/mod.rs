//! A batch from start to end: list its pages, read what is new, write it, publish it, report. A batch that was killed at
//! any point is finished by running it again: nothing is lost and nothing doubled.

mod error;
mod fields;
pub(crate) mod input;
pub(crate) mod output;
mod progress;
mod publication_rule;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod upload;

pub use error::BatchError;
pub use fields::{Field, FieldError, differing, written};
pub use input::discovery::{Found, find};
pub use output::failures::{Failure, failures, retry};
pub use output::lock::Lock;
pub use progress::{Event, Progress};
pub use review::review_store::{DeskError, Entry, Opened, entries};
pub use run::catch_up::publish;
pub use run::dry_run::{Plan, Planned, plan};
pub use run::extractor::Extractor;
pub use upload::local_index::{EmbedError, Embedded, Indexed};

pub use input::duplicates::Twin;
pub use input::page_source::{Issue, PageSource};
pub use output::decision::{Review, Standing, Verdict};
pub use output::store::{
    NoticeFiles, NoticeRecord, PageRecord, Published, RECORD, RejectedBlock, key, records, write_atomically,
};
pub use publication_rule::PublicationRule;
pub use review::view::View;
pub use run::engine::run;
pub(crate) use run::read_page::legibility;
use run::report::Again;
pub use run::report::{Report, Sent, peak_memory_mib};
pub use run::watch::{Surroundings, watch};
pub use upload::sender::Sender;

use crate::{
    extract::Gazetteer,
    ocr::{Readers, TesseractError},
};
use index::vocabulary::Moment;
use std::{path::PathBuf, sync::Arc};

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
pub struct Outlets<'r> {
    /// A portal.
    pub sender: Option<&'r Sender>,
    /// An index on this machine.
    pub index: Option<&'r Embedded>,
}

/// How to come by readers; asked once, and only when a page has to be read.
pub type ReaderSource<'r> = &'r (dyn Fn() -> Result<Readers, TesseractError> + Sync);
