//! What can be wrong with an index directory, told apart by what is to be done about it.

use std::path::PathBuf;
use tantivy::{TantivyError, directory::error::LockError};
use tender_model::alert::AlertError;

/// Why an index can't be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum IndexError {
    /// There is no index yet.
    #[error("there is no index in {}", .0.display())]
    Missing(PathBuf),
    /// Some file is damaged or incomplete.
    #[error("the index in {} is damaged: {what}", .path.display())]
    Torn {
        /// The index.
        path: PathBuf,
        /// What of it.
        what: String,
    },
    /// It was written by another version of this program.
    #[error("the index in {} is of another version: {found}", .path.display())]
    OtherVersion {
        /// The index.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// Something else lives in the directory; it is left alone.
    #[error("{} holds files that are no index of ours ({example}): choose an empty directory", .path.display())]
    Foreign {
        /// The directory.
        path: PathBuf,
        /// One of the files.
        example: String,
    },
    /// Someone else is writing.
    #[error("the index is being written already, by this process or another: stop that one first")]
    Busy,
    /// The index that was being written is no longer the one in use: open a new writer and go on from its position.
    #[error("a rebuilt index has taken the place of the one being written")]
    Superseded,
    /// A file can't be read or written.
    #[error("{}: {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// An [`crate::ListingRequest::as_of`] or [`crate::ListingRequest::after`] that was not handed out for such a request.
    #[error("the page to go on from is of another listing")]
    Cursor,
    /// The alert can't be matched.
    #[error(transparent)]
    Alert(#[from] AlertError),
    /// A tender can't be written as JSON, or a document holds none.
    #[error("a tender can't be stored or read back: {0}")]
    Record(#[from] serde_json::Error),
    /// Anything else that Tantivy says.
    #[error("the index failed: {0}")]
    Tantivy(TantivyError),
}

impl IndexError {
    /// Whether building the index anew, from the record, mends it.
    #[must_use]
    pub const fn is_mended_by_rebuilding(&self) -> bool {
        matches!(self, Self::Missing(_) | Self::Torn { .. } | Self::OtherVersion { .. })
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
