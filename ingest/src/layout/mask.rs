//! [`Mask`], a binary image, and [`Area`], an upright box in its pixels.

/// An upright box in pixels. The right and bottom edges are exclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) left: usize,
    pub(super) top: usize,
    pub(super) right: usize,
    pub(super) bottom: usize,
}

impl Area {
    pub(super) fn width(self) -> usize {
        self.right.saturating_sub(self.left)
    }

    pub(super) fn height(self) -> usize {
        self.bottom.saturating_sub(self.top)
    }

    pub(super) fn size(self) -> usize {
        self.width() * self.height()
    }

    /// The number of pixels that both boxes share.
    pub(super) fn overlap(self, other: Self) -> usize {
        let wide = self.right.min(other.right).saturating_sub(self.left.max(other.left));
        let high = self.bottom.min(other.bottom).saturating_sub(self.top.max(other.top));
        wide * high
    }

    /// The number of columns that both boxes share.
    pub(super) fn shared_width(self, other: Self) -> usize {
        self.right.min(other.right).saturating_sub(self.left.max(other.left))
    }

    /// The bounding box of both boxes.
    pub(super) fn around(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// The same box at twice the resolution.
    pub(super) fn doubled(self) -> Self {
        Self { left: self.left * 2, top: self.top * 2, right: self.right * 2, bottom: self.bottom * 2 }
    }

    /// The box with each edge moved out by `by`, clamped to `mask`.
    pub(super) fn grown(self, by: usize, mask: &Mask) -> Self {
        Self {
            left: self.left.saturating_sub(by),
            top: self.top.saturating_sub(by),
            right: (self.right + by).min(mask.width),
            bottom: (self.bottom + by).min(mask.height),
        }
    }
}

/// A binary image.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mask {
    pub(super) width: usize,
    pub(super) height: usize,
    /// The pixels in row order.
    pub(super) bits: Vec<bool>,
}

impl Mask {
    pub(super) fn new(width: usize, height: usize) -> Self {
        Self { width, height, bits: vec![false; width * height] }
    }

    pub(super) fn row(&self, y: usize) -> &[bool] {
        &self.bits[y * self.width..(y + 1) * self.width]
    }

    pub(super) fn row_mut(&mut self, y: usize) -> &mut [bool] {
        &mut self.bits[y * self.width..(y + 1) * self.width]
    }

    pub(super) fn get(&self, x: usize, y: usize) -> bool {
        self.bits[y * self.width + x]
    }

    /// The transposed mask.
    pub(super) fn transposed(&self) -> Self {
        const BLOCK: usize = 32;
        let mut transposed = Self::new(self.height, self.width);
        for top in (0..self.height).step_by(BLOCK) {
            for left in (0..self.width).step_by(BLOCK) {
                for y in top..(top + BLOCK).min(self.height) {
                    for x in left..(left + BLOCK).min(self.width) {
                        transposed.bits[x * self.height + y] = self.bits[y * self.width + x];
                    }
                }
            }
        }
        transposed
    }

    /// Returns the mask at half the resolution. A pixel is set if any source pixel that it covers
    /// is set.
    pub(super) fn halved(&self) -> Self {
        let mut half = Self::new(self.width.div_ceil(2), self.height.div_ceil(2));
        for y in 0..self.height {
            let (from, to) = (y * self.width, y / 2 * half.width);
            for x in 0..self.width {
                if self.bits[from + x] {
                    half.bits[to + x / 2] = true;
                }
            }
        }
        half
    }

    /// Adds the set pixels of `other`, which has the same size.
    pub(super) fn add(&mut self, other: &Self) {
        for (bit, more) in self.bits.iter_mut().zip(&other.bits) {
            *bit |= more;
        }
    }

    /// The number of set pixels of a box.
    pub(super) fn count(&self, area: Area) -> usize {
        let (left, right) = (area.left.min(self.width), area.right.min(self.width));
        let rows = area.top..area.bottom.min(self.height);
        rows.map(|y| self.row(y)[left..right.max(left)].iter().filter(|bit| **bit).count()).sum()
    }

    /// Sets all pixels of a box to `value`.
    pub(super) fn fill(&mut self, area: Area, value: bool) {
        for y in area.top..area.bottom.min(self.height) {
            let right = area.right.min(self.width);
            if area.left < right {
                self.row_mut(y)[area.left..right].fill(value);
            }
        }
    }

    /// In each row, fills gaps of at most `gap` pixels between set pixels, unless `barrier` is set
    /// within the gap or at its ends.
    pub(super) fn close_rows(&mut self, gap: usize, barrier: Option<&Self>) {
        for y in 0..self.height {
            let barred = barrier.map(|barrier| barrier.row(y));
            let row = self.row_mut(y);
            let mut last: Option<usize> = None;
            for x in 0..row.len() {
                if barred.is_some_and(|barred| barred[x]) {
                    last = None;
                } else if row[x] {
                    if let Some(last) = last.filter(|last| x - last > 1 && x - last - 1 <= gap) {
                        row[last + 1..x].fill(true);
                    }
                    last = Some(x);
                }
            }
        }
    }

    /// In each row, extends each run of set pixels by `by` pixels on both sides.
    pub(super) fn dilate_rows(&mut self, by: usize) {
        for y in 0..self.height {
            let row = self.row_mut(y);
            let mut runs = Vec::new();
            let mut start = None;
            for x in 0..=row.len() {
                match (x < row.len() && row[x], start) {
                    (true, None) => start = Some(x),
                    (false, Some(from)) => {
                        runs.push((from, x));
                        start = None;
                    }
                    _ => {}
                }
            }
            for (from, to) in runs {
                let to = (to + by).min(row.len());
                row[from.saturating_sub(by)..to].fill(true);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(rows: &[&str]) -> Mask {
        let bits = rows.iter().flat_map(|row| row.bytes().map(|byte| byte == b'#')).collect();
        Mask { width: rows[0].len(), height: rows.len(), bits }
    }

    #[test]
    fn transposing_twice_changes_nothing() {
        let picture = mask(&["#..", ".#.", "..#", "##."]);
        assert_eq!(picture.transposed(), mask(&["#..#", ".#.#", "..#."]));
        assert_eq!(picture.transposed().transposed(), picture);
    }

    #[test]
    fn short_gaps_without_a_barrier_are_closed() {
        let mut picture = mask(&["#..#...#", "#..#...#"]);
        picture.close_rows(2, Some(&mask(&["........", ".#......"])));
        assert_eq!(picture, mask(&["####...#", "#..#...#"]));
    }

    #[test]
    fn runs_are_extended_within_the_image() {
        let mut picture = mask(&["#...#..."]);
        picture.dilate_rows(1);
        assert_eq!(picture, mask(&["##.###.."]));
    }

    #[test]
    fn shared_pixels_and_columns_of_boxes_are_counted() {
        let a = Area { left: 0, top: 0, right: 4, bottom: 4 };
        let b = Area { left: 2, top: 3, right: 9, bottom: 9 };
        assert_eq!((a.overlap(b), a.shared_width(b), a.around(b).size()), (2, 2, 81));
        assert_eq!(a.overlap(Area { left: 4, top: 0, right: 5, bottom: 5 }), 0);
    }
}
