//! Features of the words around a date or an amount: their stems, and whether they come before or
//! after it. A stem is the first letters of a word, so that different forms of a word often share
//! a stem.

use crate::extract::{
    printed::Printed,
    rules::{
        cues::{ends_sentence, floor_char_boundary},
        pattern::patterns,
    },
};
use std::ops::Range;

/// The length of a stem in letters.
const STEM_LENGTH: usize = 5;
/// The number of words before a candidate that become features.
const WORDS_BEFORE: usize = 14;
/// The number of words before a candidate that count as near.
const NEAREST_BEFORE: usize = 5;
/// The number of words before a candidate whose pairs are also features.
const WORDS_IN_PAIRS: usize = 7;
/// The number of words after a candidate that become features.
const WORDS_AFTER: usize = 8;
/// The number of words after a candidate that count as near.
const NEAREST_AFTER: usize = 3;
/// The number of words before the previous candidate, in the same sentence, that become features.
const WORDS_BEYOND: usize = 10;
/// The maximum number of rows above a cell that are searched for its column header.
const ROWS_ABOVE: usize = 12;

/// How far a sentence may extend before and after a candidate, in bytes. Sinhala and Tamil letters
/// take three bytes.
const SENTENCE_REACH: usize = 900;

patterns! {
    STOP = r"[.;] |\n+";
    WORD = r"\p{L}[\p{L}\p{M}\u{200C}\u{200D}]+";
    LABEL = r"^\W*([^:\n]{2,60}?)\s?[:–]\s?[^:]{0,14}$";
}

/// The byte range of the sentence around a candidate. In a table, the range stays within the row.
pub(crate) fn sentence_or_row(printed: &Printed, item: &Range<usize>) -> Range<usize> {
    let text = printed.flow();
    let back = floor_char_boundary(text, item.start.saturating_sub(SENTENCE_REACH));
    let start = sentence_ends(text, back..item.start).last().unwrap_or(back);
    let ahead = floor_char_boundary(text, item.end + SENTENCE_REACH);
    let end = sentence_ends(text, item.end..ahead).next().unwrap_or(ahead);
    row_at(printed.text(), item.start)
        .map_or(start..end, |row| start.max(row.start)..end.min(row.end).max(item.end))
}

/// The ends of sentences, clauses and paragraphs within a range.
fn sentence_ends(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let ends = STOP.find_iter(&text[within.clone()]).map(move |stop| within.start + stop.end());
    ends.filter(|end| {
        let before = text[..*end].trim_end_matches(' ');
        before.strip_suffix('.').is_none_or(|before| ends_sentence(before, &text[before.len() + 1..]))
    })
}

/// The context features of a candidate. The previous candidate ends at `last_end`, and the next one
/// begins at `next_start`.
pub(crate) fn context_features(
    printed: &Printed,
    item: &Range<usize>,
    last_end: usize,
    next_start: usize,
) -> Vec<String> {
    let text = printed.flow();
    let scope = sentence_or_row(printed, item);
    let from = scope.start.max(last_end.min(item.start));
    let to = scope.end.min(next_start.max(item.end));
    let before = last_stems(stems(&text[from..item.start]), WORDS_BEFORE);
    let beyond = last_stems(stems(&text[scope.start..from]), WORDS_BEYOND);
    let mut features = Vec::new();
    for (nth, stem) in before.iter().rev().enumerate() {
        let side = if nth < NEAREST_BEFORE { "near before" } else { "far before" };
        features.extend([format!("{side}:{stem}"), format!("before:{stem}")]);
    }
    let paired = &before[before.len().saturating_sub(WORDS_IN_PAIRS)..];
    features.extend(paired.windows(2).map(|pair| format!("pair:{} {}", pair[0], pair[1])));
    for (nth, stem) in stems(&text[item.end..to]).into_iter().take(WORDS_AFTER).enumerate() {
        let side = if nth < NEAREST_AFTER { "near after" } else { "far after" };
        features.extend([format!("{side}:{stem}"), format!("after:{stem}")]);
    }
    features.extend(beyond.into_iter().map(|stem| format!("beyond:{stem}")));
    features.extend(stems(label_before(printed, item.start)).into_iter().map(|stem| format!("label:{stem}")));
    features.extend(column_header(printed, item.start).into_iter().map(|stem| format!("header:{stem}")));
    features.sort_unstable();
    features.dedup();
    features
}

/// The stems of the words of a text.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let stem = |word: regex::Match<'_>| {
        let letters = word.as_str().chars().filter(|c| !matches!(c, '\u{200C}' | '\u{200D}'));
        letters.flat_map(char::to_lowercase).take(STEM_LENGTH).collect()
    };
    WORD.find_iter(text).map(stem).collect()
}

fn last_stems(mut stems: Vec<String>, most: usize) -> Vec<String> {
    stems.split_off(stems.len().saturating_sub(most))
}

/// The line at a position.
fn line_at(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    start..text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The line at a position, if it is a table row.
fn row_at(text: &str, at: usize) -> Option<Range<usize>> {
    Some(line_at(text, at)).filter(|line| text[line.clone()].contains('\t'))
}

/// The label before a position: the first cell of its table row, or the text before a colon or
/// dash in its line.
fn label_before(printed: &Printed, at: usize) -> &str {
    let text = printed.text();
    let start = &text[line_at(text, at).start..at];
    match row_at(text, at) {
        Some(_) => start.split_once('\t').map_or("", |(first, _)| first),
        None => LABEL.captures(start).and_then(|groups| groups.get(1)).map_or("", |label| label.as_str()),
    }
}

/// The stems of the words above a cell in its column. Cells with a digit are left out.
fn column_header(printed: &Printed, at: usize) -> Vec<String> {
    let text = printed.text();
    let Some(row) = row_at(text, at) else { return Vec::new() };
    let column = text[row.start..at].matches('\t').count();
    let above = text[..row.start].trim_end_matches('\n').rsplit('\n').take(ROWS_ABOVE);
    let cells = above.take_while(|line| line.contains('\t')).filter_map(|line| line.split('\t').nth(column));
    cells.filter(|cell| !cell.contains(|c: char| c.is_ascii_digit())).flat_map(stems).collect()
}
