//! Crops the printed text of a field from a clip for a mail. The crop is a grey JPEG of limited
//! size and never shows more than the clip.

use crate::{clients::clip_image, services::notifications::uncertain_fields::Place};
use bytes::Bytes;
use image::{
    DynamicImage, GrayImage, ImageReader, Limits, codecs::jpeg::JpegEncoder, imageops, imageops::FilterType,
};
use std::{
    collections::HashMap,
    io::{self, Cursor},
    rc::Rc,
};
use tender_model::tender::PageBox;

/// The maximum size of a crop in bytes.
pub(crate) const MAX_BYTES: usize = 12_000;
/// The maximum width of a crop in pixels.
const MAX_WIDTH: u32 = 560;
/// The maximum height of a crop in pixels, which limits titles of many lines.
const MAX_HEIGHT: u32 = 260;
/// The margin around the text, as a multiple of the line height.
const MARGIN: f64 = 0.8;
/// The maximum line height in pixels. A taller box of text covers several lines.
const MAX_LINE_HEIGHT: f64 = 24.0;
/// The maximum side of a clip in pixels. A larger clip is not decoded.
const MAX_CLIP_SIDE: u32 = 12_000;
/// The maximum memory in bytes for decoding a clip.
const MAX_DECODING_BYTES: u64 = 256 * 1024 * 1024;
/// The JPEG quality of a clip that is cut out of another.
const CUT_QUALITY: u8 = 70;
/// JPEG qualities, tried in this order until a crop is small enough.
const JPEG_QUALITIES: [u8; 4] = [70, 55, 40, 25];

/// Reads the clip with a hash.
type ReadClip = Box<dyn FnMut(&str) -> io::Result<Bytes>>;

/// The crops for the mails of a batch. Each place is cropped once. Only the last clip stays
/// decoded, because a decoded clip is about a thousand times larger than a crop. One is enough,
/// because all fields of a tender are on the same clip.
pub struct ClipPictures {
    read: ReadClip,
    /// The hash of the last clip, and its picture if it could be read.
    last: Option<(String, Option<GrayImage>)>,
    crops: HashMap<(String, [u64; 8]), Option<Crop>>,
}

/// A crop of a clip.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Crop {
    /// A JPEG of at most [`MAX_BYTES`].
    pub(crate) bytes: Rc<[u8]>,
    /// The width in pixels.
    pub(crate) width: u32,
    /// The height in pixels.
    pub(crate) height: u32,
}

impl ClipPictures {
    /// Creates an empty set of crops of clips. `read` reads the clip with a hash.
    #[must_use]
    pub fn new(read: impl FnMut(&str) -> io::Result<Bytes> + 'static) -> Self {
        Self { read: Box::new(read), last: None, crops: HashMap::new() }
    }

    /// The crop of the text at a place. `None`: the clip cannot be read, the place is not on the
    /// clip, or no crop is small enough.
    pub(crate) fn crop(&mut self, place: &Place<'_>) -> Option<Crop> {
        let hash = clip_image::hash_of(place.clip)?;
        let [a, b, c, d] = place.clip_area.map(f64::to_bits);
        let [e, f, g, h] = place.area.map(f64::to_bits);
        let of = (hash.to_owned(), [a, b, c, d, e, f, g, h]);
        if let Some(crop) = self.crops.get(&of) {
            return crop.clone();
        }
        if self.last.as_ref().is_none_or(|(last, _)| last != hash) {
            let decoded = (self.read)(hash).and_then(decode);
            if let Err(error) = &decoded {
                tracing::warn!(clip = hash, %error, "a clip cannot be shown in a mail");
            }
            self.last = Some((hash.to_owned(), decoded.ok()));
        }
        let picture = self.last.as_ref().and_then(|(_, picture)| picture.as_ref());
        let window = |picture: &GrayImage| crop_window(place.clip_area, place.area, picture.dimensions());
        let crop = picture.and_then(|picture| encode_crop(picture, window(picture)?));
        self.crops.insert(of, crop.clone());
        crop
    }
}

