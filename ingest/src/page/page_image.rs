//! A decoded page.

use super::placement::Placement;
use crate::base::Word;
use image::{GrayImage, imageops};

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
