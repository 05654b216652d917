//! The names of the files in an output folder.

/// The suffix of the record of a page.
pub const RECORD: &str = ".page.json";
/// The suffix of a review.
pub(crate) const REVIEW: &str = ".review.json";
/// The suffix of a failure.
pub(crate) const FAILED: &str = ".failed.json";
/// A folder that the file system keeps in its root.
pub(crate) const LOST_AND_FOUND: &str = "lost+found";
/// The lock file of reading and publishing. It marks a folder as an output folder.
pub(crate) const RUN_LOCK: &str = ".run.lock";
