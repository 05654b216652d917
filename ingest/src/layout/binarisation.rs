//! Prepares a page for layout analysis. A [`Sheet`] is a page at about 150 dpi or less, with a
//! flat background, deskewed and binarised. [`Sheet::corners`] maps its areas back to the page.

use super::illumination::flatten_illumination;
use super::mask::{Area, Mask};
use crate::page::Page;
use image::GrayImage;

/// The working resolution in dpi, at which hairline rules are still visible.
const WORKING_DPI: f64 = 150.0;
/// Millimetres per inch.
const MM_PER_INCH: f64 = 25.4;
/// The size of the tiles in which the paper brightness is measured, in millimetres.
const TILE_SIZE: f64 = 5.0;
/// The largest skew of a page that is searched for, in degrees.
const MAX_SKEW: f64 = 4.0;
/// The largest number of ink points from which a skew is estimated.
const MAX_POINTS: usize = 400_000;
/// The largest additional skew of an area of warped paper, in degrees.
const MAX_WARP: f64 = 1.2;
/// An area gets its own skew only if its lines rise or fall by at least this much, in millimetres.
const MIN_FALL: f64 = 0.4;
/// An area gets its own skew only if its row profile becomes sharper by more than this factor. A
/// picture, which has no rows, does not.
const MIN_SHARPNESS_GAIN: f64 = 1.05;

/// A page prepared for layout analysis.
pub(super) struct Sheet {
    /// The binarised page.
    pub(super) ink: Mask,
    /// Pixels per millimetre.
    pub(super) per_mm: f64,
    /// The skew of the page, in radians.
    skew: f64,
}

impl Sheet {
    pub(super) fn new(page: &Page) -> Self {
        let factor = (page.dpi / WORKING_DPI).round().max(1.0);
        let per_mm = page.dpi / factor / MM_PER_INCH;
        let mut gray = shrink(&page.image, factor as u32);
        let tile = ((TILE_SIZE * per_mm) as u32).max(4);
        flatten_illumination(&mut gray, tile);
        let skew = estimate_skew(&binarise(&gray));
        if skew.abs() > 2e-4 {
            gray = rotate(&gray, skew);
        }
        Self { ink: binarise(&gray), per_mm, skew }
    }

    /// Converts millimetres to pixels, at least one.
    pub(super) fn pixels(&self, millimetres: f64) -> usize {
        ((millimetres * self.per_mm).round() as usize).max(1)
    }

    /// The corners of an area as fractions of the page, before deskewing. On warped paper, they
    /// follow the area's own lines. A frame has no `margin`. Any other area whose lines slope
    /// keeps all its ink, with `margin` pixels above and below.
    pub(super) fn corners(&self, area: Area, margin: Option<usize>) -> [[f64; 2]; 4] {
        let [left, right] = [area.left, area.right].map(|edge| edge as f64);
        let LineSlope { top, bottom, fall } = self.line_slope(area, margin);
        let (width, height) = (self.ink.width as f64, self.ink.height as f64);
        let (sine, cosine) = self.skew.sin_cos();
        [[left, top], [right, top + fall], [right, bottom + fall], [left, bottom]].map(|[x, y]| {
            let (x, y) = (x - width / 2.0, y - height / 2.0);
            [(x * cosine - y * sine + width / 2.0) / width, (x * sine + y * cosine + height / 2.0) / height]
        })
    }

    /// Measures the slope of the lines of an area. A very small or very large slope counts as
    /// level. See [`Sheet::corners`] for `margin`.
    fn line_slope(&self, area: Area, margin: Option<usize>) -> LineSlope {
        let [top, bottom] = [area.top, area.bottom].map(|edge| edge as f64);
        let points = ink_points(&self.ink, area);
        let slope = sharpest_shear(&points, &[(MAX_WARP, 0.15), (0.15, 0.03)], MIN_SHARPNESS_GAIN).tan();
        let fall = slope * area.width() as f64;
        if fall.abs() < MIN_FALL * self.per_mm || fall.abs() * 4.0 > bottom - top {
            return LineSlope { top, bottom, fall: 0.0 };
        }
        let Some(margin) = margin else {
            return LineSlope { top: top + (-fall).max(0.0), bottom: bottom - fall.max(0.0), fall };
        };
        let heights = || points.iter().map(|(x, y)| f64::from(*y) - slope * f64::from(*x));
        let [highest, lowest] =
            [heights().fold(f64::MAX, f64::min), heights().fold(f64::MIN, f64::max)].map(|y| y + top);
        LineSlope { top: highest - margin as f64, bottom: lowest + margin as f64, fall }
    }
}

