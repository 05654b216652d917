//! Prepares the input for Tesseract: denoised clips or parts of them, black on white with a white
//! margin, as one file. Maps boxes back to the page.

use super::{denoise, inverted_text};
use crate::{layout::Clip, page::Page};
use image::{
    GrayImage, Luma,
    imageops::{self, FilterType},
};
use std::{io::Cursor, ops::Range};
use tender_model::tender::PageBox;
use tiff::{
    TiffResult,
    encoder::{TiffEncoder, colortype::Gray8},
};

/// The white margin in pixels. Tesseract misses letters at the very edge of an image.
const MARGIN: u32 = 12;
/// Millimetres per inch.
const MM_PER_INCH: f64 = 25.4;

/// A clip prepared for Tesseract.
pub(super) struct ClipImage<'a> {
    clip: &'a Clip,
    /// The resolution in dpi.
    pub(super) dpi: u32,
    image: GrayImage,
    /// Whether the print is worn.
    pub(super) is_worn: bool,
}

/// A range of rows of one of several images.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClipRows {
    /// The index of the image.
    pub(super) picture: usize,
    pub(super) rows: Range<u32>,
}

impl<'a> ClipImage<'a> {
    pub(super) fn new(page: &Page, clip: &'a Clip) -> Self {
        let dpi = page.dpi.clamp(70.0, 1200.0).round() as u32;
        let per_mm = f64::from(dpi) / MM_PER_INCH;
        let mut image = clip.image(page);
        let is_worn = denoise::clean(&mut image, per_mm);
        inverted_text::invert(&mut image, per_mm);
        Self { clip, dpi, image, is_worn }
    }

    /// A copy whose width and height are multiplied by `times`.
    pub(super) fn resized(&self, times: f64) -> Self {
        let [width, height] =
            [self.width(), self.height()].map(|side| (f64::from(side) * times).round().max(1.0) as u32);
        Self {
            clip: self.clip,
            dpi: (f64::from(self.dpi) * times).round() as u32,
            image: imageops::resize(&self.image, width, height, FilterType::CatmullRom),
            is_worn: self.is_worn,
        }
    }

    /// The image, black on white.
    pub(super) fn image(&self) -> &GrayImage {
        &self.image
    }

    /// Pixels per millimetre.
    pub(super) fn per_mm(&self) -> f64 {
        f64::from(self.dpi) / MM_PER_INCH
    }

    /// Converts millimetres to pixels.
    pub(super) fn pixels(&self, millimetres: f64) -> u32 {
        (millimetres * self.per_mm()).round() as u32
    }

    /// The height in pixels.
    pub(super) fn height(&self) -> u32 {
        self.image.height()
    }

    /// The width in pixels.
    pub(super) fn width(&self) -> u32 {
        self.image.width()
    }

    /// The number of ink pixels in each row.
    pub(super) fn ink_per_row(&self) -> Vec<u32> {
        let rows = self.image.as_raw().chunks(self.image.width().max(1) as usize);
        rows.map(|row| row.iter().filter(|pixel| inverted_text::is_black(**pixel)).count() as u32).collect()
    }

    /// Whether a printed frame encloses the clip.
    pub(super) fn is_framed(&self) -> bool {
        self.clip.framed
    }

    /// Maps a box `[left, top, width, height]` of a part with these rows and a margin to the whole
    /// image.
    pub(super) fn box_in_image(rows: &Range<u32>, [left, top, width, height]: [f64; 4]) -> [f64; 4] {
        let margin = f64::from(MARGIN);
        [left - margin, top - margin + f64::from(rows.start), width, height]
    }

    /// Maps a box of the image to the page.
    pub(super) fn area(&self, [left, top, width, height]: [f64; 4]) -> PageBox {
        let [columns, rows] = [self.width(), self.height()].map(f64::from);
        self.clip.on_page([left / columns, top / rows, width / columns, height / rows])
    }

    /// A range of rows with a white margin.
    fn with_margin(&self, rows: &Range<u32>) -> GrayImage {
        let (width, height) = (self.width(), self.height());
        let rows = rows.start.min(height)..rows.end.min(height);
        let size = (width + 2 * MARGIN, (rows.end.saturating_sub(rows.start)) + 2 * MARGIN);
        let mut framed = GrayImage::from_pixel(size.0, size.1, Luma([255]));
        let from =
            self.image.as_raw().chunks(width.max(1) as usize).skip(rows.start as usize).take(rows.len());
        let to = framed.chunks_mut(size.0 as usize).skip(MARGIN as usize);
        for (from, to) in from.zip(to) {
            to[MARGIN as usize..(MARGIN + width) as usize].copy_from_slice(from);
        }
        framed
    }
}

/// Encodes ranges of image rows as the pages of one TIFF, each with a white margin.
pub(super) fn tiff(pictures: &[ClipImage<'_>], parts: &[ClipRows]) -> TiffResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes)?;
    for part in parts {
        let image = pictures[part.picture].with_margin(&part.rows);
        encoder.write_image::<Gray8>(image.width(), image.height(), image.as_raw())?;
    }
    Ok(bytes.into_inner())
}
