//! Lays out headings, paragraphs, tables and images on A4 pages and writes them as a PDF. The text is shaped
//! and can be selected. The crate knows nothing about tenders.

mod fonts;
mod lines;
mod pages;

pub use fonts::{FontError, Fonts};

/// A part of a document, in the order of reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// The title of the document.
    Title(String),
    /// The heading of a section, which begins on a new page if little room is left.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// A paragraph in smaller, grey letters.
    Note(String),
    /// Names and values side by side.
    Facts(Vec<(String, String)>),
    /// A JPEG, PNG or WebP image with a caption. It is drawn as large as the page allows.
    Image {
        /// The content of the file.
        bytes: Vec<u8>,
        /// The text below it.
        caption: String,
    },
    /// What follows begins on a new page.
    NewPage,
}

/// What stands beside the blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The title in the properties of the file.
    pub title: String,
    /// The language, such as `en`.
    pub language: String,
    /// The text at the left of the foot of each page.
    pub footer: String,
    /// The text at the right of the foot of each page. `{page}` and `{pages}` are replaced.
    pub page_of: String,
    /// Who made the document.
    pub creator: String,
    /// When the document was made: year, month, day, hour, minute and second in UTC.
    pub created: (u16, u8, u8, u8, u8, u8),
}

/// Why no document could be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// The document would be too long.
    #[error("the document has more than {0} pages")]
    TooManyPages(usize),
    /// An image or a font can't be written.
    #[error("the document can't be written: {0}")]
    Write(String),
}

/// Writes a document. Images that can't be read are named in the place where they would stand.
///
/// # Errors
/// [`PdfError`] if the document has more than `max_pages` pages or can't be written.
pub fn write(blocks: &[Block], frame: &Frame, fonts: &Fonts, max_pages: usize) -> Result<Vec<u8>, PdfError> {
    pages::write(blocks, frame, fonts, max_pages)
}

#[cfg(test)]
mod tests;
