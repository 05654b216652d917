//! A file of pages. The format is detected from the content.

use super::{
    error::{PageError, PageFault},
    limits::{MAX_FILE_BYTES, PDF_DPI},
    page_image::Page,
    pdf,
    placement::Placement,
    raster,
};
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::Read,
    path::{Path, PathBuf},
};
use tender_model::terminal_text::counted;

/// A file of pages in memory. Pages are decoded one at a time.
#[derive(Debug)]
pub struct PageFile {
    path: PathBuf,
    bytes: Vec<u8>,
    digest: [u8; 32],
    kind: FileKind,
    pages: u32,
}

/// The format of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileKind {
    Pdf,
    Picture(image::ImageFormat),
}

/// Opens a PDF, JPEG, PNG or TIFF file. Decoding a page of an opened file may still fail.
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
    /// Opens a file from its bytes. `path` is used in messages only.
    pub fn from_bytes(path: &Path, bytes: Vec<u8>) -> Result<Self, PageError> {
        let path = path.to_owned();
        if bytes.len() as u64 > MAX_FILE_BYTES {
            return Err(PageError::FileTooLarge { path });
        }
        if bytes.is_empty() {
            return Err(PageError::Empty { path });
        }
        let Some(kind) = detect_format(&bytes) else { return Err(PageError::NotAPage { path }) };
        let pages = match kind {
            FileKind::Pdf => pdf::count_pages(&bytes),
            FileKind::Picture(format) => raster::count_pages(&bytes, format),
        };
        let pages = pages.map_err(|fault| fault.at(&path, 1))?;
        let digest = Sha256::digest(&bytes).into();
        Ok(Self { path, bytes, digest, kind, pages })
    }

    /// The number of pages, at least one.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.pages
    }

    /// Always `false`: a file without pages does not open.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages == 0
    }

    /// The size of the file in bytes.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// SHA-256 of the file, in hexadecimal.
    #[must_use]
    pub fn file_hash(&self) -> String {
        hex::encode(self.digest)
    }

    /// The value of [`Page::hash`] for a page, without decoding it.
    #[must_use]
    pub fn hash(&self, number: u32) -> String {
        let page = Sha256::new().chain_update(self.digest).chain_update(number.to_be_bytes());
        hex::encode(page.finalize())
    }

    /// Decodes a page. Numbers begin at 1.
    pub fn page(&self, number: u32) -> Result<Page, PageError> {
        let fail = |fault: PageFault| fault.at(&self.path, number);
        if number == 0 || number > self.pages {
            return Err(fail(PageFault::Unreadable(format!("the file has {}", counted(self.pages, "page")))));
        }
        let (image, dpi, layer, placement) = match self.kind {
            FileKind::Pdf => {
                let (image, layer) = pdf::decode(&self.bytes, number).map_err(fail)?;
                (image, PDF_DPI, layer, Placement::default())
            }
            FileKind::Picture(format) => {
                let (image, dpi, placement) = raster::decode(&self.bytes, format, number).map_err(fail)?;
                (image, dpi, None, placement)
            }
        };
        Ok(Page { number, image, dpi, layer, hash: self.hash(number), placement })
    }

    /// All pages, each decoded on demand.
    pub fn pages(&self) -> impl Iterator<Item = Result<Page, PageError>> + '_ {
        (1..=self.pages).map(|number| self.page(number))
    }
}

/// Detects the format; `None` if it is not supported.
fn detect_format(bytes: &[u8]) -> Option<FileKind> {
    // A PDF may begin with other bytes: viewers accept a header in the first kilobyte.
    let head = bytes.get(..1024).unwrap_or(bytes);
    let picture = match bytes {
        [0xFF, 0xD8, 0xFF, ..] => image::ImageFormat::Jpeg,
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1A, b'\n', ..] => image::ImageFormat::Png,
        [b'I', b'I', 42 | 43, 0, ..] | [b'M', b'M', 0, 42 | 43, ..] => image::ImageFormat::Tiff,
        _ if head.windows(5).any(|mark| mark == b"%PDF-") => return Some(FileKind::Pdf),
        _ => return None,
    };
    Some(FileKind::Picture(picture))
}
