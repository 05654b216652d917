//! Finds the sheet in the photograph of a page on a table by its brightness, and rectifies it.
//! Scans and other images are not changed.

use image::{GrayImage, Luma, imageops};
use serde::{Deserialize, Serialize};

/// The longer side of the downscaled image in which the sheet is searched for, in pixels.
const SEARCH_SIDE: u32 = 400;
/// The sigma of the blur in the small image, so that a sheet becomes one bright region.
const BLUR_SIGMA: f32 = 3.0;
/// The fraction of the image that a sheet covers. A larger region is a scan, and a smaller region
/// is another bright object.
const SHEET_SHARE: std::ops::Range<f64> = 0.25..0.96;
/// More than this fraction of the bright pixels is on the sheet. The area within the corners is
/// more than this fraction of the bright area of the sheet.
const ON_SHEET: f64 = 0.9;
/// More than this fraction of the area within the corners is bright.
const MIN_BRIGHT: f64 = 0.7;
/// The inside of an edge is brighter than the outside by more than this many grey levels.
const MIN_EDGE_STEP: i32 = 24;
/// The inside of an edge is brighter by [`MIN_EDGE_STEP`] along at least this fraction of its
/// length.
const MIN_EDGE_SHARE: f64 = 0.8;
/// The thresholds that are tried, as positions between the brightness of the table and of the
/// paper. A low threshold helps if the light falls off towards a corner. The threshold whose
/// region best fills the area within its corners is used.
const THRESHOLDS: [f64; 4] = [0.5, 0.4, 0.3, 0.2];

/// A position, in pixels or in fractions.
type Point = [f64; 2];

/// Rectifies the sheet of a photograph. Also returns the perspective, which maps fractions of the
/// sheet to fractions of the photograph. `None` if there is no sheet.
pub(super) fn rectify_sheet(image: &GrayImage) -> Option<(GrayImage, Perspective)> {
    let corners = find_corners(image)?;
    let [a, b, c, d] = corners;
    let length = |from: Point, to: Point| (to[0] - from[0]).hypot(to[1] - from[1]);
    // The longer of two opposite sides was nearer to the camera. The image is not enlarged.
    let width = length(a, b).max(length(d, c)).round().clamp(1.0, f64::from(image.width()));
    let height = length(a, d).max(length(b, c)).round().clamp(1.0, f64::from(image.height()));
    let view = Perspective::onto(corners, [width, height])?;
    let pixel = |x: u32, y: u32| {
        let [x, y] = view.map([f64::from(x) + 0.5, f64::from(y) + 0.5]);
        let inside = |at: f64, side: u32| (at - 0.5).clamp(0.0, f64::from(side) - 1.0) as f32;
        let (x, y) = (inside(x, image.width()), inside(y, image.height()));
        imageops::interpolate_bilinear(image, x, y).unwrap_or(Luma([255]))
    };
    let sides = [f64::from(image.width()), f64::from(image.height())];
    let parts = Perspective::onto(corners.map(|[x, y]| [x / sides[0], y / sides[1]]), [1.0, 1.0])?;
    Some((GrayImage::from_fn(width as u32, height as u32, pixel), parts))
}

/// Finds the corners of the sheet: top left, top right, bottom right, bottom left. `None` if there
/// is no sheet.
fn find_corners(image: &GrayImage) -> Option<[Point; 4]> {
    let scale = f64::from(image.width().max(image.height())) / f64::from(SEARCH_SIDE);
    if scale < 1.0 {
        return None;
    }
    let [width, height] =
        [image.width(), image.height()].map(|side| (f64::from(side) / scale).round().max(1.0) as u32);
    let small = imageops::fast_blur(&imageops::thumbnail(image, width, height), BLUR_SIGMA);
    let [table, paper] = brightness(&small);
    let found = THRESHOLDS
        .into_iter()
        .filter_map(|part| corners_above(&small, (table + part * (paper - table)) as u8))
        .min_by(|(_, a), (_, b)| a.total_cmp(b));
    found.map(|(corners, _)| corners.map(|corner| corner.map(|at| (at + 0.5) * scale)))
}

