//! [`Snippet`]: the passage of a tender with the most matches, as plain text, and the positions to
//! mark. The browser marks the matches, so no HTML from a tender is interpreted. Positions count
//! characters. Locked tenders have no snippet.

use crate::{analysis::stem, query::Highlight};
use std::{borrow::Cow, ops::Range};
use tender_model::{tender::Tender, text::Words};

/// The approximate length of a passage in characters.
const PASSAGE_LENGTH: usize = 220;
/// A passage is chosen for the matches within this many characters.
const MAX_MATCH_SPAN: usize = 180;
/// Text beyond this many bytes is ignored.
const MAX_BYTES: usize = 200_000;
/// Marks where a passage was cut.
const ELLIPSIS: char = '…';

/// A snippet of a tender in the results.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The searched words in the title, as sorted disjoint ranges of characters.
    pub title: Vec<Range<usize>>,
    /// A passage of the description or the full text, without markup. Empty if the tender has
    /// neither.
    pub text: String,
    /// The searched words in `text`, as sorted disjoint ranges of characters.
    pub marks: Vec<Range<usize>>,
}

impl Snippet {
    /// Chooses the best passage, and marks the matches in it and in the title.
    #[must_use]
    pub fn of(tender: &Tender, highlights: &[Highlight]) -> Self {
        let title = find_ranges(&tender.title, highlights);
        let passages = [
            Cow::Borrowed(tender.description.as_str()),
            strip_markdown(truncate(&tender.full_text_markdown)),
        ];
        let passages = passages.iter().filter(|text| !text.trim().is_empty());
        let best = passages
            .map(|text| Passage::best(text, highlights))
            .reduce(|best, next| if next.weight > best.weight { next } else { best });
        let (text, marks) = best.map(|passage| passage.into_text_and_marks()).unwrap_or_default();
        Self { title: to_character_ranges(&tender.title, &title), text, marks }
    }
}

/// A match: its bytes in the text, and the index of the matching highlight.
struct Hit {
    range: Range<usize>,
    highlight: usize,
}

/// A part of a text.
struct Passage<'a> {
    text: &'a str,
    words: Words,
    range: Range<usize>,
    hits: Vec<Hit>,
    /// How many different highlights match in the passage, and its number of matches, at most 9.
    weight: (usize, usize),
}

impl<'a> Passage<'a> {
    /// The first passage with the highest weight. Without matches, the start of the text.
    fn best(text: &'a str, highlights: &[Highlight]) -> Self {
        let text = truncate(text);
        let words = Words::of(text);
        let hits = find_hits(&words, highlights);
        let mut best = (0..0, (0, 0));
        for (index, first) in hits.iter().enumerate() {
            let reach = text[first.range.start..].char_indices().nth(MAX_MATCH_SPAN);
            let reach = reach.map_or(text.len(), |(end, _)| first.range.start + end);
            let within: Vec<&Hit> = hits[index..].iter().take_while(|hit| hit.range.end <= reach).collect();
            let mut different: Vec<usize> = within.iter().map(|hit| hit.highlight).collect();
            different.sort_unstable();
            different.dedup();
            let weight = (different.len(), within.len().min(9));
            if weight > best.1 {
                let end = within.iter().map(|hit| hit.range.end).max().unwrap_or(first.range.end);
                best = (first.range.start..end, weight);
            }
        }
        Self { text, words, range: best.0, hits, weight: best.1 }
    }

