//! Raster pages: JPEG, PNG and TIFF. The size is checked in the header before anything is decoded.
//! A truncated JPEG is detected by its markers, because decoders silently fill the missing part
//! with grey.

use super::{
    error::PageFault,
    limits::{MAX_PAGES, MAX_PIXELS},
    photograph,
    placement::Placement,
};
use image::metadata::Orientation;
use image::{DynamicImage, GrayImage, ImageDecoder, ImageFormat, ImageReader, Limits};
use std::io::Cursor;
use std::panic;

/// The page widths, in inches, for which a stated resolution is plausible.
const PAPER_WIDTH: std::ops::RangeInclusive<f64> = 4.0..=30.0;
/// The most scans of a progressive JPEG. Encoders write about ten. Each scan, even a small one,
/// needs a pass over all pixels.
const MAX_SCANS: usize = 64;
/// The assumed page width in inches if no resolution is stated: between a tabloid and a
/// broadsheet.
const USUAL_WIDTH: f64 = 12.5;

/// Counts the pages. Refuses an invalid header, a first page that is too large, and a JPEG that is
/// truncated or has too many scans.
pub(super) fn count_pages(bytes: &[u8], format: ImageFormat) -> Result<u32, PageFault> {
    if format == ImageFormat::Jpeg {
        match jpeg_scans(bytes) {
            None => return Err(PageFault::Truncated),
            Some(scans) if scans > MAX_SCANS => {
                return Err(PageFault::Unreadable(format!("its image has {scans} scans")));
            }
            Some(_) => {}
        }
    }
    let pages = match format {
        ImageFormat::Tiff => tiff_directories(bytes)?.len(),
        _ => 1,
    };
    decoder(bytes, format)?;
    u32::try_from(pages).map_err(|_| PageFault::TooManyPages(pages as u64))
}

/// Decodes a page: the image, its resolution in dpi and its placement.
pub(super) fn decode(
    bytes: &[u8],
    format: ImageFormat,
    number: u32,
) -> Result<(GrayImage, f64, Placement), PageFault> {
    let patched;
    let bytes = if format == ImageFormat::Tiff && number > 1 {
        patched = tiff_from_directory(bytes, number)?;
        &patched
    } else {
        bytes
    };
    // Decoders process hostile input here. A panic must affect this page only.
    let decoded = panic::catch_unwind(|| {
        let mut decoder = decoder(bytes, format)?;
        // The EXIF orientation. An unreadable tag is not a reason to refuse the page.
        let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
        let mut image = DynamicImage::from_decoder(decoder).map_err(fault)?;
        image.apply_orientation(orientation);
        Ok(match image {
            DynamicImage::ImageLuma8(image) => image,
            image if image.color().has_alpha() => on_white(&image),
            image => image.into_luma8(),
        })
    });
    let image = decoded.unwrap_or_else(|_| Err(PageFault::Unreadable("its decoder crashed".to_owned())))?;
    // The resolution that a camera states is unrelated to the paper.
    if let Some((sheet, view)) = photograph::rectify_sheet(&image) {
        let dpi = usual_dpi(&sheet);
        return Ok((sheet, dpi, Placement::of_sheet(view)));
    }
    let width = f64::from(image.width());
    let stated = stated_dpi(bytes, format).filter(|dpi| PAPER_WIDTH.contains(&(width / dpi)));
    let dpi = stated.unwrap_or_else(|| usual_dpi(&image));
    Ok((image, dpi, Placement::default()))
}

/// The resolution at which an image has the usual page width, but at least 72 dpi.
fn usual_dpi(image: &GrayImage) -> f64 {
    (f64::from(image.width()) / USUAL_WIDTH).max(72.0)
}

/// A decoder for an image with a valid header and an acceptable size.
fn decoder(bytes: &[u8], format: ImageFormat) -> Result<impl ImageDecoder + '_, PageFault> {
    let mut decoder = ImageReader::with_format(Cursor::new(bytes), format).into_decoder().map_err(fault)?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > MAX_PIXELS {
        return Err(PageFault::TooLarge { width: u64::from(width), height: u64::from(height) });
    }
    if pixels == 0 {
        return Err(PageFault::Unreadable("it has no pixels".to_owned()));
    }
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MAX_PIXELS * 8);
    decoder.set_limits(limits).map_err(fault)?;
    Ok(decoder)
}

/// Composites a transparent page on white, in grey.
fn on_white(image: &DynamicImage) -> GrayImage {
    let image = image.to_luma_alpha8();
    GrayImage::from_fn(image.width(), image.height(), |x, y| {
        let [ink, alpha] = image.get_pixel(x, y).0.map(u32::from);
        image::Luma([((ink * alpha + 255 * (255 - alpha)) / 255) as u8])
    })
}

fn fault(error: image::ImageError) -> PageFault {
    match &error {
        image::ImageError::IoError(io) if io.kind() == std::io::ErrorKind::UnexpectedEof => {
            PageFault::Truncated
        }
        _ => PageFault::Unreadable(error.to_string()),
    }
}

/// The number of scans of a JPEG; `None` if its markers do not lead to the end-of-image marker.
fn jpeg_scans(bytes: &[u8]) -> Option<usize> {
    let (mut at, mut scans) = (2, 0);
    loop {
        // Between segments, find the next marker. Within a scan, FF is data if 00 or a restart
        // marker follows.
        let marker = loop {
            match bytes.get(at..at + 2) {
                Some([0xFF, 0x00 | 0x01 | 0xD0..=0xD7]) => at += 2,
                Some([0xFF, 0xFF]) => at += 1,
                Some(&[0xFF, marker]) => break marker,
                Some(_) => at += 1,
                None => return None,
            }
        };
        match (marker, bytes.get(at + 2..at + 4)) {
            (0xD9, _) => return Some(scans),
            (_, Some(&[high, low])) => at += 2 + usize::from(u16::from_be_bytes([high, low])).max(2),
            (_, _) => return None,
        }
        scans += usize::from(marker == 0xDA);
    }
}