/// The corners of the largest region brighter than `threshold`, and how much its area deviates
/// from the area within the corners. `None` if the region is not a sheet.
fn corners_above(small: &GrayImage, threshold: u8) -> Option<([Point; 4], f64)> {
    let (width, height) = small.dimensions();
    let sheet = largest_bright_region(small, threshold);
    let bright = small.pixels().filter(|pixel| pixel[0] > threshold).count();
    // The extreme points along the diagonals are the corners, unless the sheet is strongly
    // rotated.
    let outermost = |of: fn(Point) -> f64| sheet.iter().copied().max_by(|a, b| of(*a).total_cmp(&of(*b)));
    let corners = [
        outermost(|[x, y]| -x - y)?,
        outermost(|[x, y]| x - y)?,
        outermost(|[x, y]| x + y)?,
        outermost(|[x, y]| y - x)?,
    ];
    let area = area(&corners);
    let is_sheet = SHEET_SHARE.contains(&(area / f64::from(width * height)))
        && sheet.len() as f64 > ON_SHEET * bright as f64
        && sheet.len() as f64 > MIN_BRIGHT * area
        && (sheet.len() as f64) < area / ON_SHEET
        && (0..4).all(|side| is_edge(small, corners[side], corners[(side + 1) % 4]));
    is_sheet.then(|| (corners, (sheet.len() as f64 / area - 1.0).abs()))
}

/// The mean brightness of the table and of the paper by iterative thresholding (T. Ridler and S.
/// Calvard, "Picture thresholding using an iterative selection method", 1978).
fn brightness(image: &GrayImage) -> [f64; 2] {
    let mean = |of: &dyn Fn(u8) -> bool| {
        let (count, sum) = image
            .pixels()
            .filter(|pixel| of(pixel[0]))
            .fold((0_u64, 0_u64), |(count, sum), pixel| (count + 1, sum + u64::from(pixel[0])));
        (count > 0).then(|| sum as f64 / count as f64)
    };
    let whole = mean(&|_| true).unwrap_or(127.0);
    let (mut threshold, mut means) = (whole as u8, [whole; 2]);
    for _ in 0..32 {
        let (dark, bright) = (mean(&|value| value <= threshold), mean(&|value| value > threshold));
        means = [dark.unwrap_or(whole), bright.unwrap_or(whole)];
        let next = f64::midpoint(means[0], means[1]) as u8;
        if next == threshold {
            break;
        }
        threshold = next;
    }
    means
}

/// The pixels of the largest connected region brighter than `threshold`.
fn largest_bright_region(image: &GrayImage, threshold: u8) -> Vec<Point> {
    let (width, height) = image.dimensions();
    let at = |x: u32, y: u32| (y * width + x) as usize;
    let mut open: Vec<bool> = image.pixels().map(|pixel| pixel[0] > threshold).collect();
    let mut largest = Vec::new();
    for start in 0..width * height {
        if !std::mem::take(&mut open[start as usize]) {
            continue;
        }
        let mut patch = vec![[start % width, start / width]];
        let mut next = 0;
        while let Some([x, y]) = patch.get(next).copied() {
            next += 1;
            let around = [
                (x > 0).then(|| [x - 1, y]),
                (x + 1 < width).then(|| [x + 1, y]),
                (y > 0).then(|| [x, y - 1]),
                (y + 1 < height).then(|| [x, y + 1]),
            ];
            patch.extend(around.into_iter().flatten().filter(|[x, y]| std::mem::take(&mut open[at(*x, *y)])));
        }
        if patch.len() > largest.len() {
            largest = patch;
        }
    }
    largest.into_iter().map(|place| place.map(f64::from)).collect()
}