    /// The passage with its surroundings, cut at word boundaries, and its marks in characters.
    fn into_text_and_marks(mut self) -> (String, Vec<Range<usize>>) {
        let inside = self.text[self.range.clone()].chars().count();
        let room = PASSAGE_LENGTH.saturating_sub(inside);
        let before = if self.range.start == 0 { 0 } else { room / 3 };
        let back = self.text[..self.range.start].char_indices().rev().take(before).last();
        let start = back.map_or(self.range.start, |(at, _)| at);
        let forth = self.text[start..].char_indices().nth(PASSAGE_LENGTH.max(inside));
        let end = forth.map_or(self.text.len(), |(at, _)| (start + at).max(self.range.end));
        let places = self.words.ranges();
        let first = places.partition_point(|word| word.from < start);
        let last = places.partition_point(|word| word.to <= end);
        let start = if start == 0 { 0 } else { places.get(first).map_or(start, |word| word.from) };
        let start = start.min(self.range.start);
        let end = match last.checked_sub(1).and_then(|last| places.get(last)) {
            Some(word) if end < self.text.len() => word.to.max(self.range.end),
            _ => end,
        };
        self.range = start..end.max(start);
        let shown = self.text[self.range.clone()].trim_end();
        let mut text = String::with_capacity(shown.len() + 6);
        if start > 0 {
            text.push(ELLIPSIS);
        }
        let shift = text.len();
        text.push_str(shown);
        if start + shown.len() < self.text.trim_end().len() {
            text.push(ELLIPSIS);
        }
        let within = |hit: &Hit| {
            let inside = hit.range.start >= start && hit.range.end <= start + shown.len();
            inside.then(|| hit.range.start - start + shift..hit.range.end - start + shift)
        };
        let marks: Vec<Range<usize>> = self.hits.iter().filter_map(within).collect();
        let marks = to_character_ranges(&text, &marks);
        (text, marks)
    }
}