/// The resolution stated in the file, in dpi.
fn stated_dpi(bytes: &[u8], format: ImageFormat) -> Option<f64> {
    let number = |at: usize| Some(f64::from(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?)));
    match format {
        // JFIF: FFD8 FFE0 length "JFIF\0" version unit density.
        ImageFormat::Jpeg if bytes.get(6..11) == Some(b"JFIF\0") => {
            let density = f64::from(u16::from_be_bytes(bytes.get(14..16)?.try_into().ok()?));
            match bytes.get(13)? {
                1 => Some(density),
                2 => Some(density * 2.54),
                _ => None,
            }
        }
        // PNG: the pHYs chunk holds pixels per metre. It precedes the image data.
        ImageFormat::Png => {
            let head = bytes.get(..4096).unwrap_or(bytes);
            let chunk = head.windows(4).position(|name| name == b"pHYs")?;
            (bytes.get(chunk + 12) == Some(&1)).then(|| number(chunk + 4).map(|metre| metre * 0.0254))?
        }
        ImageFormat::Tiff => tiff_dpi(bytes),
        _ => None,
    }
}

/// Reads numbers of a TIFF in its byte order.
struct Tiff<'a> {
    bytes: &'a [u8],
    /// Whether the byte order is little-endian.
    little: bool,
    /// Whether the file is a BigTIFF.
    big: bool,
}

impl<'a> Tiff<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let little = bytes.first() == Some(&b'I');
        let version = bytes.get(if little { 2 } else { 3 });
        Self { bytes, little, big: version == Some(&43) }
    }

    /// The unsigned integer of `size` bytes at an offset.
    fn number(&self, at: u64, size: usize) -> Option<u64> {
        let at = usize::try_from(at).ok()?;
        let bytes = self.bytes.get(at..at.checked_add(size)?)?;
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        Some(if self.little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) })
    }

    /// The position and the size of the offset of the first directory.
    fn first(&self) -> (u64, usize) {
        if self.big { (8, 8) } else { (4, 4) }
    }

    /// The number of entries of a directory, where they start, and the size of each.
    fn entries(&self, directory: u64) -> Option<(u64, u64, u64)> {
        let (count_size, entry) = if self.big { (8, 20) } else { (2, 12) };
        let entries = self.number(directory, count_size)?;
        (entries <= 4096).then_some((entries, directory.checked_add(count_size as u64)?, entry))
    }
}

/// The offsets of the image file directories, one per page.
fn tiff_directories(bytes: &[u8]) -> Result<Vec<u64>, PageFault> {
    let tiff = Tiff::new(bytes);
    let (mut at, size) = tiff.first();
    let mut directories = Vec::new();
    loop {
        let directory = tiff.number(at, size).ok_or(PageFault::Truncated)?;
        if directory == 0 {
            break;
        }
        if directories.len() as u64 >= u64::from(MAX_PAGES) || directories.contains(&directory) {
            return Err(PageFault::TooManyPages(directories.len() as u64 + 1));
        }
        directories.push(directory);
        let (entries, start, length) = tiff.entries(directory).ok_or(PageFault::Truncated)?;
        at = start.checked_add(entries * length).ok_or(PageFault::Truncated)?;
    }
    if directories.is_empty() {
        Err(PageFault::Unreadable("it has no pages".to_owned()))
    } else {
        Ok(directories)
    }
}

/// A copy of the TIFF whose header points to a later page, for a decoder that reads only the first
/// one.
fn tiff_from_directory(bytes: &[u8], number: u32) -> Result<Vec<u8>, PageFault> {
    let tiff = Tiff::new(bytes);
    let directories = tiff_directories(bytes)?;
    let directory = *directories.get(number as usize - 1).ok_or(PageFault::Truncated)?;
    let (at, size) = tiff.first();
    let mut offset = directory.to_le_bytes()[..size].to_vec();
    if !tiff.little {
        offset.reverse();
    }
    let mut patched = bytes.to_vec();
    patched[at as usize..at as usize + size].copy_from_slice(&offset);
    Ok(patched)
}

/// The horizontal resolution in dpi, from the first directory. Tag 282 is the resolution as a
/// fraction. Tag 296 is its unit: 2 for inch, 3 for centimetre.
fn tiff_dpi(bytes: &[u8]) -> Option<f64> {
    let tiff = Tiff::new(bytes);
    let (at, size) = tiff.first();
    let (entries, start, length) = tiff.entries(tiff.number(at, size)?)?;
    let (mut resolution, mut unit) = (None, 2);
    for entry in (0..entries).map(|entry| start + entry * length) {
        let value = entry + if tiff.big { 12 } else { 8 };
        match tiff.number(entry, 2)? {
            282 => {
                let fraction = if tiff.big { value } else { tiff.number(value, 4)? };
                let [over, under] = [tiff.number(fraction, 4)?, tiff.number(fraction.checked_add(4)?, 4)?];
                resolution = (under > 0).then(|| over as f64 / under as f64);
            }
            296 => unit = tiff.number(value, 2)?,
            _ => {}
        }
    }
    match unit {
        2 => resolution,
        3 => resolution.map(|centimetre| centimetre * 2.54),
        _ => None,
    }
}