/// Whether the image is brighter on the right of the line between two points than on the left,
/// along enough of the line. Positions at which either side is outside the image are skipped.
fn is_edge(image: &GrayImage, from: Point, to: Point) -> bool {
    /// The distance from the line at which both sides are compared, in pixels. It exceeds the
    /// blur.
    const ASIDE: f64 = 8.0;
    let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    let length = dx.hypot(dy).max(1.0);
    let value = |along: f64, aside: f64| {
        let x = from[0] + dx * along - dy / length * aside;
        let y = from[1] + dy * along + dx / length * aside;
        let inside = x >= 0.0 && y >= 0.0 && x < f64::from(image.width()) && y < f64::from(image.height());
        inside.then(|| i32::from(image.get_pixel(x as u32, y as u32)[0]))
    };
    let steps: Vec<bool> = (1..20)
        .filter_map(|part| {
            let along = f64::from(part) / 20.0;
            Some(value(along, ASIDE)? - value(along, -ASIDE)? > MIN_EDGE_STEP)
        })
        .collect();
    // A side of the sheet may leave the image. If a whole side shows no table, the image is a
    // scan.
    !steps.is_empty()
        && steps.iter().filter(|stepped| **stepped).count() as f64 >= MIN_EDGE_SHARE * steps.len() as f64
}

/// The area of a quadrilateral.
fn area(corners: &[Point; 4]) -> f64 {
    let cross = |at: usize| {
        let ([ax, ay], [bx, by]) = (corners[at], corners[(at + 1) % 4]);
        ax * by - bx * ay
    };
    (0..4).map(cross).sum::<f64>().abs() / 2.0
}

/// A projective map from an upright rectangle to its position in a photograph.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(super) struct Perspective {
    /// The first two rows of the matrix.
    rows: [[f64; 3]; 2],
    /// The first two values of the third row of the matrix. The last value of this row is one.
    depth: [f64; 2],
}

impl Perspective {
    /// Maps a rectangle of this size to four corners, after P. Heckbert, "Fundamentals of texture
    /// mapping and image warping", 1989. `None` if the last three corners are collinear.
    pub(super) fn onto([a, b, c, d]: [Point; 4], [width, height]: [f64; 2]) -> Option<Self> {
        let sub = |p: Point, q: Point| [p[0] - q[0], p[1] - q[1]];
        let cross = |p: Point, q: Point| p[0] * q[1] - p[1] * q[0];
        let (right, lower) = (sub(b, c), sub(d, c));
        let skew = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
        let denominator = cross(right, lower);
        if denominator.abs() < 1e-6 {
            return None;
        }
        let (g, h) = (cross(skew, lower) / denominator, cross(right, skew) / denominator);
        let row = |axis: usize| {
            [(b[axis] - a[axis] + g * b[axis]) / width, (d[axis] - a[axis] + h * d[axis]) / height, a[axis]]
        };
        Some(Self { rows: [row(0), row(1)], depth: [g / width, h / height] })
    }

    /// Maps a point of the rectangle to the photograph.
    fn map(&self, [x, y]: Point) -> Point {
        let depth = self.depth[0] * x + self.depth[1] * y + 1.0;
        self.rows.map(|[a, b, c]| (a * x + b * y + c) / depth)
    }

