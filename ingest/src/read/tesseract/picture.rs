//! What tesseract is given: clips with more contrast and a white margin, as one file, and the way back from their pixels to the page.

use crate::{layout::Clip, page::Page};
use image::{GrayImage, Luma};
use index::tender::PageBox;
use std::io::Cursor;
use tiff::{
    TiffResult,
    encoder::{TiffEncoder, colortype::Gray8},
};

/// White put around the clip, in pixels: letters at the very edge are missed.
const MARGIN: u32 = 12;

/// A clip as tesseract is given it.
pub(super) struct Picture<'a> {
    clip: &'a Clip,
    /// The clip's size in pixels, without the margin.
    size: (u32, u32),
    /// Pixels an inch.
    pub(super) dpi: u32,
    image: GrayImage,
}

impl<'a> Picture<'a> {
    pub(super) fn new(page: &Page, clip: &'a Clip) -> Self {
        let mut image = clip.image(page);
        stretch(&mut image);
        let size = image.dimensions();
        let mut framed = GrayImage::from_pixel(size.0 + 2 * MARGIN, size.1 + 2 * MARGIN, Luma([255]));
        image::imageops::replace(&mut framed, &image, i64::from(MARGIN), i64::from(MARGIN));
        Self { clip, size, dpi: page.dpi.clamp(70.0, 1200.0).round() as u32, image: framed }
    }

    /// The part of the page under a box of the picture.
    pub(super) fn area(&self, [left, top, width, height]: [f64; 4]) -> PageBox {
        let (columns, rows, margin) = (f64::from(self.size.0), f64::from(self.size.1), f64::from(MARGIN));
        self.clip.on_page([(left - margin) / columns, (top - margin) / rows, width / columns, height / rows])
    }
}

/// These pictures as the pages of one file.
pub(super) fn tiff(pictures: &[&Picture<'_>]) -> TiffResult<Vec<u8>> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes)?;
    for Picture { image, .. } in pictures {
        encoder.write_image::<Gray8>(image.width(), image.height(), image.as_raw())?;
    }
    Ok(bytes.into_inner())
}

/// Stretches the brightness so that ink is black and paper is white.
fn stretch(image: &mut GrayImage) {
    let mut counts = [0_usize; 256];
    image.as_raw().iter().for_each(|pixel| counts[usize::from(*pixel)] += 1);
    let total: usize = counts.iter().sum();
    let at = |part: f64| {
        let mut seen = 0;
        let wanted = (total as f64 * part) as usize;
        counts
            .iter()
            .position(|count| {
                seen += count;
                seen > wanted
            })
            .unwrap_or(255) as f64
    };
    let (black, white) = (at(0.02), at(0.60));
    if white - black < 32.0 {
        return;
    }
    for pixel in image.iter_mut() {
        *pixel = ((f64::from(*pixel) - black) * 255.0 / (white - black)).clamp(0.0, 255.0) as u8;
    }
}
