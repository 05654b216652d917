//! [`Readers`]: which reader a clip is given to.

use super::{ClipText, LayerReader, ReadError, Reader, Tesseract, TesseractError};
use crate::layout::Clip;
use crate::page::Page;

/// All readers, the most trustworthy first.
pub struct Readers {
    readers: Vec<Box<dyn Reader>>,
}

impl Readers {
    /// The text layer where it can be trusted, else tesseract.
    ///
    /// # Errors
    /// Where tesseract or one of its languages is not installed.
    pub fn new() -> Result<Self, TesseractError> {
        Tesseract::new().map(Self::with)
    }

    /// The same with this tesseract.
    #[must_use]
    pub fn with(tesseract: Tesseract) -> Self {
        Self::of(vec![Box::new(LayerReader), Box::new(tesseract)])
    }

    /// These readers, asked in this order.
    #[must_use]
    pub fn of(readers: Vec<Box<dyn Reader>>) -> Self {
        Self { readers }
    }
}

impl Reader for Readers {
    fn read(&self, page: &Page, clip: &Clip) -> Result<Option<ClipText>, ReadError> {
        for reader in &self.readers {
            if let Some(text) = reader.read(page, clip)? {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }
}
