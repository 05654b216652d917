//! Segments the open area, which is everything outside the frames. Its ink is smeared into blobs.
//! A blob crosses neither frames nor rules, except the rules of a table. Blobs that are close in
//! one column are merged, unless a rule separates them.

use super::components::components;
use super::mask::{Area, Mask};
use super::ruling_lines::Rules;

/// The widest white gap within a line that is filled, in millimetres. A gutter between columns is
/// wider.
const SMEAR_ACROSS: f64 = 2.6;
/// The highest white gap between lines that is filled, in millimetres.
const SMEAR_DOWN: f64 = 4.5;
/// The highest gap between stacked pieces that are merged, in millimetres.
const MAX_STACK_GAP: f64 = 7.0;
/// The smallest width of a piece, in millimetres.
const MIN_WIDTH: f64 = 18.0;
/// The smallest height of a piece, in millimetres. A lower piece is a page header or a stain.
const MIN_HEIGHT: f64 = 10.0;
/// The margin around the ink of a piece, in millimetres, so that no letter touches the edge.
pub(super) const MARGIN: f64 = 0.8;
/// Ink this close to a rule belongs to the rule, in millimetres. Around a frame, four times this
/// distance applies.
const RULE_REACH: f64 = 0.6;

/// Finds the pieces of the open area, which is everything outside `barred`. Rules within `tables`
/// do not separate pieces. All boxes and `ink` are in the resolution of the rules.
pub(super) fn find(mut ink: Mask, rules: &Rules, barred: &[Area], tables: &[Area]) -> Vec<Area> {
    let reach = rules.pixels(RULE_REACH);
    let mut barrier = rules.separators.clone();
    for table in tables {
        barrier.fill(*table, false);
    }
    for area in barred {
        barrier.fill(area.grown(reach * 3, &ink), true);
    }
    let mut thick = barrier.clone();
    thick.dilate_rows(reach);
    let mut thick = thick.transposed();
    thick.dilate_rows(reach);
    for (ink, barred) in ink.bits.iter_mut().zip(&thick.transposed().bits) {
        *ink &= !barred;
    }
    despeckle(&mut ink);
    ink.close_rows(rules.pixels(SMEAR_ACROSS), Some(&barrier));
    let mut transposed = ink.transposed();
    transposed.close_rows(rules.pixels(SMEAR_DOWN), Some(&barrier.transposed()));
    let blobs = transposed.transposed();
    let mut pieces: Vec<Area> = components(&blobs, true).parts.iter().map(|part| part.area).collect();
    pieces.retain(|piece| piece.width() > 2 && piece.height() > 2);
    merge_pieces(&mut pieces, rules.pixels(MAX_STACK_GAP), &barrier);
    pieces.retain(|piece| {
        piece.width() >= rules.pixels(MIN_WIDTH) && piece.height() >= rules.pixels(MIN_HEIGHT)
    });
    let margin = rules.pixels(MARGIN);
    pieces.into_iter().map(|piece| piece.grown(margin, &blobs)).collect()
}

/// Clears isolated pixels, because dust would join pieces.
fn despeckle(ink: &mut Mask) {
    let alone: Vec<usize> = (1..ink.height.saturating_sub(1))
        .flat_map(|y| (1..ink.width.saturating_sub(1)).map(move |x| (x, y)))
        .filter(|(x, y)| {
            let near = |dy: usize| ink.row(y + dy - 1)[x - 1..=x + 1].iter().filter(|bit| **bit).count();
            ink.get(*x, *y) && near(0) + near(1) + near(2) == 1
        })
        .map(|(x, y)| y * ink.width + x)
        .collect();
    alone.into_iter().for_each(|at| ink.bits[at] = false);
}

/// Merges pieces until no two of them belong together.
fn merge_pieces(pieces: &mut Vec<Area>, stack: usize, barrier: &Mask) {
    loop {
        let before = pieces.len();
        let mut merged: Vec<Area> = Vec::with_capacity(before);
        for piece in pieces.drain(..) {
            match merged.iter_mut().find(|other| belong_together(**other, piece, stack, barrier)) {
                Some(other) => *other = other.around(piece),
                None => merged.push(piece),
            }
        }
        *pieces = merged;
        if pieces.len() == before {
            return;
        }
    }
}

/// Whether two pieces belong together: their boxes share more than a quarter of the smaller box, or
/// they are stacked closely in one column without a rule between them.
fn belong_together(a: Area, b: Area, stack: usize, barrier: &Mask) -> bool {
    // Pieces of a page do not overlap, but their boxes can. Then one piece is L-shaped, such as a
    // headline above a column that continues below the headline.
    if a.overlap(b) * 4 > a.size().min(b.size()) {
        return true;
    }
    let (upper, lower) = if a.top <= b.top { (a, b) } else { (b, a) };
    let narrow = a.width().min(b.width());
    let gap = lower.top.saturating_sub(upper.bottom);
    if a.shared_width(b) * 10 < narrow * 8 || gap > stack {
        return false;
    }
    // A rule separates two pieces if it covers at least half of the columns that they share.
    let left = a.left.max(b.left);
    let right = a.right.min(b.right);
    let (from, to) =
        (upper.bottom.min(lower.top).saturating_sub(1), lower.top.max(upper.bottom.min(lower.top) + 1));
    let barred = (left..right).filter(|x| (from..to.min(barrier.height)).any(|y| barrier.get(*x, y))).count();
    barred * 2 < right - left
}
