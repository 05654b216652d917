//! [`IndexError`]: the failures of an index, by what the caller can do about them.

use std::path::PathBuf;
use tantivy::{TantivyError, directory::error::LockError};
use tender_model::alert::AlertError;

/// The reason an index cannot be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// The directory contains no index yet.
    #[error("there is no index in {}", .0.display())]
    Missing(PathBuf),
    /// A file is damaged or incomplete.
    #[error("the index in {} is damaged: {what}", .path.display())]
    Damaged {
        /// The index.
        path: PathBuf,
        /// The damaged part.
        what: String,
    },
    /// The index was written by an incompatible version.
    #[error("the index in {} has an incompatible version: {found}", .path.display())]
    OtherVersion {
        /// The index.
        path: PathBuf,
        /// The versions found.
        found: String,
    },
    /// The directory contains files of another program. They are not changed.
    #[error("{} contains files that do not belong to an index ({example}); choose an empty directory", .path.display())]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// The name of one such file.
        example: String,
    },
    /// Another writer is active.
    #[error("another writer is active, in this process or another; stop it first")]
    Busy,
    /// A rebuild replaced the index while it was being written. Open a new writer and continue from
    /// its position.
    #[error("a rebuilt index has replaced the one being written")]
    Superseded,
    /// A file cannot be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: std::io::Error,
    },
    /// `as_of` or `after` of a [`crate::ListingRequest`] was issued for another listing.
    #[error("the cursor belongs to another listing")]
    Cursor,
    /// The alert cannot be matched.
    #[error(transparent)]
    Alert(#[from] AlertError),
    /// A tender cannot be serialised or read back.
    #[error("a tender cannot be serialised or read back: {0}")]
    Record(#[from] serde_json::Error),
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
