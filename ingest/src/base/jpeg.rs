//! A clip as a compact JPEG, for a reviewer or a model.

use image::{GrayImage, codecs::jpeg::JpegEncoder, imageops};

/// Limits of a grey JPEG: its width, its longer side (`sides`) and its number of pixels. Images are
/// never enlarged. `quality` is the JPEG quality, 1 to 100.
pub(crate) struct JpegLimits {
    pub(crate) width: u32,
    pub(crate) sides: u32,
    pub(crate) pixels: u32,
    pub(crate) quality: u8,
}

impl JpegLimits {
    /// The size of an image within these limits, at least one pixel each way.
    pub(crate) fn size(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let (columns, rows) = (f64::from(width.max(1)), f64::from(height.max(1)));
        let scale = (f64::from(self.width) / columns)
            .min(f64::from(self.sides) / columns.max(rows))
            .min((f64::from(self.pixels) / (columns * rows)).sqrt())
            .min(1.0);
        [columns, rows].map(|side| ((side * scale) as u32).max(1)).into()
    }

    /// Encodes an image within these limits.
    pub(crate) fn jpeg(&self, image: &GrayImage) -> Result<Vec<u8>, image::ImageError> {
        let (width, height) = self.size(image.dimensions());
        let mut bytes = Vec::new();
        let encoder = JpegEncoder::new_with_quality(&mut bytes, self.quality);
        if (width, height) == image.dimensions() {
            image.write_with_encoder(encoder)?;
        } else {
            imageops::resize(image, width, height, imageops::FilterType::Triangle)
                .write_with_encoder(encoder)?;
        }
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_is_shrunk_but_never_enlarged() {
        let bounds = JpegLimits { width: 760, sides: 2048, pixels: 1_000_000, quality: 50 };
        assert_eq!(bounds.size((500, 700)), (500, 700));
        assert_eq!(bounds.size((1520, 1000)), (760, 500));
        assert_eq!(bounds.size((100, 20_480)), (10, 2048));
        assert_eq!(bounds.size((760, 2000)), (616, 1622));
        assert_eq!(bounds.size((1, 100_000)), (1, 2048));
        let image = GrayImage::new(1520, 1000);
        let small = image::load_from_memory(&bounds.jpeg(&image).unwrap()).unwrap();
        assert_eq!((small.width(), small.height()), (760, 500));
    }
}
