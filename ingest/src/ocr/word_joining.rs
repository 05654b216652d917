//! Rejoins split words: within a line, where the text layer split them, and at line ends, where a
//! hyphen split them.

use super::Paragraph;
use super::placed_word::PlacedWord;
use crate::base::Word;

/// Two words of a line with a gap of less than this many word heights are one word.
const MAX_TOUCHING_GAP: f64 = 0.06;
/// After these prefixes, a hyphen at a line end is part of the word.
const PREFIXES: [&str; 8] = ["non", "pre", "post", "semi", "self", "multi", "ex", "co"];

/// Rejoins words that the text layer split within a line: at a soft hyphen, where they touch, and
/// after a Tamil virama, whose narrow advance looks like a gap. Tesseract does not split words in
/// this way.
pub(super) fn rejoin_within_line(words: &mut Vec<PlacedWord>) {
    let virama = |placed: &PlacedWord| placed.word.text.ends_with('\u{0BCD}');
    let gap = |pair: &[PlacedWord]| pair[1].place[0] - pair[0].place[2];
    // A gap that does not follow a virama is a real space. The narrowest such gap gives the width
    // of a space in this line.
    let blank = words.windows(2).filter(|pair| !virama(&pair[0])).map(gap).reduce(f64::min);
    let mut joined: Vec<PlacedWord> = Vec::with_capacity(words.len());
    for next in words.drain(..) {
        let is_one = joined.last().is_some_and(|last| {
            let gap = next.place[0] - last.place[2];
            let first = next.word.text.chars().next().unwrap_or(' ');
            let goes_on = ('\u{0B80}'..='\u{0BFF}').contains(&first)
                && gap < blank.map_or(f64::MAX, |blank| 0.9 * blank).min(0.45 * last.height())
                || matches!(first, '.' | ',' | ';') && gap < 0.45 * last.height();
            last.word.text.ends_with('\u{AD}')
                || gap < MAX_TOUCHING_GAP * last.height()
                || virama(last) && goes_on
        });
        match joined.last_mut() {
            Some(last) if is_one => {
                last.place[2] = last.place[2].max(next.place[2]);
                append(&mut last.word, &next.word, false);
            }
            _ => joined.push(next),
        }
    }
    *words = joined;
}

/// Rejoins words across the ends of lines with a single cell. Removes all soft hyphens.
pub(super) fn rejoin_at_line_ends(paragraphs: &mut [Paragraph]) {
    for paragraph in paragraphs {
        for at in 0..paragraph.lines.len() {
            let (upper, lower) = paragraph.lines.split_at_mut(at + 1);
            let (Some(line), Some(next)) = (upper.last_mut(), lower.first_mut()) else { continue };
            let ([cell], [below]) = (line.cells.as_mut_slice(), next.cells.as_mut_slice()) else { continue };
            let (Some(last), Some(first)) = (cell.last_mut(), below.first()) else { continue };
            if let Some(drop_hyphen) = hyphenation(&last.text, &first.text) {
                join_words(last, first, drop_hyphen);
                below.remove(0);
            }
        }
        for line in &mut paragraph.lines {
            line.cells.retain(|cell| !cell.is_empty());
        }
        paragraph.lines.retain(|line| !line.cells.is_empty());
        for word in paragraph.lines.iter_mut().flat_map(|line| &mut line.cells).flatten() {
            if word.text.contains('\u{AD}') {
                word.text = word.text.replace('\u{AD}', "");
            }
        }
    }
}

/// Decides whether the last word of a line and the first word of the next line are one word.
/// `None` if they are separate words, otherwise whether the hyphen between them is dropped.
pub(super) fn hyphenation(last: &str, first: &str) -> Option<bool> {
    if last.ends_with(['\u{AD}', '\u{2010}']) || last.ends_with("\u{AD}-") {
        return Some(true);
    }
    let stem = last.strip_suffix('-')?;
    let (before, after) = (stem.chars().next_back()?, first.chars().next()?);
    if before.is_lowercase() && after.is_lowercase() {
        let start = stem.rsplit(|letter: char| !letter.is_alphabetic()).next().unwrap_or(stem).to_lowercase();
        return Some(!PREFIXES.contains(&start.as_str()));
    }
    // A telephone number or reference that is split after its own hyphen keeps the hyphen. The
    // signs `/-` end an amount.
    let numbered = !stem.ends_with('/')
        && stem.chars().any(|letter| letter.is_ascii_digit())
        && first.starts_with(|letter: char| letter.is_ascii_digit());
    numbered.then_some(false)
}

/// Joins the two parts of a word that a line end splits.
pub(super) fn join_words(last: &mut Word, first: &Word, drop_hyphen: bool) {
    if drop_hyphen {
        for text in [Some(&mut last.text), last.second_choice.as_mut()].into_iter().flatten() {
            text.truncate(text.trim_end_matches(['-', '\u{AD}', '\u{2010}']).len());
        }
    }
    append(last, first, true);
}

/// Appends the second part of a word. If the second part is on another line, the box stays the box
/// of the first part.
fn append(word: &mut Word, rest: &Word, other_line: bool) {
    let (a, b) = (word.text.chars().count() as f64, rest.text.chars().count() as f64);
    word.confidence = (word.confidence * a + rest.confidence * b) / (a + b).max(1.0);
    word.second_choice = match (word.second_choice.take(), &rest.second_choice) {
        (None, None) => None,
        (Some(first), second) => Some(first + second.as_ref().unwrap_or(&rest.text)),
        (None, Some(second)) => Some(format!("{}{second}", word.text)),
    };
    word.text.push_str(&rest.text);
    if !other_line {
        let right = (word.area[0] + word.area[2]).max(rest.area[0] + rest.area[2]);
        word.area[2] = right - word.area[0];
    }
}
