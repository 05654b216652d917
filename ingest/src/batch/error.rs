//! [`BatchError`]: why a page or a whole batch failed.

use super::file_names::RUN_LOCK;
use crate::{
    markdown::MarkdownError,
    ocr::{OcrError, ReadError},
    page::PageError,
};
use index::IndexError;
use std::{any::Any, io, path::PathBuf};

/// Why a page or a whole batch failed. The message says what failed, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The batch does not exist.
    #[error("{}: there is no such file or folder; check the path", .0.display())]
    NoSuchBatch(PathBuf),
    /// The batch cannot be listed.
    #[error("{}: cannot be listed ({source}); check that this user may read it", path.display())]
    Unlisted {
        /// The batch.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// A file of the output cannot be read.
    #[error("{}: cannot be read ({source}); check that this user may read it, repair it, or remove it", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The batch has no pages.
    #[error("{}: no page in this folder; pages are files ending in .pdf, .jpg, .jpeg, .png, .tif or .tiff", .0.display())]
    NoPages(PathBuf),
    /// The batch is an output folder.
    #[error("{}: is an output folder, whose clips would be read as pages; choose another folder, or remove {RUN_LOCK} if it is not an output folder", .0.display())]
    OwnOutput(PathBuf),
    /// The folder is not an output folder.
    #[error("{}: is not an output folder; give the one that `run --out` wrote", .0.display())]
    NoOutput(PathBuf),
    /// The lock file of the output folder has disappeared, for example because a share is
    /// unavailable.
    #[error("{}: the content of this output folder has disappeared; reconnect its disk or share, or restart if it was emptied on purpose", .0.display())]
    Lost(PathBuf),
    /// The batch has too many pages.
    #[error("{}: has more than {most} pages, and the others are not read; split it", batch.display())]
    TooMany {
        /// The batch.
        batch: PathBuf,
        /// The number of pages that are read.
        most: usize,
    },
    /// A folder is nested too deeply.
    #[error("{}: is nested too deeply and was not searched; run it by itself", .0.display())]
    TooDeep(PathBuf),
    /// The output folder cannot be used.
    #[error("{}: the output folder cannot be written ({source}); choose another with --out", path.display())]
    Out {
        /// The folder.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The path is neither a file nor a folder.
    #[error("{}: is neither a file nor a folder; give pages or their folder", .0.display())]
    NotAFileOrFolder(PathBuf),
    /// The folder of a file that failed before is unavailable.
    #[error("{}: its folder is empty or missing; reconnect it and try again, or remove {}", path.display(), note.display())]
    SourceUnavailable {
        /// The file.
        path: PathBuf,
        /// The record of the failure.
        note: PathBuf,
    },
    /// A file that failed before no longer exists.
    #[error("{}: no longer exists and is not tried again; if it was moved, run its new location", .0.display())]
    SourceRemoved(PathBuf),
    /// A symbolic link leads out of the batch.
    #[error("{}: is a link out of the batch and is not followed; put the page itself there", .0.display())]
    OutsideLink(PathBuf),
    /// Another process is using the folder.
    #[error("{}: another ingest is using this folder; wait until it has ended, or choose another folder with --out", .0.display())]
    Busy(PathBuf),
    /// The page cannot be opened or rendered.
    #[error(transparent)]
    Page(#[from] PageError),
    /// No reader is available.
    #[error(transparent)]
    Readers(#[from] OcrError),
    /// A clip could not be read.
    #[error("{file}, page {page}: cannot be read ({source}); run the batch again")]
    Read {
        /// The file.
        file: String,
        /// The page.
        page: u32,
        /// The reason.
        source: ReadError,
    },
    /// A notice cannot be serialised.
    #[error(transparent)]
    Markdown(MarkdownError),
    /// The file of a notice is invalid.
    #[error("{}: {source}; repair it, or remove it and read its page again", path.display())]
    Notice {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: MarkdownError,
    },
    /// A clip cannot be encoded as a JPEG.
    #[error("a clip cannot be encoded as a JPEG ({0}); report this page")]
    ClipEncoding(image::ImageError),
    /// A file of the output cannot be written.
    #[error("{}: cannot be written ({source}); free space there or choose another --out, then run again", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// A bug in this program.
    #[error(
        "{file}: stopped by a bug in this program ({reason}); the other pages are not affected; report this page"
    )]
    Internal {
        /// The file.
        file: String,
        /// The panic message.
        reason: String,
    },
    /// The local index cannot be used.
    #[error(transparent)]
    LocalIndex(#[from] LocalIndexError),
    /// No threads can be started.
    #[error("no threads can be started ({0}); try --jobs 1")]
    Threads(String),
}

impl BatchError {
    /// The error for a panic while a file was read.
    pub(crate) fn of_panic(file: &str, panic: &(dyn Any + Send)) -> Self {
        let reason = panic.downcast_ref::<String>().cloned();
        let reason = reason.or_else(|| panic.downcast_ref::<&str>().map(|&words| words.to_owned()));
        Self::Internal { file: file.to_owned(), reason: reason.unwrap_or_default() }
    }

    /// Whether the program ends with the exit code for wrong usage: a path on the command line
    /// cannot be used.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::NoSuchBatch(_)
                | Self::Unlisted { .. }
                | Self::NoPages(_)
                | Self::NotAFileOrFolder(_)
                | Self::OwnOutput(_)
                | Self::NoOutput(_)
                | Self::Out { .. }
                | Self::Busy(_)
        )
    }

    /// Whether the error may disappear without a change of the page. Examples are an unavailable
    /// share and a full disk.
    #[must_use]
    pub const fn is_temporary(&self) -> bool {
        matches!(
            self,
            Self::NoSuchBatch(_)
                | Self::Write { .. }
                | Self::Lost(_)
                | Self::Out { .. }
                | Self::Unlisted { .. }
                | Self::Unread { .. }
                | Self::Read { .. }
                | Self::Page(PageError::Io { .. })
        )
    }

    /// Whether the page itself may have caused the error. Only meaningful for temporary errors.
    #[must_use]
    pub const fn may_be_page_fault(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Page(_))
    }
}

/// Why the local index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LocalIndexError {
    /// The index cannot be read or written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The index follows a portal.
    #[error("{}: this index follows the changes of a portal and cannot be filled here; choose another directory with --index, or --publish to that portal", .0.display())]
    FollowsPortal(PathBuf),
    /// The index belongs to another output folder.
    #[error("{}: this index belongs to another output folder; choose another directory with --index, or remove this one if that folder was moved", .0.display())]
    OtherOutput(PathBuf),
    /// The output folder cannot be resolved.
    #[error("{}: this folder cannot be found ({source}); choose another", path.display())]
    Out {
        /// The folder.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
}
