//! [`Readers`]: chooses the reader of each clip.

use super::{OcrError, PageOrientation, ReadError, ReadOutcome, Reader, Tesseract, TextLayerReader};
use crate::layout::Clip;
use crate::page::Page;

/// Readers in the order in which they are tried. Each clip gets the text of the first reader that
/// has one.
pub struct Readers {
    readers: Vec<Box<dyn Reader>>,
}

impl Readers {
    /// Uses the text layer if it is reliable, otherwise Tesseract.
    ///
    /// # Errors
    /// If Tesseract or one of its languages is not installed.
    pub fn new() -> Result<Self, OcrError> {
        Tesseract::new().map(Self::with)
    }

    /// Uses the text layer if it is reliable, otherwise this Tesseract.
    #[must_use]
    pub fn with(tesseract: Tesseract) -> Self {
        Self::of(vec![Box::new(TextLayerReader), Box::new(tesseract)])
    }

    /// Uses these readers, tried in this order.
    #[must_use]
    pub fn of(readers: Vec<Box<dyn Reader>>) -> Self {
        Self { readers }
    }
}

impl Reader for Readers {
    fn read(
        &self,
        page: &Page,
        clips: &[&Clip],
        orientation: PageOrientation,
    ) -> Result<ReadOutcome, ReadError> {
        let mut texts = vec![None; clips.len()];
        for reader in &self.readers {
            let unread: Vec<usize> = (0..clips.len()).filter(|at| texts[*at].is_none()).collect();
            let left: Vec<&Clip> = unread.iter().map(|at| clips[*at]).collect();
            match reader.read(page, &left, orientation)? {
                ReadOutcome::Texts(read) => {
                    unread.into_iter().zip(read).for_each(|(at, text)| texts[at] = text)
                }
                turn @ ReadOutcome::Turn(_) => return Ok(turn),
            }
        }
        Ok(ReadOutcome::Texts(texts))
    }
}