    /// Maps a point of the photograph to the rectangle.
    pub(super) fn inverse(&self, [u, v]: Point) -> Point {
        let [g, h] = self.depth;
        let [[a, b, c], [d, e, f]] = self.rows;
        // u (g x + h y + 1) = a x + b y + c, and the same for v: two linear equations.
        let (p, q, r) = (a - u * g, b - u * h, u - c);
        let (s, t, w) = (d - v * g, e - v * h, v - f);
        let area = p * t - q * s;
        [(r * t - q * w) / area, (p * w - r * s) / area]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sheet with lines of print and these corners on a dark table of 800 by 1000 pixels.
    fn photograph(corners: [Point; 4]) -> GrayImage {
        lit(corners, |u, _| 170.0 + 60.0 * u)
    }

    /// A sheet on a table as in [`photograph`], with the paper brightness `light` at each
    /// position.
    fn lit(corners: [Point; 4], light: impl Fn(f64, f64) -> f64) -> GrayImage {
        let back = Perspective::onto(corners, [1.0, 1.0]).unwrap();
        let mut image = GrayImage::from_fn(800, 1000, |x, y| Luma([60 + ((x * 7 + y * 13) % 20) as u8]));
        for step in 0..4_000_000_u32 {
            let [u, v] = [f64::from(step % 2000) / 2000.0, f64::from(step / 2000) / 2000.0];
            let [x, y] = back.map([u, v]);
            if x >= 0.0 && y >= 0.0 && x < 800.0 && y < 1000.0 {
                let is_ink = (0.05..0.95).contains(&u)
                    && (0.05..0.95).contains(&v)
                    && ((v * 100.0) as u32).is_multiple_of(3);
                let light = light(u, v);
                image.put_pixel(x as u32, y as u32, Luma([if is_ink { light * 0.3 } else { light } as u8]));
            }
        }
        image
    }

    #[test]
    fn the_corners_of_a_sheet_are_found() {
        let there = [[90.0, 60.0], [720.0, 110.0], [760.0, 930.0], [50.0, 900.0]];
        let found = find_corners(&photograph(there)).unwrap();
        for (found, there) in found.iter().zip(there) {
            assert!((found[0] - there[0]).hypot(found[1] - there[1]) < 9.0, "{found:?} {there:?}");
        }
        let (flat, _) = rectify_sheet(&photograph(there)).unwrap();
        assert!(
            (640..720).contains(&flat.width()) && (810..860).contains(&flat.height()),
            "{:?}",
            flat.dimensions()
        );
    }

    #[test]
    fn a_corner_may_be_in_shadow() {
        let there = [[90.0, 60.0], [720.0, 110.0], [760.0, 930.0], [50.0, 900.0]];
        // The shadow also falls on the table, which is dark already.
        let shaded = lit(there, |u, v| 225.0 - 115.0 * (v * (1.0 - u)).powi(2));
        let found = find_corners(&shaded).unwrap();
        for (found, there) in found.iter().zip(there) {
            assert!((found[0] - there[0]).hypot(found[1] - there[1]) < 16.0, "{found:?} {there:?}");
        }
    }

    #[test]
    fn other_images_are_unchanged() {
        let filling = photograph([[0.0, 0.0], [800.0, 0.0], [800.0, 1000.0], [0.0, 1000.0]]);
        assert_eq!(find_corners(&filling), None);
        let askew = photograph([[-20.0, -5.0], [790.0, -20.0], [815.0, 1010.0], [5.0, 1020.0]]);
        assert_eq!(find_corners(&askew), None);
        for image in [
            GrayImage::new(1, 1),
            GrayImage::new(5000, 1),
            GrayImage::from_pixel(900, 900, Luma([255])),
            GrayImage::from_fn(900, 900, |x, y| Luma([(x / 4 + y / 8) as u8])),
            // A bright picture on a dark page is not a sheet on a table, because it is smaller
            // than a sheet.
            GrayImage::from_fn(900, 900, |x, y| {
                Luma([if x.max(y) < 400 && x.min(y) > 100 { 255 } else { 20 }])
            }),
        ] {
            assert_eq!(find_corners(&image), None);
        }
    }

    #[test]
    fn a_perspective_maps_corners_and_refuses_collinear_ones() {
        let corners = [[90.0, 60.0], [720.0, 110.0], [760.0, 930.0], [50.0, 900.0]];
        let view = Perspective::onto(corners, [300.0, 400.0]).unwrap();
        for (corner, at) in corners.iter().zip([[0.0, 0.0], [300.0, 0.0], [300.0, 400.0], [0.0, 400.0]]) {
            let [x, y] = view.map(at);
            assert!((x - corner[0]).abs() < 1e-6 && (y - corner[1]).abs() < 1e-6, "{x} {y}");
            let [x, y] = view.inverse(*corner);
            assert!((x - at[0]).abs() < 1e-6 && (y - at[1]).abs() < 1e-6, "{x} {y}");
        }
        assert!(Perspective::onto([[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]], [1.0, 1.0]).is_none());
    }
}
