//! A decoded page.

use super::placement::Placement;
use crate::base::Word;
use image::{GrayImage, imageops};

/// A decoded page.
#[derive(Debug, Clone)]
pub struct Page {
    /// The number of the page in the file, from 1.
    pub number: u32,
    /// The image of the page, neither deskewed nor flattened. For a photograph of a sheet, it is
    /// the rectified sheet.
    pub image: GrayImage,
    /// The resolution in dpi. A PDF is rendered at [`super::PDF_DPI`]. For other files, it is the
    /// resolution that the file states if that is plausible for paper, otherwise an estimate.
    pub dpi: f64,
    /// The text layer of a born-digital page, if it has one.
    pub layer: Option<Vec<Word>>,
    /// The SHA-256 of the digest of the file and the page number, in hexadecimal.
    pub hash: String,
    /// How the image in the file was transformed into [`Page::image`].
    pub placement: Placement,
}

impl Page {
    /// A page with only an image.
    #[cfg(test)]
    pub(crate) fn of(image: GrayImage, dpi: f64) -> Self {
        Self { number: 1, image, dpi, layer: None, hash: String::new(), placement: Placement::default() }
    }

    /// The page rotated clockwise by quarter turns. The text layer is dropped: its lines run in
    /// another direction.
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