/// The start of a text, up to [`MAX_BYTES`].
fn truncate(text: &str) -> &str {
    let mut end = text.len().min(MAX_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn find_ranges(text: &str, highlights: &[Highlight]) -> Vec<Range<usize>> {
    find_hits(&Words::of(text), highlights).into_iter().map(|hit| hit.range).collect()
}

/// All matches in a text, by position.
fn find_hits(words: &Words, highlights: &[Highlight]) -> Vec<Hit> {
    let all: Vec<&str> = words.iter().collect();
    let places = words.ranges();
    let mut hits = Vec::new();
    for (at, place) in places.iter().enumerate() {
        for (index, highlight) in highlights.iter().enumerate() {
            let count = match highlight {
                Highlight::Word { word, stem } => usize::from(is_form(all[at], word, stem)),
                Highlight::Phrase { words, open } => {
                    let here = all[at..].get(..words.len()).unwrap_or_default();
                    if occurs(words, *open, here) { here.len() } else { 0 }
                }
            };
            if let Some(last) = count.checked_sub(1).and_then(|last| places.get(at + last)) {
                hits.push(Hit { range: place.from..last.to, highlight: index });
            }
        }
    }
    hits
}

/// Whether a word equals the searched word or, in English, has the same stem.
fn is_form(word: &str, searched: &str, stem_of_searched: &str) -> bool {
    // Stemming only changes word ends, so most words can be rejected without stemming.
    let alike = || word.bytes().zip(stem_of_searched.bytes()).take(2).all(|(one, other)| one == other);
    word == searched || (word.is_ascii() && alike() && stem(word) == stem_of_searched)
}

fn occurs(words: &[String], open: bool, here: &[&str]) -> bool {
    let Some((last, others)) = words.split_last() else { return false };
    let Some((last_here, others_here)) = here.split_last() else { return false };
    others.iter().zip(others_here).all(|(word, here)| word == here)
        && others.len() == others_here.len()
        && if open { last_here.starts_with(last.as_str()) } else { last_here == last }
}

/// Converts byte ranges to sorted character ranges, merging those that touch or overlap.
fn to_character_ranges(text: &str, ranges: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut sorted: Vec<Range<usize>> = ranges.to_vec();
    sorted.sort_unstable_by_key(|range| (range.start, range.end));
    let mut apart: Vec<Range<usize>> = Vec::new();
    for range in sorted {
        match apart.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => apart.push(range),
        }
    }
    let (mut counted, mut characters) = (0, 0);
    let mut character = |byte: usize| {
        characters += text[counted..byte].chars().count();
        counted = byte;
        characters
    };
    apart.into_iter().map(|range| character(range.start)..character(range.end)).collect()
}

/// Removes the markup of headings, lists, emphasis, tables and line breaks, and returns one line.
fn strip_markdown(markdown: &str) -> Cow<'_, str> {
    let mut text = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        let line = line.trim();
        if line.chars().all(|c| matches!(c, '-' | '|' | ':' | ' ' | '=' | '*' | '_')) {
            continue;
        }
        let line = line.trim_start_matches(['#', '>']).trim_start();
        let line = line.strip_prefix(['-', '*', '+']).filter(|rest| rest.starts_with(' ')).unwrap_or(line);
        for part in line.split(['|', ' ', '\t']) {
            let part = part.replace("**", "").replace("__", "");
            let part = part.trim_end_matches('\\');
            if !part.is_empty() {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(part);
            }
        }
    }
    Cow::Owned(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word(word: &str) -> Highlight {
        Highlight::Word { word: word.to_owned(), stem: stem(word) }
    }

    fn marked(text: &str, marks: &[Range<usize>]) -> Vec<String> {
        let characters: Vec<char> = text.chars().collect();
        marks.iter().map(|mark| characters[mark.clone()].iter().collect()).collect()
    }

    fn tender(title: &str, description: &str, full_text: &str) -> Tender {
        Tender {
            title: title.to_owned(),
            description: description.to_owned(),
            full_text_markdown: full_text.to_owned(),
            ..Tender::default()
        }
    }

    #[test]
    fn the_passage_with_most_matches_is_shown() {
        let full_text = format!(
            "# Notice\n\n{} the **bridges** over\nthe river | and more {}",
            "Roads. ".repeat(90),
            "end ".repeat(90)
        );
        let snippet =
            Snippet::of(&tender("A bridge", "Roads only", &full_text), &[word("bridge"), word("river")]);
        assert_eq!(marked("A bridge", &snippet.title), ["bridge"]);
        assert_eq!(marked(&snippet.text, &snippet.marks), ["bridges", "river"]);
        assert!(snippet.text.starts_with('…') && snippet.text.ends_with('…'), "{}", snippet.text);
        assert!((160..=240).contains(&snippet.text.chars().count()), "{}", snippet.text);
        assert!(!snippet.text.contains(['*', '|', '\n']), "{}", snippet.text);
    }

    #[test]
    fn names_with_endings_and_phrases_are_marked() {
        let highlights =
            Highlight::Phrase { words: vec!["யாழ்ப்பாண".to_owned()], open: true };
        let snippet = Snippet::of(&tender("", "உள்ள யாழ்ப்பாணத்தில் வேலை", ""), &[highlights]);
        assert_eq!(marked(&snippet.text, &snippet.marks), ["யாழ்ப்பாணத்தில்"]);
        let highlights =
            Highlight::Phrase { words: vec!["road".to_owned(), "works".to_owned()], open: false };
        let snippet = Snippet::of(&tender("", "Works, road-works and road works", ""), &[highlights]);
        assert_eq!(marked(&snippet.text, &snippet.marks), ["road-works", "road works"]);
    }

    #[test]
    fn without_a_match_the_start_is_shown() {
        let snippet = Snippet::of(&tender("Title", "", &"word ".repeat(100)), &[word("bridge")]);
        assert!(snippet.text.starts_with("word word") && snippet.text.ends_with("word…"));
        assert_eq!((snippet.title, snippet.marks), (vec![], vec![]));
        assert_eq!(Snippet::of(&tender("Title", " ", ""), &[]), Snippet::default());
    }

    proptest! {
        #[test]
        fn marks_are_disjoint_and_inside_the_text(description in "(bridge|ගාල්ලේ|é|ß|\u{AD}|\u{301}|[a-z ]|\\PC){0,300}", full_text in "\\PC{0,300}") {
            let highlights = [word("bridge"), Highlight::Phrase { words: vec!["ගාල්ල".to_owned()], open: true }];
            let snippet = Snippet::of(&tender("a bridge", &description, &full_text), &highlights);
            let length = snippet.text.chars().count();
            prop_assert!(length <= 260 + 255);
            let mut end = 0;
            for mark in &snippet.marks {
                prop_assert!(mark.start >= end && mark.start < mark.end && mark.end <= length);
                end = mark.end;
            }
        }
    }
}
