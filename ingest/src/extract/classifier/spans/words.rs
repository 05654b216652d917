//! The words of a text, with the separators between them, and the classes that become features.

use std::ops::Range;

/// The length of a stem in letters.
const STEM_LENGTH: usize = 5;

/// The separator before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Gap {
    Space,
    Line,
    Paragraph,
    Cell,
}

pub(super) struct Word<'t> {
    pub(super) range: Range<usize>,
    pub(super) text: &'t str,
    pub(super) gap: Gap,
    /// The line number, from 0. Blank lines do not count.
    pub(super) line: usize,
    pub(super) stem: String,
}

/// Splits a text at white space.
pub(super) fn split_words(text: &str) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut line = 0;
    let mut gap = Gap::Paragraph;
    let mut breaks = 0;
    let mut start = None;
    for (at, letter) in text.char_indices().chain([(text.len(), '\n')]) {
        if !letter.is_whitespace() {
            start.get_or_insert(at);
            continue;
        }
        if let Some(from) = start.take() {
            let word = &text[from..at];
            found.push(Word { range: from..at, text: word, gap, line, stem: stem(word) });
            gap = Gap::Space;
            breaks = 0;
        }
        match letter {
            '\n' => {
                breaks += 1;
                line += usize::from(breaks == 1);
                gap = if breaks > 1 { Gap::Paragraph } else { Gap::Line };
            }
            '\t' => gap = Gap::Cell,
            _ => {}
        }
    }
    found
}

/// The lines of a text, each as a range of word indexes.
pub(super) fn group_lines(words: &[Word<'_>]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = Vec::new();
    for (nth, word) in words.iter().enumerate() {
        match lines.last_mut() {
            Some(last) if words[last.start].line == word.line => last.end = nth + 1,
            _ => lines.push(nth..nth + 1),
        }
    }
    lines
}

fn stem(word: &str) -> String {
    if word.chars().any(|c| c.is_ascii_digit()) {
        let sign = if word.contains('/') {
            "/"
        } else if word.contains(':') {
            ":"
        } else if word.contains('-') {
            "-"
        } else {
            ""
        };
        return format!("#{sign}");
    }
    let letters =
        word.chars().filter(|c| c.is_alphabetic() || matches!(*c as u32, 0x0D80..=0x0DFF | 0x0B80..=0x0BFF));
    letters.flat_map(char::to_lowercase).take(STEM_LENGTH).collect()
}

pub(super) fn comparable_text(words: &[Word<'_>]) -> String {
    let letters = |word: &Word<'_>| {
        word.text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    words.iter().map(letters).collect::<Vec<_>>().join(" ")
}

pub(super) fn looks_like_reference(word: &str) -> bool {
    word.contains(['/', '-'])
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_uppercase())
}

pub(super) fn starts_lowercase_or_bracket(word: &str) -> bool {
    word.starts_with(|c: char| c.is_lowercase()) || word.starts_with('(')
}

pub(super) fn opens_with_capital(word: &str) -> bool {
    let first = word.trim_start_matches(['"', '“', '\'', '‘', '(']).chars().next();
    first.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
}

pub(super) fn ends_sentence(words: &[Word<'_>], nth: usize) -> bool {
    let (word, Some(next)) = (words[nth].text, words.get(nth + 1)) else { return false };
    let bare = word.trim_end_matches('.');
    word.ends_with('.')
        && next.gap != Gap::Cell
        && !starts_lowercase_or_bracket(next.text)
        && bare.chars().count() > 1
        && !matches!(
            bare.to_lowercase().as_str(),
            "no" | "nos" | "rs" | "mr" | "dr" | "st" | "ltd" | "dept" | "tel" | "ref"
        )
}

pub(super) fn length_class(words: usize) -> &'static str {
    match words {
        1 => "1",
        2 => "2",
        3 => "3",
        4..=5 => "5",
        6..=8 => "8",
        9..=12 => "12",
        13..=18 => "18",
        _ => "more",
    }
}

pub(super) fn case_class(words: &[Word<'_>]) -> &'static str {
    let (mut upper, mut lower, mut none) = (0, 0, 0);
    for letter in words.iter().flat_map(|word| word.text.chars()) {
        if letter.is_uppercase() {
            upper += 1;
        } else if letter.is_lowercase() {
            lower += 1;
        } else if letter.is_alphabetic() {
            none += 1;
        }
    }
    let capitals = words.iter().filter(|word| opens_with_capital(word.text)).count();
    if none > upper + lower {
        "none"
    } else if upper > 3 && lower * 9 < upper {
        "upper"
    } else if capitals * 2 >= words.len() {
        "title"
    } else {
        "lower"
    }
}

/// Whether a word numbers an item, such as `1.`, `(a)` or `•`.
pub(super) fn is_enumerator(word: &str) -> bool {
    let bare = word.trim_matches(['(', ')', '.']);
    bare.chars().count() <= 2 && bare.len() < word.len() && bare.chars().all(|c| c.is_ascii_alphanumeric())
        || word.chars().all(|c| !c.is_alphanumeric())
}
