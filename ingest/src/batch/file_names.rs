//! What the files of an output folder are called.

/// Ends the name of a page's record.
pub const RECORD: &str = ".page.json";
/// Ends the name of what a person has decided about a notice.
pub(crate) const REVIEW: &str = ".review.json";
/// Ends the name of a failure's file.
pub(crate) const FAILED: &str = ".failed.json";
/// What a file system keeps for itself in its topmost folder.
pub(crate) const LOST_AND_FOUND: &str = "lost+found";
/// The file that whoever reads or publishes locks: it tells a folder of output from others.
pub(crate) const RUN_LOCK: &str = ".run.lock";
