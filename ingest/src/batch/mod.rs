//! Batch processing: find the pages, read new ones, write the notices, publish them and report.
//! Running a killed batch again completes it: nothing is lost and nothing is duplicated.
//!
//! [`input`] finds the pages, [`output`] writes the files, and [`review`] changes notices.
//! [`upload`] sends notices to a portal or a local index. [`run`](mod@run) combines these stages.

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
pub use error::{BatchError, LocalIndexError};
pub use fields::{Field, FieldError, changed_paths, fields as tender_fields, with_field};
pub use file_names::RECORD_SUFFIX;
pub use input::discovery::{DiscoveredPages, find_pages};
pub use input::duplicates::DuplicateFile;
pub use input::page_source::{Issue, PageSource};
pub use output::failures::{PageFailure, failures};
pub use output::listing::records;
pub use output::lock::Lock;
pub use output::record::{NoticeFiles, NoticeRecord, PageRecord, Published, RejectedBlock, key};
pub use output::stored_review::{Review, ReviewState, Verdict};
pub use progress::{Event, Progress, Stage};
pub use publication_rule::PublicationRule;
pub use review::review_store::{OpenedNotice, ReviewError, StoredNotice, stored_notices};
pub use review::view::NoticeView;
pub use run::catch_up::publish;
pub use run::dry_run::{DryRunReport, PlannedPage, plan};
pub use run::engine::run;
pub use run::extractor::Extractor;
pub use run::options::{Options, ReaderSource, Sinks};
pub use run::report::Report;
pub use run::retry_failed::retry;
pub use run::watch::{WatchEnvironment, watch};
pub use run::worker::{Worker, WorkerError, WorkerEvent, WorkerReport};
pub use upload::local_index::{IndexCounts, LocalIndex};
pub use upload::sender::Sender;
pub use upload::sent::UploadCounts;
