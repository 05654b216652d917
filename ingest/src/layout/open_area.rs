//! The open area: everything outside the frames. Its ink is smeared into blobs that do not cross a
//! rule or a frame, except the rules of a table. Blobs of one column with nothing between them are
//! merged.

use super::components::components;
use super::mask::{Area, Mask};
use super::ruling_lines::Rules;

/// White gaps up to this width are smeared within lines, in millimetres. It is less than a gutter
/// between columns.
const SMEAR_ACROSS: f64 = 2.6;
/// White gaps up to this height are smeared between lines, in millimetres.
const SMEAR_DOWN: f64 = 4.5;
/// Stacked pieces that are this close are merged, in millimetres, unless a rule separates them.
const MAX_STACK_GAP: f64 = 7.0;
/// The smallest width of a piece, in millimetres. A smaller piece is a page header or a stain.
const MIN_WIDTH: f64 = 18.0;
/// The smallest height of a piece, in millimetres.
const MIN_HEIGHT: f64 = 10.0;
/// The margin around the ink of a piece, in millimetres, so that no letter touches the edge.
pub(super) const MARGIN: f64 = 0.8;
/// Ink this close to a frame or a rule belongs to it, in millimetres.
const RULE_REACH: f64 = 0.6;

/// Finds the pieces of the open area outside `barred`. All boxes and `ink` are in the resolution of
/// the rules.
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
    merge(&mut pieces, rules.pixels(MAX_STACK_GAP), &barrier);
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

/// Merges pieces until none lies in another and none is stacked closely on another of its column.
fn merge(pieces: &mut Vec<Area>, stack: usize, barrier: &Mask) {
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

/// Whether two pieces belong together.
fn belong_together(a: Area, b: Area, stack: usize, barrier: &Mask) -> bool {
    // Pieces of a page do not overlap. If their boxes do, one piece is L-shaped, such as a headline
    // above a column that continues below it.
    if a.overlap(b) * 4 > a.size().min(b.size()) {
        return true;
    }
    let (upper, lower) = if a.top <= b.top { (a, b) } else { (b, a) };
    let narrow = a.width().min(b.width());
    let gap = lower.top.saturating_sub(upper.bottom);
    if a.shared_width(b) * 10 < narrow * 8 || gap > stack {
        return false;
    }
    // A rule separates two pieces if it crosses most of the narrower one.
    let left = a.left.max(b.left);
    let right = a.right.min(b.right);
    let (from, to) =
        (upper.bottom.min(lower.top).saturating_sub(1), lower.top.max(upper.bottom.min(lower.top) + 1));
    let barred = (left..right).filter(|x| (from..to.min(barrier.height)).any(|y| barrier.get(*x, y))).count();
    barred * 2 < right - left
}
