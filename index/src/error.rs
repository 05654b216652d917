//! [`IndexError`]: the reasons why an operation on an index fails.

use std::path::PathBuf;
use tantivy::{TantivyError, directory::error::LockError};
use tender_model::alert::AlertError;

/// The reason why an operation on an index failed.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The directory contains no index yet.
    #[error("there is no index in {}", .0.display())]
    Missing(PathBuf),
    /// A file of the index is missing, damaged or incomplete.
    #[error("the index in {} is damaged: {what}", .path.display())]
    Damaged {
        /// The directory of the index, or its file `CURRENT`.
        path: PathBuf,
        /// What is damaged.
        what: String,
    },
    /// The index was written by an incompatible version.
    #[error("the index in {} has an incompatible version: {found}", .path.display())]
    OtherVersion {
        /// The directory of the index.
        path: PathBuf,
        /// The versions with which the index was written.
        found: String,
    },
    /// The directory contains files of another program. These files are not changed.
    #[error("{} contains files that do not belong to an index ({example}); choose an empty directory", .path.display())]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// The name of one of these files.
        example: String,
    },
    /// Another writer or rebuild is active, or other processes kept replacing the index while it
    /// was being opened.
    #[error("another writer is active, in this process or another; stop it first")]
    Busy,
    /// A rebuild replaced the index that the writer changes. Open a new writer and continue from
    /// [`crate::IndexStore::position`].
    #[error("a rebuilt index has replaced the one being written")]
    Superseded,
    /// A file or directory cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// `as_of` or `after` of a [`crate::ListingRequest`] is invalid, or was issued for another
    /// listing.
    #[error("the cursor belongs to another listing")]
    Cursor,
    /// The alert cannot be matched, because a keyword contains no word.
    #[error(transparent)]
    Alert(#[from] AlertError),
    /// A tender cannot be serialised or read back.
    #[error("a tender cannot be serialised or read back: {0}")]
    Record(#[from] serde_json::Error),
    /// The engine cannot be reached, did not answer in time, or answered only in part. Whether a
    /// change was applied is unknown.
    #[error("the search engine is not available: {0}")]
    Unavailable(String),
    /// The engine refused a request.
    #[error("the search engine refused a request: {0}")]
    Refused(String),
    /// Any other error from Tantivy.
    #[error("the index failed: {0}")]
    Tantivy(TantivyError),
}

impl IndexError {
    /// Whether rebuilding the index from the database solves the problem.
    #[must_use]
    pub const fn is_fixed_by_rebuild(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::Damaged { .. } | Self::OtherVersion { .. })
    }
}

impl From<TantivyError> for IndexError {
    fn from(error: TantivyError) -> Self {
        match error {
            TantivyError::LockFailure(LockError::LockBusy, _) => Self::Busy,
            other => Self::Tantivy(other),
        }
    }
}
