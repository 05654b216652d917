//! [`BatchError`]: why a page, or a whole batch, could not be done.

use super::file_names::RUN_LOCK;
use crate::{
    markdown::MarkdownError,
    ocr::{ReadError, TesseractError},
    page::PageError,
};
use index::IndexError;
use std::{io, path::PathBuf};

/// Why a page, or a whole batch, could not be done: what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum BatchError {
    /// The batch is not there.
    #[error("{}: there is no such file or folder; check the path", .0.display())]
    NoSuchBatch(PathBuf),
    /// It cannot be listed.
    #[error("{}: cannot be listed ({source}); check that this user may read it", path.display())]
    Unlisted {
        /// The batch.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of the output.
    #[error("{}: cannot be read ({source}); see that this user may read it, mend it, or remove it", path.display())]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It holds no pages.
    #[error("{}: no page in this folder; pages are files ending in .pdf, .jpg, .jpeg, .png, .tif or .tiff", .0.display())]
    NoPages(PathBuf),
    /// It is a folder of output.
    #[error("{}: is an output folder, whose clips would be read as pages; choose another, or if it is none, remove {RUN_LOCK} from it", .0.display())]
    OwnOutput(PathBuf),
    /// It is no folder of output.
    #[error("{}: nothing was ever read into this folder; give the one that `run --out` wrote", .0.display())]
    NoOutput(PathBuf),
    /// What was in the output folder is not there.
    #[error("{}: what was read into this folder is not there any more; bring its disk or share back, or if it was emptied on purpose, start again", .0.display())]
    Lost(PathBuf),
    /// It holds more files than are read.
    #[error("{}: holds more than {most} pages, and the others are not read; divide it", batch.display())]
    TooMany {
        /// The batch.
        batch: PathBuf,
        /// So many are read.
        most: usize,
    },
    /// Folders in folders.
    #[error("{}: lies too deep in its batch and is not looked into; run it by itself", .0.display())]
    Deep(PathBuf),
    /// The output folder is of no use.
    #[error("{}: the output folder cannot be written ({source}); choose another with --out", path.display())]
    Out {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Neither a file nor a folder.
    #[error("{}: is neither a file nor a folder; give pages, or the folder they lie in", .0.display())]
    NoFile(PathBuf),
    /// A file that failed before, in a folder that is away.
    #[error("{}: the folder it lay in is empty or not there; bring it back and try again, or remove {}", path.display(), note.display())]
    Away {
        /// The file.
        path: PathBuf,
        /// Where its failure is noted.
        note: PathBuf,
    },
    /// A file that failed before.
    #[error("{}: is no longer there, and is not tried again; if it was moved, run its new place", .0.display())]
    Gone(PathBuf),
    /// A link to another place.
    #[error("{}: is a link to a place outside the batch and is not followed; put the page itself there", .0.display())]
    Link(PathBuf),
    /// Another one is at work there.
    #[error("{}: another ingest is at work on this folder; wait until it has ended, or choose another folder with --out", .0.display())]
    Busy(PathBuf),
    /// The page cannot be opened or drawn.
    #[error(transparent)]
    Page(#[from] PageError),
    /// No reader is to be had.
    #[error(transparent)]
    Readers(#[from] TesseractError),
    /// A clip could not be read.
    #[error("{file}, page {page}: cannot be read ({source}); run the batch again")]
    Read {
        /// The file.
        file: String,
        /// The page.
        page: u32,
        /// Why.
        source: ReadError,
    },
    /// A notice cannot be written as text.
    #[error(transparent)]
    Markdown(MarkdownError),
    /// A notice's file is none any more.
    #[error("{}: {source}; mend it, or remove it and read its page again", path.display())]
    Notice {
        /// The file.
        path: PathBuf,
        /// Why.
        source: MarkdownError,
    },
    /// A clip cannot be written as a picture.
    #[error("a clip cannot be written as a picture ({0}); report this page")]
    Picture(image::ImageError),
    /// The output cannot be written.
    #[error("{}: cannot be written ({source}); free space there or choose another --out, then run again", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A fault of ours.
    #[error(
        "{file}: stopped by a fault in this program ({reason}); the other pages are done; report this page"
    )]
    Internal {
        /// The file.
        file: String,
        /// What it said.
        reason: String,
    },
    /// The index of this machine fails.
    #[error(transparent)]
    Embed(#[from] LocalIndexError),
    /// No threads.
    #[error("no threads can be started ({0}); try --jobs 1")]
    Threads(String),
}

impl BatchError {
    /// Whether the command itself was wrong.
    #[must_use]
    pub const fn is_usage(&self) -> bool {
        matches!(
            self,
            Self::NoSuchBatch(_)
                | Self::Unlisted { .. }
                | Self::NoPages(_)
                | Self::NoFile(_)
                | Self::OwnOutput(_)
                | Self::NoOutput(_)
                | Self::Out { .. }
                | Self::Busy(_)
        )
    }

    /// Whether it may be over soon, without anybody doing something about the page: a share that is away, a disk that is full.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
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

    /// Whether what is passing may be the page's own fault all the same, which never passes.
    #[must_use]
    pub const fn may_be_the_pages(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::Page(_))
    }
}

/// Why the index cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LocalIndexError {
    /// The index itself.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// It is a portal's.
    #[error("{}: this index follows a portal's changes and must not be written by hand; choose another directory with --index, or --publish to that portal", .0.display())]
    Portals(PathBuf),
    /// It is another folder's.
    #[error("{}: this index is of the notices in another output folder; choose another directory with --index, or remove this one if that folder has moved", .0.display())]
    Others(PathBuf),
    /// The output folder has no path.
    #[error("{}: this folder cannot be found ({source}); choose another", path.display())]
    Out {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
