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
    fn read(&self, page: &Page, clips: &[&Clip]) -> Result<Vec<Option<ClipText>>, ReadError> {
        let mut texts = vec![None; clips.len()];
        for reader in &self.readers {
            let unread: Vec<usize> = (0..clips.len()).filter(|at| texts[*at].is_none()).collect();
            let left: Vec<&Clip> = unread.iter().map(|at| clips[*at]).collect();
            for (at, text) in unread.into_iter().zip(reader.read(page, &left)?) {
                texts[at] = text;
            }
        }
        Ok(texts)
    }

    fn quarter_turns(&self, page: &Page) -> Result<Option<u32>, ReadError> {
        for reader in &self.readers {
            let turns = reader.quarter_turns(page)?;
            if turns.is_some() {
                return Ok(turns);
            }
        }
        Ok(None)
    }
}
