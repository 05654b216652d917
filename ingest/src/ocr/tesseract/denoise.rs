//! Denoises worn print: removes grain, uneven illumination and show-through. A clean scan only
//! gets more contrast. OCR takes grain for strokes and becomes slow.

use crate::layout;
use image::GrayImage;

/// The percentile that gives the brightness of ink.
const INK_PERCENTILE: f64 = 0.02;
/// The percentile that gives the brightness of paper.
const PAPER_PERCENTILE: f64 = 0.60;
/// The smallest contrast, in grey levels. An image with less contrast counts as blank.
const MIN_CONTRAST: f64 = 32.0;
/// Grain is measured between pixels this far apart, in millimetres. The blur of a lens or of JPEG
/// does not reach so far.
const GRAIN_DISTANCE: f64 = 0.25;
/// Less grain, as a fraction of the contrast, is normal for a good scan.
const FAINT_GRAIN: f64 = 0.035;
/// With at least this grain, as a fraction of the contrast, the print is worn and is smoothed.
const COARSE_GRAIN: f64 = 0.07;
/// The white level is lowered by this multiple of the grain, unless the grain is faint.
const WHITE_SHIFT: f64 = 2.0;
/// The sigma of the smoothing in millimetres: a third of a thin stroke.
const SMOOTHING_SIGMA: f64 = 0.085;
/// The size of the tiles in which the paper brightness is measured, in millimetres.
const TILE_SIZE: f64 = 5.0;

/// Denoises an image with `per_mm` pixels per millimetre. Returns whether the print was worn: OCR
/// then reports high confidence although letters may be wrong.
pub(super) fn clean(image: &mut GrayImage, per_mm: f64) -> bool {
    let Some(mut levels) = GreyLevels::of(image) else { return false };
    let grain = measure_grain(image, levels, ((GRAIN_DISTANCE * per_mm).round() as usize).max(1));
    if grain >= COARSE_GRAIN {
        smooth(image, ((2.0 * (SMOOTHING_SIGMA * per_mm).powi(2)).round() as u32).clamp(1, 8));
        layout::flatten_illumination(image, ((TILE_SIZE * per_mm) as u32).max(4));
        let Some(smoothed) = GreyLevels::of(image) else { return true };
        levels = smoothed;
    }
    if grain >= FAINT_GRAIN {
        levels.white -= WHITE_SHIFT * grain * levels.contrast();
    }
    levels.stretch(image);
    grain >= COARSE_GRAIN
}

/// The brightness of ink and of paper.
#[derive(Debug, Clone, Copy)]
struct GreyLevels {
    black: f64,
    white: f64,
}

impl GreyLevels {
    /// `None` if the image has too little contrast.
    fn of(image: &GrayImage) -> Option<Self> {
        let mut counts = [0_usize; 256];
        image.as_raw().iter().for_each(|pixel| counts[usize::from(*pixel)] += 1);
        let levels =
            Self { black: percentile(&counts, INK_PERCENTILE), white: percentile(&counts, PAPER_PERCENTILE) };
        (levels.contrast() >= MIN_CONTRAST).then_some(levels)
    }

    fn contrast(self) -> f64 {
        self.white - self.black
    }

    /// Stretches the contrast: ink becomes black and paper white.
    fn stretch(self, image: &mut GrayImage) {
        let stretched: [u8; 256] = std::array::from_fn(|pixel| {
            ((pixel as f64 - self.black) * 255.0 / self.contrast()).clamp(0.0, 255.0) as u8
        });
        image.iter_mut().for_each(|pixel| *pixel = stretched[usize::from(*pixel)]);
    }
}

/// The smallest value whose cumulative count exceeds the fraction `part` of the total.
fn percentile(counts: &[usize; 256], part: f64) -> f64 {
    let wanted = (counts.iter().sum::<usize>() as f64 * part) as usize;
    let mut seen = 0;
    let is_reached = |count: &usize| {
        seen += count;
        seen > wanted
    };
    counts.iter().position(is_reached).unwrap_or(255) as f64
}

/// The median brightness difference between paper pixels that are `apart` pixels apart in a row,
/// as a fraction of the contrast. Every fourth row is sampled.
fn measure_grain(image: &GrayImage, levels: GreyLevels, apart: usize) -> f64 {
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
    percentile(&counts, 0.5) / levels.contrast()
}

/// Applies a binomial filter (1, 2, 1) in both directions, `times` times. Each pass adds half a
/// square pixel to the variance of the blur.
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

    /// Pixels per millimetre at 300 dpi.
    const PER_MM: f64 = 11.81;

    /// Lines of strokes on paper with grain of this standard deviation. The grain is the same each
    /// time.
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

    /// The fraction of the ink or paper pixels that pass a test.
    fn share(image: &GrayImage, test: impl Fn(u8) -> bool, ink: bool) -> f64 {
        let pixels = image.enumerate_pixels().filter(|(x, y, _)| {
            // The edges of strokes are not compared.
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
            let found = measure_grain(&image, GreyLevels::of(&image).unwrap(), 3);
            assert!((least..=most).contains(&found), "{deviation}: {found}");
        }
    }

    #[test]
    fn a_worn_print_becomes_black_on_white() {
        let mut image = print(16.0);
        assert!(clean(&mut image, PER_MM));
        assert!(share(&image, |pixel| pixel == 255, false) > 0.97);
        assert!(share(&image, |pixel| pixel < 64, true) > 0.97);
    }

    #[test]
    fn a_good_scan_is_only_stretched() {
        let mut image = print(3.0);
        let mut stretched = image.clone();
        assert!(!clean(&mut image, PER_MM));
        GreyLevels::of(&stretched).unwrap().stretch(&mut stretched);
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
    fn an_image_of_any_size_is_accepted() {
        for (width, height) in [(0, 0), (0, 5), (1, 1), (3, 90), (90, 3)] {
            let mut blank = GrayImage::from_pixel(width, height, Luma([9]));
            clean(&mut blank, PER_MM);
            smooth(&mut blank, 2);
            let mut noisy = GrayImage::from_fn(width, height, |x, y| Luma([(x * 97 + y * 61) as u8]));
            clean(&mut noisy, PER_MM);
        }
    }
}
