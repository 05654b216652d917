//! [`Sheet`]: a page made ready for layout: about 150 dpi, straightened, its background flattened, its ink told from its
//! paper. It keeps the way back to the page's own coordinates.

use super::mask::{Area, Mask};
use crate::page::Page;
use image::GrayImage;

/// The resolution that layout works at, in pixels an inch: rules of a hairline still show.
const DPI: f64 = 150.0;
/// Millimetres in an inch.
const INCH: f64 = 25.4;
/// The background's brightness is taken over squares of this many millimetres.
const TILE: f64 = 5.0;
/// The largest lean that is looked for, in degrees.
const MAX_LEAN: f64 = 4.0;

/// A page made ready for layout.
pub(super) struct Sheet {
    /// Where there is ink.
    pub(super) ink: Mask,
    /// Pixels in a millimetre.
    pub(super) per_mm: f64,
    /// How far the page leans, in radians.
    lean: f64,
}

impl Sheet {
    pub(super) fn new(page: &Page) -> Self {
        let factor = (page.dpi / DPI).round().max(1.0);
        let per_mm = page.dpi / factor / INCH;
        let mut gray = shrink(&page.image, factor as u32);
        let tile = ((TILE * per_mm) as u32).max(4);
        flatten(&mut gray, tile);
        let lean = lean(&binarise(&gray));
        if lean.abs() > 2e-4 {
            gray = turn(&gray, lean);
        }
        Self { ink: binarise(&gray), per_mm, lean }
    }

    /// Millimetres in pixels, at least one.
    pub(super) fn pixels(&self, millimetres: f64) -> usize {
        ((millimetres * self.per_mm).round() as usize).max(1)
    }

    /// The corners of an area on the page as it was delivered, in fractions of it.
    pub(super) fn corners(&self, area: Area) -> [[f64; 2]; 4] {
        let [left, top, right, bottom] =
            [area.left, area.top, area.right, area.bottom].map(|edge| edge as f64);
        let (width, height) = (self.ink.width as f64, self.ink.height as f64);
        let (sine, cosine) = self.lean.sin_cos();
        [[left, top], [right, top], [right, bottom], [left, bottom]].map(|[x, y]| {
            let (x, y) = (x - width / 2.0, y - height / 2.0);
            [(x * cosine - y * sine + width / 2.0) / width, (x * sine + y * cosine + height / 2.0) / height]
        })
    }
}

/// A picture `factor` times smaller: each pixel the mean of a square.
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

/// Divides by the paper's brightness: the bright part of each tile, or of its neighbours where a tile is all dark.
fn flatten(image: &mut GrayImage, tile: u32) {
    let (width, height) = image.dimensions();
    let (columns, rows) = (width.div_ceil(tile) as usize, height.div_ceil(tile) as usize);
    let mut counts = vec![[0_u32; 256]; columns];
    let mut bright = Vec::with_capacity(columns * rows);
    for band in image.as_raw().chunks((tile * width) as usize) {
        counts.iter_mut().for_each(|count| *count = [0; 256]);
        for row in band.chunks(width as usize) {
            for (count, pixels) in counts.iter_mut().zip(row.chunks(tile as usize)) {
                pixels.iter().for_each(|pixel| count[usize::from(*pixel)] += 1);
            }
        }
        bright.extend(counts.iter().map(|count| percentile(count, 0.8)));
    }
    let around = |values: &[f64], pick: &dyn Fn(&[f64]) -> f64| -> Vec<f64> {
        let mut near = Vec::with_capacity(9);
        (0..columns * rows)
            .map(|at| {
                let (column, row) = (at % columns, at / columns);
                near.clear();
                for y in row.saturating_sub(1)..(row + 2).min(rows) {
                    near.extend_from_slice(
                        &values
                            [y * columns + column.saturating_sub(1)..y * columns + (column + 2).min(columns)],
                    );
                }
                pick(&near)
            })
            .collect()
    };
    let paper = around(&bright, &|near| near.iter().copied().fold(32.0, f64::max));
    let paper = around(&paper, &|near| near.iter().sum::<f64>() / near.len() as f64);
    // The paper's brightness between the tiles' centres, in whole numbers for speed.
    for (y, row) in image.chunks_mut(width as usize).enumerate() {
        let down = ((y as f64 + 0.5) / f64::from(tile) - 0.5).clamp(0.0, rows as f64 - 1.0);
        let (upper, lower) = (down as usize * columns, (down as usize + 1).min(rows - 1) * columns);
        let at = |column: usize| {
            paper[upper + column] + (paper[lower + column] - paper[upper + column]) * down.fract()
        };
        let line: Vec<f64> = (0..columns).map(at).collect();
        for (x, pixel) in row.iter_mut().enumerate() {
            let across = ((x as f64 + 0.5) / f64::from(tile) - 0.5).clamp(0.0, columns as f64 - 1.0);
            let (left, right) = (across as usize, (across as usize + 1).min(columns - 1));
            let paper = line[left] + (line[right] - line[left]) * across.fract();
            *pixel = (f64::from(*pixel) * 255.0 / paper).min(255.0) as u8;
        }
    }
}

