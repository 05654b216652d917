//! The words around a candidate as traits that carry over between wordings: beginnings of words, and on which side they stand.

use crate::extract::{
    printed::Printed,
    rules::{
        clause::{boundary, ends_sentence},
        pattern::patterns,
    },
};
use std::ops::Range;

/// So many letters of a word tell what it is about; what follows is its ending.
const STEM: usize = 5;
/// Words before a candidate that may tell what it is.
const WORDS_BEFORE: usize = 14;
/// The nearest of them, and those that are looked at in pairs.
const NEAREST_BEFORE: usize = 5;
const PAIRED: usize = 7;
/// Words after a candidate.
const WORDS_AFTER: usize = 8;
const NEAREST_AFTER: usize = 3;
/// Words before the candidate that stands before this one in its sentence.
const WORDS_BEYOND: usize = 10;
/// Rows above a cell that may be its header.
const ROWS_ABOVE: usize = 12;

/// How far a sentence is looked at, in bytes; Sinhala and Tamil letters take three.
const REACH: usize = 900;

patterns! {
    STOP = r"[.;] |\n+";
    WORD = r"\p{L}[\p{L}\p{M}\u{200C}\u{200D}]+";
    LABEL = r"^\W*([^:\n]{2,60}?)\s?[:–]\s?[^:]{0,14}$";
}

/// A candidate's sentence, or its row where it stands in a table.
pub(crate) fn scope(printed: &Printed, item: &Range<usize>) -> Range<usize> {
    let text = printed.flow();
    let back = boundary(text, item.start.saturating_sub(REACH));
    let start = stops(text, back..item.start).last().unwrap_or(back);
    let ahead = boundary(text, item.end + REACH);
    let end = stops(text, item.end..ahead).next().unwrap_or(ahead);
    row(printed.text(), item.start)
        .map_or(start..end, |row| start.max(row.start)..end.min(row.end).max(item.end))
}

/// Where sentences end within a range.
fn stops(text: &str, within: Range<usize>) -> impl Iterator<Item = usize> {
    let ends = STOP.find_iter(&text[within.clone()]).map(move |stop| within.start + stop.end());
    ends.filter(|end| {
        let before = text[..*end].trim_end_matches(' ');
        before.strip_suffix('.').is_none_or(|before| ends_sentence(before, &text[before.len() + 1..]))
    })
}

/// The words around a candidate. `last_end` and `next_start` are where its neighbours stand.
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

/// The beginnings of a text's words.
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

/// The line around `at`.
fn line(text: &str, at: usize) -> Range<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    start..text[at..].find('\n').map_or(text.len(), |end| at + end)
}

/// The line around `at`, where it is a table's row.
fn row(text: &str, at: usize) -> Option<Range<usize>> {
    Some(line(text, at)).filter(|line| text[line.clone()].contains('\t'))
}

/// A row's first cell, or what stands before a colon.
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
