//! Features of the words around a candidate: stems and the side on which they are. Stems carry over
//! between wordings.

use crate::extract::{
    printed::Printed,
    rules::{
        clause::{boundary, ends_sentence},
        pattern::patterns,
    },
};
use std::ops::Range;

/// The length of a stem in letters. The rest of a word is its ending.
const STEM: usize = 5;
/// The number of words before a candidate.
const WORDS_BEFORE: usize = 14;
/// The number of nearest words before it, and of words used in pairs.
const NEAREST_BEFORE: usize = 5;
const PAIRED: usize = 7;
/// The number of words after a candidate.
const WORDS_AFTER: usize = 8;
const NEAREST_AFTER: usize = 3;
/// The number of words before the previous candidate in the sentence.
const WORDS_BEYOND: usize = 10;
/// The most rows between a cell and its header.
const ROWS_ABOVE: usize = 12;

/// The reach of a sentence, in bytes. Sinhala and Tamil letters take three bytes.
const REACH: usize = 900;

patterns! {
    STOP = r"[.;] |\n+";
    WORD = r"\p{L}[\p{L}\p{M}\u{200C}\u{200D}]+";
    LABEL = r"^\W*([^:\n]{2,60}?)\s?[:–]\s?[^:]{0,14}$";
}

/// The sentence of a candidate, or its table row.
pub(crate) fn scope(printed: &Printed, item: &Range<usize>) -> Range<usize> {
    let text = printed.flow();
    let back = boundary(text, item.start.saturating_sub(REACH));
    let start = stops(text, back..item.start).last().unwrap_or(back);
    let ahead = boundary(text, item.end + REACH);
    let end = stops(text, item.end..ahead).next().unwrap_or(ahead);
    row(printed.text(), item.start)
        .map_or(start..end, |row| start.max(row.start)..end.min(row.end).max(item.end))
}

/// The ends of sentences within a range.
fn stops(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let ends = STOP.find_iter(&text[within.clone()]).map(move |stop| within.start + stop.end());
    ends.filter(|end| {
        let before = text[..*end].trim_end_matches(' ');
        before.strip_suffix('.').is_none_or(|before| ends_sentence(before, &text[before.len() + 1..]))
    })
}

/// The context features of a candidate. `last_end` and `next_start` delimit its neighbours.
pub(crate) fn around(
    printed: &Printed,
    item: &Range<usize>,
    last_end: usize,
    next_start: usize,
) -> Vec<String> {
    let text = printed.flow();
    let scope = scope(printed, item);
    let from = scope.start.max(last_end.min(item.start));
    let to = scope.end.min(next_start.max(item.end));
    let before = last(stems(&text[from..item.start]), WORDS_BEFORE);
    let beyond = last(stems(&text[scope.start..from]), WORDS_BEYOND);
    let mut features = Vec::new();
    for (nth, stem) in before.iter().rev().enumerate() {
        let side = if nth < NEAREST_BEFORE { "near before" } else { "far before" };
        features.extend([format!("{side}:{stem}"), format!("before:{stem}")]);
    }
    let paired = &before[before.len().saturating_sub(PAIRED)..];
    features.extend(paired.windows(2).map(|pair| format!("pair:{} {}", pair[0], pair[1])));
    for (nth, stem) in stems(&text[item.end..to]).into_iter().take(WORDS_AFTER).enumerate() {
        let side = if nth < NEAREST_AFTER { "near after" } else { "far after" };
        features.extend([format!("{side}:{stem}"), format!("after:{stem}")]);
    }
    features.extend(beyond.into_iter().map(|stem| format!("beyond:{stem}")));
    features.extend(stems(label(printed, item.start)).into_iter().map(|stem| format!("label:{stem}")));
    features.extend(header(printed, item.start).into_iter().map(|stem| format!("header:{stem}")));
    features.sort_unstable();
    features.dedup();
    features
}

/// The stems of the words of a text.
pub(crate) fn stems(text: &str) -> Vec<String> {
    let stem = |word: regex::Match<'_>| {
        let letters = word.as_str().chars().filter(|c| !matches!(c, '\u{200C}' | '\u{200D}'));
        letters.flat_map(char::to_lowercase).take(STEM).collect()
    };
    WORD.find_iter(text).map(stem).collect()
}

fn last(mut stems: Vec<String>, most: usize) -> Vec<String> {
    stems.split_off(stems.len().saturating_sub(most))
}

/// The line at a position.
fn line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    start..text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The line at a position, if it is a table row.
fn row(text: &str, at: usize) -> Option<Range<usize>> {
    Some(line(text, at)).filter(|line| text[line.clone()].contains('\t'))
}

/// The first cell of a row, or the text before a colon.
fn label(printed: &Printed, at: usize) -> &str {
    let text = printed.text();
    let start = &text[line(text, at).start..at];
    match row(text, at) {
        Some(_) => start.split_once('\t').map_or("", |(first, _)| first),
        None => LABEL.captures(start).and_then(|groups| groups.get(1)).map_or("", |label| label.as_str()),
    }
}

/// The words above a cell in its column.
fn header(printed: &Printed, at: usize) -> Vec<String> {
    let text = printed.text();
    let Some(row) = row(text, at) else { return Vec::new() };
    let column = text[row.start..at].matches('\t').count();
    let above = text[..row.start].trim_end_matches('\n').rsplit('\n').take(ROWS_ABOVE);
    let cells = above.take_while(|line| line.contains('\t')).filter_map(|line| line.split('\t').nth(column));
    cells.filter(|cell| !cell.contains(|c: char| c.is_ascii_digit())).flat_map(stems).collect()
}
