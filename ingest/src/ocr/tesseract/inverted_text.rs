//! Inverts white-on-black headings before OCR. Otherwise Tesseract would read every doubtful line
//! twice to find them.

use image::GrayImage;
use std::ops::Range;

/// A band begins at a row with a black run of this length, in millimetres. No letter is so wide.
const MIN_BLACK_RUN: f64 = 8.0;
/// A band continues while this fraction of each row is black. Bold capitals leave a third of a row
/// black.
const MIN_BLACK: f64 = 0.25;
/// The first and the last row of a band are black to at least this fraction. Rows beyond these two
/// belong to a skewed edge.
const MIN_EDGE_BLACK: f64 = 0.5;
/// The smallest height of a band, in millimetres. A lower black area is a rule.
const MIN_HEIGHT: f64 = 2.5;
/// How far the grey edge of a band extends, in millimetres.
const GREY_EDGE: f64 = 0.6;

/// Inverts the white-on-black bands of an image with `per_mm` pixels per millimetre.
pub(super) fn invert(image: &mut GrayImage, per_mm: f64) {
    let width = image.width() as usize;
    if width == 0 {
        return;
    }
    let pixels = |millimetres: f64| ((millimetres * per_mm) as usize).max(1);
    let (long, lowest, edge) = (pixels(MIN_BLACK_RUN), pixels(MIN_HEIGHT), pixels(GREY_EDGE));
    let mut rows: Vec<&mut [u8]> = image.chunks_exact_mut(width).collect();
    let mut top = 0;
    while top + lowest <= rows.len() {
        if longest_run(rows[top]).len() < long {
            top += 1;
            continue;
        }
        // The first rows of a skewed band cover only part of its width.
        let runs = rows[top..top + lowest].iter().map(|row| longest_run(row)).filter(|run| run.len() >= long);
        let Some(band) = runs.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)) else { return };
        let is_dark = |row: &[u8], part: f64| {
            let dark = row[band.clone()].iter().filter(|pixel| is_black(**pixel)).count();
            dark as f64 >= part * band.len() as f64
        };
        let start =
            top + rows[top..top + lowest].iter().take_while(|row| !is_dark(row, MIN_EDGE_BLACK)).count();
        let foot = start + rows[start..].iter().take_while(|row| is_dark(row, MIN_BLACK)).count();
        let slant = rows[start..foot].iter().rev().take_while(|row| !is_dark(row, MIN_EDGE_BLACK)).count();
        let end = foot - slant;
        if end - start < lowest {
            top = foot.max(top + 1);
            continue;
        }
        let (left, right) =
            (band.start.saturating_sub(edge)..band.start, band.end..(band.end + edge).min(width));
        for row in &mut rows[start..end] {
            row[band.clone()].iter_mut().for_each(|pixel| *pixel = 255 - *pixel);
            row[left.clone()].fill(255);
            row[right.clone()].fill(255);
        }
        let (above, below) = (top.saturating_sub(edge)..start, end..(foot + edge).min(rows.len()));
        for row in above.chain(below) {
            rows[row][left.start..right.end].fill(255);
        }
        top = foot + edge;
    }
}

/// The longest black run of a row.
fn longest_run(row: &[u8]) -> Range<usize> {
    let mut start = 0;
    let runs = row.chunk_by(|a, b| is_black(*a) == is_black(*b)).filter_map(|run| {
        let left = start;
        start += run.len();
        is_black(run[0]).then_some(left..start)
    });
    runs.max_by_key(Range::len).unwrap_or(0..0)
}

/// Whether a pixel is ink.
pub(super) fn is_black(pixel: u8) -> bool {
    pixel < 128
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// A sheet with four pixels per millimetre: a rule above a black band, and black letters below
    /// the band. The band leans by two pixels and has a white bar as a letter.
    fn sheet() -> GrayImage {
        GrayImage::from_fn(100, 60, |x, y| {
            let rule = (4..7).contains(&y) && (5..95).contains(&x);
            let letter = (20..30).contains(&y) && (40..46).contains(&x);
            let text = (45..52).contains(&y) && x % 8 < 3;
            Luma([if (rule || is_in_band(x, y) && !letter) || text { 10 } else { 250 }])
        })
    }

    fn is_in_band(x: u32, y: u32) -> bool {
        (15 + x / 30..35 + x / 30).contains(&y) && (10..90).contains(&x)
    }

    #[test]
    fn a_skewed_band_is_inverted_and_nothing_else() {
        let before = sheet();
        let mut after = before.clone();
        invert(&mut after, 4.0);
        for (x, y, pixel) in before.enumerate_pixels() {
            let is_near_its_edge = !is_in_band(x, y) && (13..40).contains(&y);
            let wanted = if is_in_band(x, y) { 255 - pixel[0] } else { pixel[0] };
            if !is_near_its_edge && (18..35).contains(&y) || !(13..40).contains(&y) {
                assert_eq!(after.get_pixel(x, y)[0], wanted, "{x} {y}");
            }
        }
        let dark = |y: u32| (0..100).filter(|x| is_black(after.get_pixel(*x, y)[0])).count();
        assert!((13..40).all(|y| dark(y) <= 30), "only a corner keeps its black edge");
    }

    #[test]
    fn an_image_of_any_size_is_accepted() {
        for (width, height) in [(0, 0), (1, 1), (3, 900), (900, 3), (50, 50)] {
            for ink in [0, 255] {
                invert(&mut GrayImage::from_pixel(width, height, Luma([ink])), 11.8);
            }
        }
    }
}
