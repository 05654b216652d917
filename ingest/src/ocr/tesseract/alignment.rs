//! Aligns the words of two readings by position.

use crate::{base::Word, ocr::placed_word::PlacedWord};

/// How far the centre of another word may lie beyond the sides of the sought word, in heights of
/// the sought word.
const MAX_HORIZONTAL_DISTANCE: f64 = 0.1;

/// How far apart vertically the centres of the sought word and of a word in its row may be, in
/// heights of the sought word.
const MAX_VERTICAL_DISTANCE: f64 = 0.6;

/// The smallest height that counts for the sought word, in pixels. A word of low letters has a low
/// box.
const MIN_HEIGHT: f64 = 12.0;

/// The text of another reading at the position of the sought word `placed`, without spaces.
pub(super) fn text_at(lines: &[Vec<PlacedWord>], placed: &PlacedWord) -> String {
    let height = placed.height().max(MIN_HEIGHT);
    let across = placed.place[0] - MAX_HORIZONTAL_DISTANCE * height
        ..=placed.place[2] + MAX_HORIZONTAL_DISTANCE * height;
    let is_there = |other: &&PlacedWord| across.contains(&middle(other, 0)) && is_in_row(other, placed);
    let mut there: Vec<&PlacedWord> = lines.iter().flatten().filter(is_there).collect();
    there.sort_by(|a, b| a.place[0].total_cmp(&b.place[0]));
    there.into_iter().map(|placed| placed.word.text.as_str()).collect()
}

/// Whether the word `other` of another reading is in the row of the sought word `placed`.
pub(super) fn is_in_row(other: &PlacedWord, placed: &PlacedWord) -> bool {
    (middle(other, 1) - middle(placed, 1)).abs() < MAX_VERTICAL_DISTANCE * placed.height().max(MIN_HEIGHT)
}

/// The centre of the box of a word: horizontal (0) or vertical (1).
fn middle(placed: &PlacedWord, from: usize) -> f64 {
    f64::midpoint(placed.place[from], placed.place[from + 2])
}

/// How far the lengths of two readings of a word may differ, in characters. A longer reading may
/// include a neighbouring word.
pub(super) const MAX_LENGTH_DIFFERENCE: usize = 2;

/// Keeps `said`, another reading at the position of a word, as the second choice of the word. The
/// punctuation around the word stays. Nothing is kept if the readings agree or if their lengths are
/// too different.
pub(super) fn keep_second_choice(word: &mut Word, said: &str) {
    let (own, said) = (bare_word(&word.text), bare_word(said));
    let length = |text: &str| text.chars().count();
    word.second_choice = (!own.is_empty()
        && !said.is_empty()
        && own != said
        && length(own).abs_diff(length(said)) <= MAX_LENGTH_DIFFERENCE)
        .then(|| word.text.replacen(own, said, 1));
}

/// Removes the punctuation around a word. It is often a misread speck.
pub(super) fn bare_word(word: &str) -> &str {
    word.trim_matches(|c: char| {
        c.is_ascii_punctuation() || matches!(c, '‘' | '’' | '“' | '”' | '–' | '—' | '•')
    })
}
