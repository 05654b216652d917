//! Which words of two readings stand in the same place.

use crate::ocr::placed_word::PlacedWord;

/// How far the middle of a word may lie beyond another's sides, in its heights.
const ASIDE: f64 = 0.1;

/// How far the middles of two words on one line may lie apart, in the first one's heights,
const APART: f64 = 0.6;

/// which are at least this, in pixels: a word of low letters alone is a low box.
const LOWEST: f64 = 12.0;

/// What another reading has where a word stands.
pub(super) fn said(lines: &[Vec<PlacedWord>], placed: &PlacedWord) -> String {
    let height = placed.height().max(LOWEST);
    let across = placed.place[0] - ASIDE * height..=placed.place[2] + ASIDE * height;
    let is_there = |other: &&PlacedWord| across.contains(&middle(other, 0)) && is_in_row(other, placed);
    let mut there: Vec<&PlacedWord> = lines.iter().flatten().filter(is_there).collect();
    there.sort_by(|a, b| a.place[0].total_cmp(&b.place[0]));
    there.into_iter().map(|placed| placed.word.text.as_str()).collect()
}

/// Whether a word of another reading stands in the row of a word.
pub(super) fn is_in_row(other: &PlacedWord, placed: &PlacedWord) -> bool {
    (middle(other, 1) - middle(placed, 1)).abs() < APART * placed.height().max(LOWEST)
}

/// The middle of a word's box, from left to right (0) or from top to bottom (1).
fn middle(placed: &PlacedWord, from: usize) -> f64 {
    f64::midpoint(placed.place[from], placed.place[from + 2])
}

/// A word without the signs around it: those are specks as often as signs.
pub(super) fn letters(word: &str) -> &str {
    word.trim_matches(|c: char| {
        c.is_ascii_punctuation() || matches!(c, '‘' | '’' | '“' | '”' | '–' | '—' | '•')
    })
}