/// Cuts areas of the page out of a clip. Each becomes a grey JPEG with the resolution of the clip.
///
/// # Errors
/// If the clip cannot be decoded, or an area is not on the clip.
pub(crate) fn cut(clip: Bytes, clip_area: PageBox, areas: &[PageBox]) -> io::Result<Vec<Vec<u8>>> {
    let picture = decode(clip)?;
    let size = [f64::from(picture.width()), f64::from(picture.height())];
    let invalid = || io::Error::from(io::ErrorKind::InvalidInput);
    let cut_one = |area: &PageBox| {
        let pixel = |axis: usize, at: f64| {
            let share = (at - clip_area[axis]) / clip_area[axis + 2];
            (share * size[axis]).round().clamp(0.0, size[axis]) as u32
        };
        let [left, top] = [pixel(0, area[0]), pixel(1, area[1])];
        let [right, bottom] = [pixel(0, area[0] + area[2]), pixel(1, area[1] + area[3])];
        if right <= left || bottom <= top {
            return Err(invalid());
        }
        let part = imageops::crop_imm(&picture, left, top, right - left, bottom - top).to_image();
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, CUT_QUALITY)
            .encode_image(&part)
            .map_err(io::Error::other)?;
        Ok(bytes)
    };
    areas.iter().map(cut_one).collect()
}

fn decode(clip: Bytes) -> io::Result<GrayImage> {
    let mut reader = ImageReader::new(Cursor::new(clip)).with_guessed_format()?;
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_CLIP_SIDE);
    limits.max_image_height = Some(MAX_CLIP_SIDE);
    limits.max_alloc = Some(MAX_DECODING_BYTES);
    reader.limits(limits);
    reader.decode().map(DynamicImage::into_luma8).map_err(io::Error::other)
}

/// A part of a clip: left, top, width and height in pixels.
type Window = (u32, u32, u32, u32);

/// The window of a clip that shows a text with a margin, limited to the clip. `None`: a box is
/// invalid, or the text is not on the clip.
fn crop_window(clip: PageBox, words: PageBox, (width, height): (u32, u32)) -> Option<Window> {
    let is_sound = |area: PageBox| area.iter().all(|part| part.is_finite()) && area[2] > 0.0 && area[3] > 0.0;
    if !is_sound(clip) || !is_sound(words) {
        return None;
    }
    let scale = [f64::from(width) / clip[2], f64::from(height) / clip[3]];
    let mut bounds = [[0.0; 2]; 2];
    for axis in 0..2 {
        let from = (words[axis] - clip[axis]) * scale[axis];
        bounds[axis] = [from, from + words[axis + 2] * scale[axis]];
    }
    let size = [f64::from(width), f64::from(height)];
    if bounds.iter().zip(size).any(|([from, to], size)| *to <= 0.0 || *from >= size) {
        return None;
    }
    let margin = (bounds[1][1] - bounds[1][0]).min(MAX_LINE_HEIGHT) * MARGIN;
    for (axis, bounds) in bounds.iter_mut().enumerate() {
        bounds[0] -= margin;
        bounds[1] += margin;
        // A short text is hard to understand alone, so as much of its line as fits is shown.
        let missing =
            if axis == 0 { f64::from(MAX_WIDTH).min(size[0]) - (bounds[1] - bounds[0]) } else { 0.0 };
        if missing > 0.0 {
            bounds[0] -= missing / 2.0;
            bounds[1] += missing / 2.0;
        }
        // Space beyond one edge is added on the other side, and the result is cut at the clip's
        // edges.
        let shift = (-bounds[0]).max(0.0) - (bounds[1] - size[axis]).max(0.0);
        bounds[0] = (bounds[0] + shift).clamp(0.0, size[axis]);
        bounds[1] = (bounds[1] + shift).clamp(0.0, size[axis]);
    }
    // Rounding errors must not add a pixel.
    let plain = |side: f64| (side * 1000.0).round() / 1000.0;
    let [[left, right], [top, bottom]] =
        bounds.map(|[from, to]| [plain(from).floor() as u32, plain(to).ceil() as u32]);
    let (right, bottom) = (right.min(width), bottom.min(height));
    (right > left && bottom > top).then(|| (left, top, right - left, bottom - top))
}

