//! Why a page cannot be used.

use super::limits::{MAX_FILE_BYTES, MAX_PAGES, MAX_PIXELS};
use std::{
    io,
    path::{Path, PathBuf},
};

/// Why a page cannot be used, without the file and the page. [`PageFault::at`] adds these.
#[derive(Debug)]
pub(super) enum PageFault {
    Truncated,
    Encrypted,
    TooLarge { width: u64, height: u64 },
    TooManyPages(u64),
    Unreadable(String),
    MissingProgram,
}

impl PageFault {
    pub(super) fn at(self, path: &Path, page: u32) -> PageError {
        let path = path.to_owned();
        match self {
            Self::Truncated => PageError::Truncated { path },
            Self::Encrypted => PageError::Encrypted { path },
            Self::TooLarge { width, height } => PageError::TooLarge { path, page, width, height },
            Self::TooManyPages(pages) => PageError::TooManyPages { path, pages },
            Self::Unreadable(reason) => PageError::Unreadable { path, page, reason },
            Self::MissingProgram => PageError::MissingProgram { path },
        }
    }
}

/// Why a page cannot be used. The message names the file and what to do.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The file cannot be read.
    #[error("{}: cannot be read ({source}); check that it exists and that this user may read it", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system error.
        source: io::Error,
    },
    /// The file has another format.
    #[error("{}: is not a PDF, JPEG, PNG or TIFF; remove it from the batch or convert it", path.display())]
    NotAPage {
        /// The file.
        path: PathBuf,
    },
    /// The file is empty.
    #[error("{}: is empty; copy or scan it again", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// The file is truncated.
    #[error("{}: is truncated; copy or scan it again", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
    },
    /// The file needs a password.
    #[error("{}: is encrypted; save it without a password and try again", path.display())]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// The file is too large.
    #[error("{}: is larger than {} MiB; split it into single pages or compress them", path.display(), MAX_FILE_BYTES >> 20)]
    FileTooLarge {
        /// The file.
        path: PathBuf,
    },
    /// A page has too many pixels.
    #[error("{}, page {page}: is {width} x {height} pixels, more than {} million; scan it at 300 dpi", path.display(), MAX_PIXELS / 1_000_000)]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The page, from 1.
        page: u32,
        /// The width in pixels.
        width: u64,
        /// The height in pixels.
        height: u64,
    },
    /// The file has too many pages.
    #[error("{}: has {pages} pages or more, but at most {MAX_PAGES} are read; split it", path.display())]
    TooManyPages {
        /// The file.
        path: PathBuf,
        /// The number of pages that were counted.
        pages: u64,
    },
    /// The page is damaged or uses an unsupported feature.
    #[error("{}, page {page}: cannot be decoded ({reason}); open it in a viewer, and save or scan it again", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The page, from 1.
        page: u32,
        /// The reason.
        reason: String,
    },
    /// Poppler is not installed.
    #[error("{}: reading a PDF needs poppler; install it with `apt-get install poppler-utils`", path.display())]
    MissingProgram {
        /// The file.
        path: PathBuf,
    },
}
