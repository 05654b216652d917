//! A page: opened from a file that may be anything. What it is, is told by its bytes, never by its name; every size is
//! checked before it is allocated. Deskewing is not done here: boxes are fractions of the page as it was delivered.

mod pdf;
mod photograph;
mod placement;
mod raster;

pub use placement::Placement;

use crate::ocr::Word;
use image::{GrayImage, imageops};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest file that is opened.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
/// The most pixels a page may have: a broadsheet at 600 dpi has 112 million.
pub const MAX_PIXELS: u64 = 150_000_000;
/// The most pages a file may have.
pub const MAX_PAGES: u32 = 200;
/// The resolution at which a PDF's pages are drawn.
pub const PDF_DPI: f64 = 300.0;

/// A page, ready to be cut and read.
#[derive(Debug, Clone)]
pub struct Page {
    /// Its place in its file, from 1.
    pub number: u32,
    /// What it looks like, as delivered, but for a photograph, of which it is the sheet: neither deskewed nor flattened.
    pub image: GrayImage,
    /// Pixels an inch: as the file states where that is plausible for paper, else estimated.
    pub dpi: f64,
    /// The words that a born-digital page carries. `None` where it carries none.
    pub layer: Option<Vec<Word>>,
    /// SHA-256 of the file's bytes and the page's number, in hexadecimal.
    pub hash: String,
    /// How the picture as it was delivered became [`Page::image`].
    pub placement: Placement,
}

impl Page {
    /// A page of this picture and nothing else.
    #[cfg(test)]
    pub(crate) fn of(image: GrayImage, dpi: f64) -> Self {
        Self { number: 1, image, dpi, layer: None, hash: String::new(), placement: Placement::default() }
    }

    /// The page after so many quarter turns clockwise. It has no words any more: they stood in lines of another direction.
    #[must_use]
    pub fn turned(&self, quarters: u32) -> Self {
        let image = match quarters % 4 {
            0 => return self.clone(),
            1 => imageops::rotate90(&self.image),
            2 => imageops::rotate180(&self.image),
            _ => imageops::rotate270(&self.image),
        };
        let placement = self.placement.turned(quarters);
        Self { number: self.number, image, dpi: self.dpi, layer: None, hash: self.hash.clone(), placement }
    }
}

/// A file of pages, held in memory; its pages are decoded one at a time, when asked for.
#[derive(Debug)]
pub struct PageFile {
    path: PathBuf,
    bytes: Vec<u8>,
    digest: [u8; 32],
    kind: Kind,
    pages: u32,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Pdf,
    Picture(image::ImageFormat),
}

/// Opens a file of pages: PDF, JPEG, PNG or TIFF.
///
/// # Errors
/// See [`PageError`]. A file that opens can still hold a page that does not decode.
pub fn open(path: &Path) -> Result<PageFile, PageError> {
    let fail = |source| PageError::Io { path: path.to_owned(), source };
    let file = File::open(path).map_err(fail)?;
    if file.metadata().map_err(fail)?.is_dir() {
        return Err(PageError::NotAPage { path: path.to_owned() });
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(fail)?;
    PageFile::from_bytes(path, bytes)
}

impl PageFile {
    /// Opens the bytes of a file; `path` is only its name in messages.
    ///
    /// # Errors
    /// See [`PageError`].
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, PageError> {
        let path = path.to_owned();
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(PageError::FileTooLarge { path });
        }
        if bytes.is_empty() {
            return Err(PageError::Empty { path });
        }
        let Some(kind) = sniff(&bytes) else { return Err(PageError::NotAPage { path }) };
        let pages = match kind {
            Kind::Pdf => pdf::count(&bytes),
            Kind::Picture(format) => raster::count(&bytes, format),
        };
        let pages = pages.map_err(|fault| fault.at(&path, 1))?;
        let digest = Sha256::digest(&bytes).into();
        Ok(Self { path, bytes, digest, kind, pages })
    }

    /// How many pages it has: at least one.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.pages
    }

    /// Never: a file without pages does not open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// The hash that the page of this number will have, without decoding it: see [`Page::hash`].
    #[must_use]
    pub fn hash(&self, number: u32) -> String {
        let page = Sha256::new().chain_update(self.digest).chain_update(number.to_be_bytes());
        hex::encode(page.finalize())
    }

    /// Decodes the page of this number, from 1.
    ///
    /// # Errors
    /// See [`PageError`].
    pub fn page(&self, number: u32) -> Result<Page, PageError> {
        let fail = |fault: Fault| fault.at(&self.path, number);
        if number == 0 || number > self.pages {
            return Err(fail(Fault::Unreadable(format!("the file has {} pages", self.pages))));
        }
        let (image, dpi, layer, placement) = match self.kind {
            Kind::Pdf => {
                let (image, layer) = pdf::decode(&self.bytes, number).map_err(fail)?;
                (image, PDF_DPI, layer, Placement::default())
            }
            Kind::Picture(format) => {
                let (image, dpi, placement) = raster::decode(&self.bytes, format, number).map_err(fail)?;
                (image, dpi, None, placement)
            }
        };
        Ok(Page { number, image, dpi, layer, hash: self.hash(number), placement })
    }

    /// All its pages, each decoded when it is asked for.
    pub fn pages(&self) -> impl Iterator<Item = Result<Page, PageError>> + '_ {
        (1..=self.pages).map(|number| self.page(number))
    }
}

/// What these bytes are; `None` where they are no page.
fn sniff(bytes: &[u8]) -> Option<Kind> {
    // A PDF may start with a little rubbish: readers accept the mark within the first kilobyte.
    let head = bytes.get(..1024).unwrap_or(bytes);
    let picture = match bytes {
        [0xFF, 0xD8, 0xFF, ..] => image::ImageFormat::Jpeg,
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => image::ImageFormat::Png,
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => image::ImageFormat::Tiff,
        _ if head.windows(5).any(|mark| mark == b"%PDF-") => return Some(Kind::Pdf),
        _ => return None,
    };
    Some(Kind::Picture(picture))
}

/// What is wrong with a page, before it is known which page of which file.
#[derive(Debug)]
enum Fault {
    Truncated,
    Encrypted,
    TooLarge { width: u64, height: u64 },
    TooManyPages(u64),
    Unreadable(String),
    MissingProgram,
}

impl Fault {
    fn at(self, path: &Path, page: u32) -> PageError {
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
