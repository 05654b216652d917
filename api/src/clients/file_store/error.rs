//! Errors of the places of files.

use crate::domain::error::ServiceError;
use object_store::Error as StoreError;
use std::io;

/// An error of a place of files.
#[derive(Debug, thiserror::Error)]
#[error("{action}")]
pub struct FileError {
    /// What was attempted.
    action: String,
    #[source]
    cause: FileErrorCause,
}

/// Why it failed.
#[derive(Debug, thiserror::Error)]
pub(super) enum FileErrorCause {
    #[error(transparent)]
    Disk(#[from] io::Error),
    #[error(transparent)]
    Objects(#[from] StoreError),
}

impl FileError {
    pub(super) fn new(action: String, cause: impl Into<FileErrorCause>) -> Self {
        Self { action, cause: cause.into() }
    }
}

impl From<FileError> for ServiceError {
    fn from(error: FileError) -> Self {
        let chain = anyhow::Error::from(error);
        tracing::error!(error = format!("{chain:#}"), "the place of the files does not work");
        Self::Unavailable("The portal cannot reach its files at present. Please try again later.")
    }
}
