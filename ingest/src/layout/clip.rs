//! [`Clip`] is a region of a page that can be cut out as a straightened image. A clip has four
//! corners, because a scanned page is skewed and warped. An upright box would include letters of
//! neighbouring regions.

use crate::page::Page;
use image::{GrayImage, Luma};
use serde::{Deserialize, Serialize};
use tender_model::tender::PageBox;

/// A region of a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clip {
    /// The upright bounding box as fractions of the page: `[x, y, width, height]`.
    #[serde(rename = "box")]
    pub area: PageBox,
    /// The corners as fractions of the page: top left, top right, bottom right, bottom left.
    pub corners: [[f64; 2]; 4],
    /// Whether a printed frame encloses the region.
    pub framed: bool,
    /// The skew in degrees; positive if lines fall to the right.
    pub skew: f64,
}

impl Clip {
    /// Builds a clip from corners on a page of `width` by `height` pixels. The corners are clamped
    /// to the page.
    #[must_use]
    pub fn new(corners: [[f64; 2]; 4], framed: bool, (width, height): (u32, u32)) -> Self {
        let corners = corners.map(|corner| corner.map(|part| part.clamp(0.0, 1.0)));
        let [left, top] = [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).fold(1.0, f64::min));
        let [right, bottom] =
            [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).fold(0.0, f64::max));
        let [from, to, ..] = corners;
        let lean = ((to[1] - from[1]) * f64::from(height)).atan2((to[0] - from[0]) * f64::from(width));
        Self { area: [left, top, right - left, bottom - top], corners, framed, skew: lean.to_degrees() }
    }

    /// Builds a clip from an upright box of a page.
    #[must_use]
    pub fn upright([x, y, width, height]: PageBox) -> Self {
        Self::new([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], false, (1, 1))
    }

    /// Cuts out the clip at the resolution of the page, straightened.
    #[must_use]
    pub fn image(&self, page: &Page) -> GrayImage {
        let source = &page.image;
        let (columns, rows) = self.size(page);
        let [page_width, page_height] = [source.width(), source.height()].map(|side| f64::from(side) - 1.0);
        GrayImage::from_fn(columns, rows, |column, row| {
            let across = (f64::from(column) + 0.5) / f64::from(columns);
            let down = (f64::from(row) + 0.5) / f64::from(rows);
            let [x, y] = self.point(across, down);
            let x = (x * (page_width + 1.0) - 0.5).clamp(0.0, page_width);
            let y = (y * (page_height + 1.0) - 0.5).clamp(0.0, page_height);
            Luma([sample(source, x, y)])
        })
    }

    /// The size of [`Clip::image`] in pixels, at least 1 by 1.
    #[must_use]
    pub fn size(&self, page: &Page) -> (u32, u32) {
        let [page_width, page_height] = [page.image.width(), page.image.height()].map(f64::from);
        let length = |from: [f64; 2], to: [f64; 2]| {
            ((to[0] - from[0]) * page_width).hypot((to[1] - from[1]) * page_height)
        };
        let [a, b, c, d] = self.corners;
        let columns = f64::midpoint(length(a, b), length(d, c)).round().clamp(1.0, page_width.max(1.0));
        let rows = f64::midpoint(length(a, d), length(b, c)).round().clamp(1.0, page_height.max(1.0));
        (columns as u32, rows as u32)
    }

    /// Maps a point of the clip to the page. Both points are fractions.
    #[must_use]
    pub fn point(&self, across: f64, down: f64) -> [f64; 2] {
        let [a, b, c, d] = self.corners;
        [0, 1].map(|axis| {
            let top = a[axis] + (b[axis] - a[axis]) * across;
            let bottom = d[axis] + (c[axis] - d[axis]) * across;
            top + (bottom - top) * down
        })
    }

    /// Maps a box of the clip to its upright bounding box on the page. Both boxes are fractions.
    #[must_use]
    pub fn on_page(&self, [x, y, width, height]: PageBox) -> PageBox {
        let corners =
            [(x, y), (x + width, y), (x, y + height), (x + width, y + height)].map(|(x, y)| self.point(x, y));
        let [left, top] =
            [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).fold(f64::MAX, f64::min));
        let [right, bottom] =
            [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).fold(f64::MIN, f64::max));
        [left, top, right - left, bottom - top]
    }

    /// Maps a point of the page to the clip. Both points are fractions. Points outside the clip
    /// map outside 0 to 1. For a clip without area, the result is NaN. The mapping is exact for a
    /// parallelogram, the shape of a box on a skewed page.
    #[must_use]
    pub fn locate(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let [a, b, _, d] = self.corners;
        let (ux, uy, vx, vy) = (b[0] - a[0], b[1] - a[1], d[0] - a[0], d[1] - a[1]);
        let area = ux * vy - uy * vx;
        if area.abs() < 1e-12 {
            return [f64::NAN; 2];
        }
        let (x, y) = (x - a[0], y - a[1]);
        [(x * vy - y * vx) / area, (y * ux - x * uy) / area]
    }
}

/// The brightness at a position between pixels, by bilinear interpolation.
fn sample(image: &GrayImage, x: f64, y: f64) -> u8 {
    let (left, top) = (x as u32, y as u32);
    let (right, bottom) = ((left + 1).min(image.width() - 1), (top + 1).min(image.height() - 1));
    let (across, down) = ((x.fract() * 256.0) as u32, (y.fract() * 256.0) as u32);
    let pixel = |x, y| u32::from(image.get_pixel(x, y)[0]);
    let upper = pixel(left, top) * (256 - across) + pixel(right, top) * across;
    let lower = pixel(left, bottom) * (256 - across) + pixel(right, bottom) * across;
    ((upper * (256 - down) + lower * down + (1 << 15)) >> 16) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> Page {
        let image = GrayImage::from_fn(200, 100, |x, y| Luma([(x / 2 + y) as u8]));
        Page::of(image, 100.0)
    }

    #[test]
    fn an_upright_clip_is_cut_pixel_by_pixel() {
        let clip = Clip::upright([0.25, 0.1, 0.5, 0.3]);
        let (page, image) = (page(), clip.image(&page()));
        assert_eq!(image.dimensions(), (100, 30));
        assert_eq!(image.get_pixel(0, 0), page.image.get_pixel(50, 10));
        assert_eq!(image.get_pixel(99, 29), page.image.get_pixel(149, 39));
    }

    #[test]
    fn points_map_to_the_page_and_back() {
        let clip = Clip::new([[0.2, 0.1], [0.7, 0.15], [0.65, 0.55], [0.15, 0.5]], true, (200, 100));
        assert!(clip.skew > 2.0 && clip.skew < 3.0, "{}", clip.skew);
        for (across, down) in [(0.0, 0.0), (1.0, 0.0), (0.3, 0.8), (1.0, 1.0)] {
            let [x, y] = clip.locate(clip.point(across, down));
            assert!((x - across).abs() < 1e-9 && (y - down).abs() < 1e-9, "{x} {y}");
        }
    }

    #[test]
    fn corners_off_the_page_are_clamped_to_it() {
        let clip = Clip::upright([-1.0, 0.5, 9.0, 9.0]);
        assert_eq!(clip.area, [0.0, 0.5, 1.0, 0.5]);
        assert_eq!(clip.image(&page()).dimensions(), (200, 50));
        assert_eq!(Clip::upright([0.5, 0.5, 0.0, 0.0]).image(&page()).dimensions(), (1, 1));
    }
}
