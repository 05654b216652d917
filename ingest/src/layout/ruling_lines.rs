//! Finds printed rules, which are long thin runs of ink, horizontal or vertical. A letter stroke
//! is too short to be a rule, and a white-on-black heading is too thick.

use super::binarisation::Sheet;
use super::mask::Mask;

/// The shortest piece of a rule, in millimetres. It is longer than a headline letter is wide.
const MIN_PIECE: f64 = 5.0;
/// The shortest rule that separates the open area, in millimetres. It is longer than most
/// underlines of a word.
const MIN_SEPARATOR: f64 = 9.0;
/// The largest thickness of a rule, in millimetres. A double border whose lines merged is this
/// thick.
const MAX_THICKNESS: f64 = 1.4;

/// The rules of a sheet at half its resolution.
pub(super) struct Rules {
    /// Pieces of horizontal rules.
    pub(super) across: Mask,
    /// Pieces of vertical rules.
    pub(super) down: Mask,
    /// Rules of both directions that are long enough to separate the open area.
    pub(super) separators: Mask,
    /// Pixels per millimetre.
    pub(super) per_mm: f64,
}

impl Rules {
    /// Converts millimetres to pixels, at least one.
    pub(super) fn pixels(&self, millimetres: f64) -> usize {
        ((millimetres * self.per_mm).round() as usize).max(1)
    }
}

/// Finds the rules of a sheet.
pub(super) fn find(sheet: &Sheet) -> Rules {
    let (piece, strict, thickness) =
        (sheet.pixels(MIN_PIECE), sheet.pixels(MIN_SEPARATOR), sheet.pixels(MAX_THICKNESS));
    let lying = thin_ink(&sheet.ink, thickness);
    let (across, mut separators_across) =
        (long_runs(&lying, piece).halved(), long_runs(&lying, strict).halved());
    let standing = thin_ink(&sheet.ink.transposed(), thickness);
    let (down, separators_down) = (
        long_runs(&standing, piece).halved().transposed(),
        long_runs(&standing, strict).halved().transposed(),
    );
    separators_across.add(&separators_down);
    Rules { across, down, separators: separators_across, per_mm: sheet.per_mm / 2.0 }
}

/// The ink whose vertical run is at most `thickness` pixels high.
fn thin_ink(ink: &Mask, thickness: usize) -> Mask {
    let width = ink.width;
    let limit = thickness.min(254) as u8;
    // First counts the ink above each pixel, then writes the total to every pixel of a vertical
    // run.
    let mut high = vec![0_u8; ink.bits.len()];
    for at in 0..high.len() {
        if ink.bits[at] {
            high[at] = if at >= width { high[at - width].saturating_add(1) } else { 1 };
        }
    }
    for at in (0..high.len().saturating_sub(width)).rev() {
        if ink.bits[at] && ink.bits[at + width] {
            high[at] = high[at + width];
        }
    }
    let bits = ink.bits.iter().zip(&high).map(|(ink, high)| *ink && *high <= limit).collect();
    Mask { width, height: ink.height, bits }
}

/// The horizontal runs of at least `length` pixels. A run may shift by one row, as it does on a
/// slightly skewed page.
fn long_runs(thin: &Mask, length: usize) -> Mask {
    let mut found = Mask::new(thin.width, thin.height);
    let mut near = vec![false; thin.width];
    for y in 0..thin.height {
        near.copy_from_slice(thin.row(y));
        for beside in
            [y.checked_sub(1), Some(y + 1).filter(|below| *below < thin.height)].into_iter().flatten()
        {
            for (near, bit) in near.iter_mut().zip(thin.row(beside)) {
                *near |= bit;
            }
        }
        let mut start = 0;
        for x in 0..=near.len() {
            if x < near.len() && near[x] {
                continue;
            }
            if x - start >= length {
                found.row_mut(y)[start..x].fill(true);
            }
            start = x + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_thin_runs_are_rules_and_thick_bars_are_not() {
        let mut ink = Mask::new(60, 40);
        ink.row_mut(5)[10..50].fill(true);
        ink.row_mut(6)[30..55].fill(true);
        (20..35).for_each(|y| ink.row_mut(y)[5..55].fill(true));
        ink.row_mut(38)[3..12].fill(true);
        let rules = long_runs(&thin_ink(&ink, 3), 20);
        assert!(rules.get(12, 5) && rules.get(50, 5));
        assert!((15..40).all(|y| !rules.row(y).contains(&true)));
    }
}
