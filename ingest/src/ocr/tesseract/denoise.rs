//! Worn print made legible: grain, uneven light and what shines through from the back are taken out of a picture as far as they are there. A clean
//! scan gets more contrast and nothing else. Recognition takes grain for strokes, and reads it as slowly as letters.

use crate::layout;
use image::GrayImage;

/// The part of the pixels that are no brighter than ink, and than paper.
const INK: f64 = 0.02;
/// See [`INK`].
const PAPER: f64 = 0.60;
/// Ink and paper that differ by less than this are a blank.
const LEAST_CONTRAST: f64 = 32.0;
/// Grain is the difference between pixels so far apart, in millimetres: farther than a lens or a JPEG blurs.
const APART: f64 = 0.25;
/// Grain of less than this part of the contrast is a good scan's.
const FAINT: f64 = 0.035;
/// Grain from this part of the contrast is a bad copy's: it is smoothed.
const COARSE: f64 = 0.07;
/// So much grain below the paper is white.
const WHITE: f64 = 2.0;
/// The standard deviation of the smoothing, in millimetres: a third of a thin stroke.
const SMOOTH: f64 = 0.085;
/// The paper's brightness is taken over squares of this many millimetres.
const TILE: f64 = 5.0;

/// Cleans a picture of so many pixels a millimetre. Answers whether it was worn: what is read from it then looks sure, and may still be a letter off.
pub(super) fn clean(image: &mut GrayImage, per_mm: f64) -> bool {
    let Some(mut levels) = Levels::of(image) else { return false };
    let grain = grain(image, levels, ((APART * per_mm).round() as usize).max(1));
    if grain >= COARSE {
        smooth(image, ((2.0 * (SMOOTH * per_mm).powi(2)).round() as u32).clamp(1, 8));
        layout::flatten(image, ((TILE * per_mm) as u32).max(4));
        let Some(smoothed) = Levels::of(image) else { return true };
        levels = smoothed;
    }
    if grain >= FAINT {
        levels.white -= WHITE * grain * levels.contrast();
    }
    levels.stretch(image);
    grain >= COARSE
}

/// The brightness of ink and of paper.
#[derive(Debug, Clone, Copy)]
struct Levels {
    black: f64,
    white: f64,
}

impl Levels {
    fn of(image: &GrayImage) -> Option<Self> {
        let mut counts = [0_usize; 256];
        image.as_raw().iter().for_each(|pixel| counts[usize::from(*pixel)] += 1);
        let levels = Self { black: reached(&counts, INK), white: reached(&counts, PAPER) };
        (levels.contrast() >= LEAST_CONTRAST).then_some(levels)
    }

    fn contrast(self) -> f64 {
        self.white - self.black
    }

    /// Makes ink black and paper white.
    fn stretch(self, image: &mut GrayImage) {
        let stretched: [u8; 256] = std::array::from_fn(|pixel| {
            ((pixel as f64 - self.black) * 255.0 / self.contrast()).clamp(0.0, 255.0) as u8
        });
        image.iter_mut().for_each(|pixel| *pixel = stretched[usize::from(*pixel)]);
    }
}

/// The first value by which more than this part of all is counted.
fn reached(counts: &[usize; 256], part: f64) -> f64 {
    let wanted = (counts.iter().sum::<usize>() as f64 * part) as usize;
    let mut seen = 0;
    let is_reached = |count: &usize| {
        seen += count;
        seen > wanted
    };
    counts.iter().position(is_reached).unwrap_or(255) as f64
}

/// How much the paper differs from pixel to pixel, in the middle of all cases, as a part of the contrast. Every fourth row is enough.
fn grain(image: &GrayImage, levels: Levels, apart: usize) -> f64 {
    let is_paper = |pixel: u8| f64::from(pixel) > f64::midpoint(levels.black, levels.white);
    let mut counts = [0_usize; 256];
    for row in image.as_raw().chunks(image.width().max(1) as usize).step_by(4) {
        for (a, b) in row.iter().zip(row.iter().skip(apart)) {
            if is_paper(*a) && is_paper(*b) {
                counts[usize::from(a.abs_diff(*b))] += 1;
            }
        }
    }
    if counts.iter().all(|count| *count == 0) {
        return 0.0;
    }
    reached(&counts, 0.5) / levels.contrast()
}

