//! A batch from start to end: list its pages, read what is new, write it, publish it, report. A batch that was killed at
//! any point is finished by running it again: nothing is lost and nothing doubled.

mod error;
mod fields;
pub(crate) mod file_names;
pub(crate) mod input;
pub(crate) mod output;
mod progress;
mod publication_rule;
pub(crate) mod review;
pub(crate) mod run;
pub(crate) mod upload;

pub use crate::base::files::write_atomically;
pub use crate::base::memory::peak_memory_mib;
pub use error::{BatchError, EmbedError};
pub use fields::{Field, FieldError, differing, written};
pub use file_names::RECORD;
pub use input::discovery::{Found, find};
pub use input::duplicates::Twin;
pub use input::page_source::{Issue, PageSource};
pub use output::decision::{Review, Standing, Verdict};
pub use output::failures::{Failure, failures};
pub use output::listing::records;
pub use output::lock::Lock;
pub use output::record::{NoticeFiles, NoticeRecord, PageRecord, Published, RejectedBlock, key};
pub use progress::{Event, Progress};
pub use publication_rule::PublicationRule;
pub use review::review_store::{DeskError, Entry, Opened, entries};
pub use review::view::View;
pub use run::catch_up::publish;
pub use run::dry_run::{Plan, Planned, plan};
pub use run::engine::run;
pub use run::extractor::Extractor;
pub use run::options::{Options, Outlets, ReaderSource};
pub use run::report::Report;
pub use run::retry_failed::retry;
pub use run::watch::{Surroundings, watch};
pub use upload::local_index::{Embedded, Indexed};
pub use upload::sender::Sender;
pub use upload::sent::Sent;