/// The brightness that `part` of the pixels do not pass.
fn percentile(counts: &[u32; 256], part: f64) -> f64 {
    let wanted = f64::from(counts.iter().sum::<u32>()) * part;
    let mut seen = 0.0;
    for (value, count) in counts.iter().enumerate() {
        seen += f64::from(*count);
        if seen >= wanted {
            return value as f64;
        }
    }
    255.0
}

/// Ink by Otsu's threshold: the one that parts the brightnesses into the two tightest groups
/// (N. Otsu, "A threshold selection method from gray-level histograms", 1979).
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
    // A blank sheet has no two groups: its noise is no ink.
    let threshold = threshold.clamp(64, 208) as u8;
    let bits = image.as_raw().iter().map(|pixel| *pixel <= threshold).collect();
    Mask { width: image.width() as usize, height: image.height() as usize, bits }
}

/// How far lines fall to the right, in radians: the shear that makes the sharpest rows.
fn lean(ink: &Mask) -> f64 {
    // Every second row and column is enough, and of a solid picture no more than its share.
    let points: Vec<(f32, f32)> = (0..ink.height)
        .step_by(2)
        .flat_map(|y| {
            (0..ink.width).step_by(3).filter(move |x| ink.get(*x, y)).map(move |x| (x as f32, y as f32))
        })
        .collect();
    let step = points.len() / 400_000 + 1;
    let margin = (ink.width as f64 * MAX_LEAN.to_radians().tan()) as f32 + 2.0;
    let mut rows = vec![0_u32; (ink.height as f32 + 2.0 * margin) as usize + 2];
    let mut sharpness = |degrees: f64| {
        let slope = degrees.to_radians().tan() as f32;
        rows.fill(0);
        for (x, y) in points.iter().step_by(step) {
            let row = ((y - x * slope + margin) / 2.0) as usize;
            rows[row] += 1;
        }
        rows.windows(2).map(|pair| (f64::from(pair[0]) - f64::from(pair[1])).powi(2)).sum::<f64>()
    };
    let mut best = (sharpness(0.0) * 1.001, 0.0);
    for (span, step) in [(MAX_LEAN, 0.2), (0.2, 0.04), (0.04, 0.01)] {
        let centre = best.1;
        let steps = (span / step) as i32;
        for at in -steps..=steps {
            let degrees = centre + f64::from(at) * step;
            if degrees.abs() <= MAX_LEAN {
                let sharp = sharpness(degrees);
                if sharp > best.0 {
                    best = (sharp, degrees);
                }
            }
        }
    }
    best.1.to_radians()
}

/// The picture turned back about its centre by `lean` radians; white comes in at the edges.
fn turn(image: &GrayImage, lean: f64) -> GrayImage {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let (sine, cosine) = lean.sin_cos();
    let (middle_x, middle_y) = (width as f64 / 2.0, height as f64 / 2.0);
    let source = image.as_raw();
    let mut pixels = vec![255_u8; width * height];
    // Fixed point: 16 bits of fraction hold any page, and its walk along a row.
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