/// The top and bottom of the left side of an area with sloping lines, and how much lower its right
/// side is.
#[derive(Debug, Clone, Copy, PartialEq)]
struct LineSlope {
    top: f64,
    bottom: f64,
    fall: f64,
}

/// Downscales an image by `factor`. Each new pixel is the mean of a square of old pixels.
fn shrink(image: &GrayImage, factor: u32) -> GrayImage {
    if factor <= 1 {
        return image.clone();
    }
    let (width, height) = ((image.width() / factor).max(1), (image.height() / factor).max(1));
    let stride = image.width() as usize;
    let source = image.as_raw();
    let mut pixels = Vec::with_capacity((width * height) as usize);
    let mut sums = vec![0_u32; width as usize];
    let step = factor as usize;
    for y in 0..height as usize {
        sums.fill(0);
        let rows = (y * step..(y + 1) * step).filter(|row| *row < image.height() as usize);
        let mut count = 0;
        for row in rows {
            count += 1;
            let row = &source[row * stride..(row + 1) * stride];
            for (sum, square) in sums.iter_mut().zip(row.chunks(step)) {
                *sum += square.iter().map(|pixel| u32::from(*pixel)).sum::<u32>();
            }
        }
        let square = (count * factor.min(image.width())).max(1);
        pixels.extend(sums.iter().map(|sum| (sum / square).min(255) as u8));
    }
    GrayImage::from_raw(width, height, pixels).unwrap_or_else(|| GrayImage::new(1, 1))
}

/// Binarises with Otsu's threshold (N. Otsu, "A threshold selection method from gray-level
/// histograms", 1979).
fn binarise(image: &GrayImage) -> Mask {
    let mut counts = [0_u64; 256];
    image.as_raw().iter().for_each(|pixel| counts[usize::from(*pixel)] += 1);
    let total: u64 = counts.iter().sum();
    let sum: f64 = counts.iter().enumerate().map(|(value, count)| value as f64 * *count as f64).sum();
    let (mut dark, mut dark_sum, mut best, mut threshold) = (0_u64, 0.0, 0.0, 127);
    for (value, count) in counts.iter().enumerate() {
        dark += count;
        dark_sum += value as f64 * *count as f64;
        if dark == 0 || dark == total {
            continue;
        }
        let light = (total - dark) as f64;
        let apart = dark_sum / dark as f64 - (sum - dark_sum) / light;
        let spread = dark as f64 * light * apart * apart;
        if spread > best {
            (best, threshold) = (spread, value);
        }
    }
    // A blank sheet has only paper. The limits prevent its noise from becoming ink.
    let threshold = threshold.clamp(64, 208) as u8;
    let bits = image.as_raw().iter().map(|pixel| *pixel <= threshold).collect();
    Mask { width: image.width() as usize, height: image.height() as usize, bits }
}

/// Estimates the slope of the lines of a page, in radians; positive if they fall to the right.
fn estimate_skew(ink: &Mask) -> f64 {
    let all = Area { left: 0, top: 0, right: ink.width, bottom: ink.height };
    sharpest_shear(&ink_points(ink, all), &[(MAX_SKEW, 0.2), (0.2, 0.04), (0.04, 0.01)], 1.001)
}

/// The ink points of an area, relative to its upper left corner. Every second row and every third
/// column is sampled. If there are more than [`MAX_POINTS`] points, some are skipped evenly.
fn ink_points(ink: &Mask, area: Area) -> Vec<(f32, f32)> {
    let mut points: Vec<(f32, f32)> = (area.top..area.bottom)
        .step_by(2)
        .flat_map(|y| {
            let row = (area.left..area.right).step_by(3).filter(move |x| ink.get(*x, y));
            row.map(move |x| ((x - area.left) as f32, (y - area.top) as f32))
        })
        .collect();
    let step = points.len() / MAX_POINTS + 1;
    if step > 1 {
        points = points.into_iter().step_by(step).collect();
    }
    points
}

