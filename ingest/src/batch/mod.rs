//! A batch from start to end: list its pages, read what is new, write it, publish it, report. A batch that was killed at
//! any point is finished by running it again: nothing is lost and nothing doubled.

mod desk;
mod embed;
mod error;
mod extractor;
mod failures;
mod fields;
mod find;
mod kept;
mod lock;
mod places;
mod plan;
mod progress;
mod publish;
mod read_page;
mod report;
mod review;
mod rule;
mod run;
mod send;
mod source;
mod store;
mod twins;
mod view;
mod watch;
mod write_page;

pub use desk::{DeskError, Entry, Opened, entries};
pub use embed::{EmbedError, Embedded, Indexed};
pub use error::BatchError;
pub use extractor::Extractor;
pub use failures::{Failure, failures, retry};
pub use fields::{Field, FieldError, differing, written};
pub use find::{Found, find};
pub use lock::Lock;
pub use plan::{Plan, Planned, plan};
pub use progress::{Event, Progress};
pub use publish::publish;

pub(crate) use read_page::legibility;
use report::Again;
pub use report::{Report, Sent, peak_memory_mib};
pub use review::{Review, Standing, Verdict};
pub use rule::PublicationRule;
pub use run::run;
pub use send::Sender;
pub use source::{Issue, PageSource};
pub use store::{
    NoticeFiles, NoticeRecord, PageRecord, Published, RECORD, RejectedBlock, key, records, write_atomically,
};
pub use twins::Twin;
pub use view::View;
pub use watch::{Surroundings, watch};

use crate::{
    extract::Gazetteer,
    read::{Readers, TesseractError},
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
