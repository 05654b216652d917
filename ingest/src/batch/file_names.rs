//! The names of the files in an output folder.

/// The suffix of the record of a page.
pub const RECORD_SUFFIX: &str = ".page.json";
/// The suffix of a review.
pub(crate) const REVIEW_SUFFIX: &str = ".review.json";
/// The suffix of a failure.
pub(crate) const FAILURE_SUFFIX: &str = ".failed.json";
/// The folder in which a file system puts recovered files.
pub(crate) const LOST_AND_FOUND: &str = "lost+found";
/// The file of the run lock. It also marks a folder as an output folder.
pub(crate) const RUN_LOCK: &str = ".run.lock";