/// The shear, in radians, that gives the sharpest row profile. Each search has a range around the
/// best value so far and a step, both in degrees. A shear other than zero must be sharper by
/// more than the factor `upright`.
fn sharpest_shear(points: &[(f32, f32)], searches: &[(f64, f64)], upright: f64) -> f64 {
    let most = searches.first().map_or(0.0, |(span, _)| *span);
    let (width, height) =
        points.iter().fold((0.0_f32, 0.0_f32), |(x, y), point| (x.max(point.0), y.max(point.1)));
    let margin = width * most.to_radians().tan() as f32 + 2.0;
    let mut rows = vec![0_u32; (height + 2.0 * margin) as usize + 2];
    let mut sharpness = |degrees: f64| {
        let slope = degrees.to_radians().tan() as f32;
        rows.fill(0);
        for (x, y) in points {
            let row = ((y - x * slope + margin) / 2.0) as usize;
            rows[row] += 1;
        }
        rows.windows(2).map(|pair| (f64::from(pair[0]) - f64::from(pair[1])).powi(2)).sum::<f64>()
    };
    let mut best = (sharpness(0.0) * upright, 0.0);
    for (span, step) in searches {
        let centre: f64 = best.1;
        let steps = (span / step) as i32;
        for at in -steps..=steps {
            let degrees = centre + f64::from(at) * step;
            if degrees.abs() <= most {
                let sharp = sharpness(degrees);
                if sharp > best.0 {
                    best = (sharp, degrees);
                }
            }
        }
    }
    best.1.to_radians()
}

/// Rotates an image about its centre by `-skew` radians. White fills the edges.
fn rotate(image: &GrayImage, skew: f64) -> GrayImage {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (sine, cosine) = skew.sin_cos();
    let (middle_x, middle_y) = (width as f64 / 2.0, height as f64 / 2.0);
    let source = image.as_raw();
    let mut pixels = vec![255_u8; width * height];
    // Fixed point with 16 fractional bits is precise enough to step along a row of any page.
    let fixed = |value: f64| (value * 65536.0) as i64;
    let (step_x, step_y) = (fixed(cosine), fixed(sine));
    for (y, row) in pixels.chunks_mut(width).enumerate() {
        let (dx, dy) = (0.5 - middle_x, y as f64 + 0.5 - middle_y);
        let mut from_x = fixed(dx * cosine - dy * sine + middle_x - 0.5);
        let mut from_y = fixed(dx * sine + dy * cosine + middle_y - 0.5);
        for pixel in row {
            let (left, top) = (from_x >> 16, from_y >> 16);
            if left >= 0 && top >= 0 && (left as usize) < width - 1 && (top as usize) < height - 1 {
                let at = top as usize * width + left as usize;
                let (across, down) = (((from_x & 0xFFFF) >> 8) as u32, ((from_y & 0xFFFF) >> 8) as u32);
                let value = |at: usize| u32::from(source[at]);
                let upper = value(at) * (256 - across) + value(at + 1) * across;
                let lower = value(at + width) * (256 - across) + value(at + width + 1) * across;
                *pixel = ((upper * (256 - down) + lower * down) >> 16) as u8;
            }
            from_x += step_x;
            from_y += step_y;
        }
    }
    GrayImage::from_raw(image.width(), image.height(), pixels).unwrap_or_else(|| image.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// A sheet of 100 by 80 mm whose lines fall by `fall` pixels over the width. The lowest lines
    /// end halfway.
    fn sheet(fall: u32) -> Sheet {
        let (width, height) = (590, 472);
        let image = GrayImage::from_fn(width, height, |x, y| {
            let y = y + fall - x * fall / width;
            let is_line = (40..400).contains(&y) && y % 24 < 10 && x % 11 < 7;
            let is_short = y >= 300 && x > width / 2;
            Luma([if is_line && !is_short && (30..560).contains(&x) { 20 } else { 240 }])
        });
        Sheet { ink: binarise(&image), per_mm: 150.0 / MM_PER_INCH, skew: 0.0 }
    }

    #[test]
    fn a_warped_region_follows_its_lines() {
        let area = Area { left: 20, top: 20, right: 570, bottom: 420 };
        let level = LineSlope { top: 20.0, bottom: 420.0, fall: 0.0 };
        assert_eq!(sheet(0).line_slope(area, Some(4)), level);
        assert_eq!(sheet(1).line_slope(area, None), level, "a fall below the minimum is ignored");
        let (open, framed) = (sheet(8).line_slope(area, Some(4)), sheet(8).line_slope(area, None));
        for found in [open, framed] {
            assert!((6.0..9.0).contains(&found.fall), "{found:?}");
        }
        assert_eq!((framed.top, framed.bottom), (20.0, 420.0 - framed.fall));
        // On the left side of the area, the ink of the first line begins at 40 and the ink of the
        // short last line ends at 386.
        assert!((32.0..=40.0).contains(&open.top) && (386.0..=394.0).contains(&open.bottom), "{open:?}");
    }
}