/// Smooths by weights of 1, 2 and 1 across and down, so many times; each time adds half a pixel to the variance.
fn smooth(image: &mut GrayImage, times: u32) {
    let width = image.width() as usize;
    let mix = |before: u8, here: u8, after: u8| {
        ((u16::from(before) + 2 * u16::from(here) + u16::from(after) + 2) / 4) as u8
    };
    for _ in 0..times {
        for row in image.chunks_exact_mut(width.max(1)) {
            let mut before = row.first().copied().unwrap_or_default();
            for x in 0..row.len() {
                let here = row[x];
                row[x] = mix(before, here, row.get(x + 1).copied().unwrap_or(here));
                before = here;
            }
        }
        let mut above = image.as_raw()[..width.min(image.as_raw().len())].to_vec();
        for y in 0..image.height() as usize {
            let (upper, lower) = image.split_at_mut((y + 1) * width);
            let row = &mut upper[y * width..];
            let below = lower.get(..width);
            for x in 0..width {
                let here = row[x];
                row[x] = mix(above[x], here, below.map_or(here, |below| below[x]));
                above[x] = here;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// Pixels a millimetre at 300 dpi.
    const PER_MM: f64 = 11.81;

    /// Lines of strokes on paper, with grain of about this deviation that is the same each time.
    fn print(grain: f64) -> GrayImage {
        let mut state = 7_u32;
        GrayImage::from_fn(600, 300, |x, y| {
            let noise: f64 = (0..12)
                .map(|_| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    f64::from(state >> 16) / 65536.0
                })
                .sum();
            let level = if is_ink(x, y) { 78.0 } else { 205.0 };
            Luma([(level + grain * (noise - 6.0)).clamp(0.0, 255.0) as u8])
        })
    }

    fn is_ink(x: u32, y: u32) -> bool {
        y % 40 < 22 && x % 24 < 5
    }

    fn mean(image: &GrayImage, test: impl Fn(u8) -> bool, ink: bool) -> f64 {
        let pixels = image.enumerate_pixels().filter(|(x, y, _)| {
            // The edges of strokes may be anything.
            is_ink(*x, *y) == ink
                && [(2, 0), (0, 2)].iter().all(|(dx, dy)| {
                    is_ink(x.saturating_sub(*dx), y.saturating_sub(*dy)) == ink
                        && is_ink(x + dx, y + dy) == ink
                })
        });
        let (hits, all) =
            pixels.fold((0, 0), |(hits, all), (_, _, pixel)| (hits + u32::from(test(pixel[0])), all + 1));
        f64::from(hits) / f64::from(all)
    }

    #[test]
    fn grain_is_measured_against_the_contrast() {
        for (deviation, least, most) in
            [(0.0, 0.0, 0.01), (4.0, 0.02, 0.035), (8.0, 0.04, 0.07), (16.0, 0.08, 0.14)]
        {
            let image = print(deviation);
            let found = grain(&image, Levels::of(&image).unwrap(), 3);
            assert!((least..=most).contains(&found), "{deviation}: {found}");
        }
    }

    #[test]
    fn a_worn_print_has_white_paper_and_black_strokes_afterwards() {
        let mut image = print(16.0);
        assert!(clean(&mut image, PER_MM));
        assert!(mean(&image, |pixel| pixel == 255, false) > 0.97);
        assert!(mean(&image, |pixel| pixel < 64, true) > 0.97);
    }

    #[test]
    fn a_good_scan_is_only_stretched() {
        let mut image = print(3.0);
        let mut stretched = image.clone();
        assert!(!clean(&mut image, PER_MM));
        Levels::of(&stretched).unwrap().stretch(&mut stretched);
        assert_eq!(image, stretched);
    }

    #[test]
    fn smoothing_keeps_the_brightness_and_spreads_a_point_evenly() {
        let mut image = GrayImage::from_pixel(9, 9, Luma([0]));
        image.put_pixel(4, 4, Luma([160]));
        smooth(&mut image, 1);
        let at = |x: u32, y: u32| image.get_pixel(x, y)[0];
        assert_eq!((at(4, 4), at(3, 4), at(4, 5), at(3, 3), at(6, 4)), (40, 20, 20, 10, 0));
        let mut even = GrayImage::from_pixel(5, 3, Luma([77]));
        smooth(&mut even, 8);
        assert_eq!(even, GrayImage::from_pixel(5, 3, Luma([77])));
    }

    #[test]
    fn a_picture_of_any_size_goes_through() {
        for (width, height) in [(0, 0), (0, 5), (1, 1), (3, 90), (90, 3)] {
            let mut blank = GrayImage::from_pixel(width, height, Luma([9]));
            clean(&mut blank, PER_MM);
            smooth(&mut blank, 2);
            let mut noisy = GrayImage::from_fn(width, height, |x, y| Luma([(x * 97 + y * 61) as u8]));
            clean(&mut noisy, PER_MM);
        }
    }
}
