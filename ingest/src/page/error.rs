//! Why a page cannot be used.

use super::limits::{MAX_FILE_BYTES, MAX_PAGES, MAX_PIXELS};
use std::{
    io,
    path::{Path, PathBuf},
};

/// What is wrong with a page, before it is known which page of which file.
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

/// Why a file's page cannot be used: what, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// The file cannot be read at all.
    #[error("{}: cannot be read ({source}); check that it exists and that this user may read it", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is something else.
    #[error("{}: is no PDF, JPEG, PNG or TIFF; remove it from the batch or convert it", path.display())]
    NotAPage {
        /// The file.
        path: PathBuf,
    },
    /// It has no bytes.
    #[error("{}: is empty; copy or scan it again", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// It ends too early.
    #[error("{}: is cut off before its end; copy or scan it again", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
    },
    /// It wants a password.
    #[error("{}: is encrypted; save it without a password and try again", path.display())]
    Encrypted {
        /// The file.
        path: PathBuf,
    },
    /// It has too many bytes.
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
        /// In pixels.
        width: u64,
        /// In pixels.
        height: u64,
    },
    /// It has too many pages.
    #[error("{}: has {pages} pages or more, and at most {MAX_PAGES} are taken; split it", path.display())]
    TooManyPages {
        /// The file.
        path: PathBuf,
        /// How many were counted.
        pages: u64,
    },
    /// It is damaged, or of a kind that is not understood.
    #[error("{}, page {page}: cannot be decoded ({reason}); open it in a viewer, and save or scan it again", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The page, from 1.
        page: u32,
        /// Why.
        reason: String,
    },
    /// Poppler is not installed.
    #[error("{}: reading a PDF needs poppler; install it with `apt-get install poppler-utils`", path.display())]
    MissingProgram {
        /// The file.
        path: PathBuf,
    },
}