fn encode_crop(picture: &GrayImage, (left, top, width, height): Window) -> Option<Crop> {
    let cut = imageops::crop_imm(picture, left, top, width, height).to_image();
    let mut scale =
        (f64::from(MAX_WIDTH) / f64::from(width)).min(f64::from(MAX_HEIGHT) / f64::from(height)).min(1.0);
    // Each round makes the crop smaller by a quarter. In the last one, it is less than a hundred
    // pixels wide.
    for _ in 0..8 {
        let size = [width, height].map(|side| ((f64::from(side) * scale) as u32).max(1));
        let small = if scale < 1.0 {
            imageops::resize(&cut, size[0], size[1], FilterType::Triangle)
        } else {
            cut.clone()
        };
        for quality in JPEG_QUALITIES {
            let mut bytes = Vec::new();
            small.write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, quality)).ok()?;
            if bytes.len() <= MAX_BYTES {
                let (width, height) = small.dimensions();
                return Some(Crop { bytes: bytes.into(), width, height });
            }
        }
        scale *= 0.75;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{ImageFormat, Luma};
    use proptest::prelude::*;

    const CLIP: PageBox = [0.2, 0.1, 0.25, 0.4];

    #[test]
    fn a_window_shows_the_text_and_its_line() {
        // 760 by 1,000 pixels. The text begins at 304, 500 and measures 152 by 20.
        let words = [0.3, 0.3, 0.05, 0.008];
        assert_eq!(crop_window(CLIP, words, (760, 1000)), Some((100, 484, 560, 52)));
        // At the clip's edge the window moves inwards.
        let words = [0.2, 0.1, 0.05, 0.008];
        assert_eq!(crop_window(CLIP, words, (760, 1000)), Some((0, 0, 560, 52)));
        // A narrow clip is shown in its whole width.
        assert_eq!(crop_window(CLIP, words, (300, 1000)), Some((0, 0, 300, 52)));
    }

    #[test]
    fn text_outside_the_clip_or_in_an_invalid_box_is_not_shown() {
        for words in [
            [0.6, 0.3, 0.05, 0.01],
            [0.3, 0.6, 0.05, 0.01],
            [0.0, 0.0, 0.1, 0.05],
            [f64::NAN, 0.3, 0.1, 0.1],
            [0.3, 0.3, 0.0, 0.1],
            [0.3, 0.3, -0.1, 0.1],
        ] {
            assert_eq!(crop_window(CLIP, words, (760, 1000)), None, "{words:?}");
        }
        assert_eq!(crop_window([0.0; 4], [0.1, 0.1, 0.1, 0.1], (760, 1000)), None);
    }

    #[test]
    fn a_crop_of_a_noisy_clip_does_not_exceed_the_maximum_size() {
        // Noise compresses worst as JPEG.
        let mut state = 7_u32;
        let noise = GrayImage::from_fn(760, 1000, |_, _| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Luma([(state >> 24) as u8])
        });
        let crop = encode_crop(&noise, (0, 0, 760, 1000)).unwrap();
        assert!(crop.bytes.len() <= MAX_BYTES, "{}", crop.bytes.len());
        let read = image::load_from_memory(&crop.bytes).unwrap();
        assert_eq!((read.width(), read.height()), (crop.width, crop.height));
    }

    #[test]
    fn an_unreadable_or_missing_clip_gives_no_crop() {
        let hash = "ab".repeat(32);
        let broken = hash.clone();
        let mut pictures = ClipPictures::new(move |hash| match hash == broken {
            true => Ok(Bytes::from_static(b"\xff\xd8\xff\xe0 no picture")),
            false => Err(io::ErrorKind::NotFound.into()),
        });
        let address = format!("/api/clips/{hash}");
        let place = |clip| Place { clip, clip_area: CLIP, area: [0.3, 0.3, 0.05, 0.01] };
        assert_eq!(pictures.crop(&place(&address)), None);
        assert_eq!(pictures.crop(&place("/api/clips/../../etc/passwd")), None);
        assert_eq!(pictures.crop(&place(&format!("/api/clips/{}", "cd".repeat(32)))), None);
    }

    #[test]
    fn crops_come_from_their_own_clip_in_any_order() {
        let [dark, light] = ["ab", "cd"].map(|name| name.repeat(32));
        let [dark_clip, light_clip] = [&dark, &light].map(|hash| format!("/api/clips/{hash}"));
        let mut pictures = ClipPictures::new(move |hash| {
            let grey = if hash == dark { 20 } else { 230 };
            let mut png = Cursor::new(Vec::new());
            GrayImage::from_pixel(760, 1000, Luma([grey])).write_to(&mut png, ImageFormat::Png).unwrap();
            Ok(png.into_inner().into())
        });
        for (clip, left, is_dark) in [
            (&dark_clip, 0.3, true),
            (&light_clip, 0.3, false),
            (&dark_clip, 0.35, true),
            (&light_clip, 0.3, false),
        ] {
            let area = [left, 0.3, 0.05, 0.008];
            let crop = pictures.crop(&Place { clip, clip_area: CLIP, area }).unwrap();
            let read = image::load_from_memory(&crop.bytes).unwrap().into_luma8();
            assert_eq!(read.get_pixel(5, 5)[0] < 128, is_dark);
        }
    }

    proptest! {
        #[test]
        fn a_window_stays_within_the_clip(
            clip in prop::array::uniform4(-2.0..2.0f64), words in prop::array::uniform4(-2.0..2.0f64),
            width in 1..2000u32, height in 1..2000u32,
        ) {
            if let Some((left, top, wide, high)) = crop_window(clip, words, (width, height)) {
                prop_assert!(left + wide <= width && top + high <= height && wide > 0 && high > 0);
            }
        }
    }
}
