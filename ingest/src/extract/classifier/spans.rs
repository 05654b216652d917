//! Candidate spans for the title and the organisation. A span starts and ends at the edge of a
//! line, cell, label, quotation, clause or sentence, where the case changes, or beside certain
//! words. The features of a span describe its start, its end and its words.

use super::labels::{BIAS, Weights};
use crate::extract::{printed::Printed, rules::heading::was_wrapped};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// The maximum number of words in a span.
const MAX_WORDS: usize = 40;
/// The maximum number of line breaks in a span.
const MAX_BREAKS: usize = 4;
/// The maximum number of ends that are paired with one start.
const MAX_ENDS: usize = 16;
/// The minimum number of letters in a span.
const MIN_LETTERS: usize = 6;
/// The length of a stem in letters.
const STEM_LENGTH: usize = 5;
/// The number of words of a neighbouring line that become features.
const NEIGHBOUR_WORDS: usize = 4;
/// A span has the feature `counted` if more than one in this many of its words has a digit.
const WORDS_PER_NUMBER: usize = 3;
/// A line without a box is full if the line and the first word of the next line together exceed
/// this fraction of the longest line. Lengths are in characters.
const FULL_LINE: (usize, usize) = (9, 10);
/// The features treat a higher number of line breaks like this number.
const MAX_DISTINCT_BREAKS: usize = 3;

/// Words that follow the object of a sentence, in scripts without capitals.
const AFTER_OBJECT: [&str; 12] = [
    "සඳහා",
    "පිළිබඳ",
    "පිළිබඳව",
    "වෙනුවෙන්",
    "සම්බන්ධයෙන්",
    "කිරීමට",
    "தொடர்பில்",
    "தொடர்பாக",
    "என்பதற்கு",
    "ஆகியவற்றுக்கு",
    "குறித்து",
    "எனும்",
];
/// Words that follow the agent of a sentence, in scripts without capitals.
const AFTER_AGENT: [&str; 12] =
    ["විසින්", "මගින්", "වෙතින්", "විසින්ද", "වන", "සිට", "நடைபெறும்", "மூலம்", "என்ற", "ஆகிய", "இனால்", "எனும்"];

/// The separator before a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Gap {
    Space,
    Line,
    Paragraph,
    Cell,
}

struct Word<'t> {
    range: Range<usize>,
    text: &'t str,
    gap: Gap,
    /// The line number, from 0. Blank lines do not count.
    line: usize,
    stem: String,
}

/// A position where a span may begin or end, with its features.
struct Edge {
    word: usize,
    at: usize,
    kind: &'static str,
    features: Vec<String>,
}

/// The candidate spans of a text.
pub struct Spans<'t> {
    text: &'t str,
    words: Vec<Word<'t>>,
    starts: Vec<Edge>,
    ends: Vec<Edge>,
    spans: Vec<Span>,
    /// The indexes of the words that begin a line because they did not fit on the line above.
    after_wraps: HashSet<usize>,
}

/// A start and an end, as indexes of edges.
struct Span {
    start: usize,
    end: usize,
    /// Whether another span has the same words.
    is_repeated: bool,
}

impl<'t> Spans<'t> {
    /// Finds the candidate spans of a notice.
    #[must_use]
    pub fn of(printed: &'t Printed) -> Self {
        let text = printed.text();
        let words = words(text);
        let lines = lines(&words);
        let starts = (0..words.len()).filter_map(|nth| start_edge(&words, &lines, nth)).collect();
        let ends = (0..words.len()).filter_map(|nth| end_edge(&words, &lines, nth)).collect();
        let after_wraps = words_after_wraps(printed, &words, &lines);
        let mut spans = Self { text, words, starts, ends, spans: Vec::new(), after_wraps };
        spans.pair_edges();
        spans.mark_repeated();
        spans
    }

    /// Pairs each start with the next ends in the same paragraph, cell and sentence.
    fn pair_edges(&mut self) {
        let stops: Vec<bool> = (0..self.words.len()).map(|nth| ends_sentence(&self.words, nth)).collect();
        let mut first_end = 0;
        for (nth, start) in self.starts.iter().enumerate() {
            while self.ends.get(first_end).is_some_and(|end| end.word < start.word) {
                first_end += 1;
            }
            let (mut breaks, mut seen, mut count) = (0, start.word, 0);
            for (offset, end) in self.ends[first_end..].iter().enumerate() {
                let passed = &self.words[seen + 1..=end.word.max(seen)];
                breaks += passed.iter().filter(|word| word.gap == Gap::Line).count();
                let is_cut = passed.iter().any(|word| matches!(word.gap, Gap::Paragraph | Gap::Cell))
                    || stops[seen..end.word.max(seen)].contains(&true);
                seen = end.word.max(seen);
                let is_long = end.word >= start.word + MAX_WORDS || breaks > MAX_BREAKS;
                if is_cut || is_long || count >= MAX_ENDS {
                    break;
                }
                if start.at < end.at && may_be_name(&self.text[start.at..end.at]) {
                    self.spans.push(Span { start: nth, end: first_end + offset, is_repeated: false });
                    count += 1;
                }
            }
        }
    }

    fn mark_repeated(&mut self) {
        let all: Vec<String> = self.spans.iter().map(|span| comparable_text(self.words_of(span))).collect();
        let mut seen: HashSet<&str> = HashSet::new();
        let twice: HashSet<&str> =
            all.iter().map(String::as_str).filter(|words| !seen.insert(words)).collect();
        for (span, words) in self.spans.iter_mut().zip(&all) {
            span.is_repeated = twice.contains(words.as_str());
        }
    }

    fn words_of(&self, span: &Span) -> &[Word<'t>] {
        &self.words[self.starts[span.start].word..=self.ends[span.end].word]
    }

    /// The number of spans.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spans.len()
    }

    /// Whether there are no spans.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The byte range of a span.
    #[must_use]
    pub fn range(&self, nth: usize) -> Range<usize> {
        let span = &self.spans[nth];
        self.starts[span.start].at..self.ends[span.end].at
    }

    /// The features of a span.
    #[must_use]
    pub fn features(&self, nth: usize) -> Vec<String> {
        let span = &self.spans[nth];
        let mut all = self.starts[span.start].features.clone();
        all.extend(self.ends[span.end].features.iter().cloned());
        all.extend(self.words_of(span).iter().map(|word| word_feature(&word.stem)));
        all.extend(self.whole_span_features(span));
        without_duplicates(all)
    }

    /// The score of each span, which is the sum of the weights of its features. A text without a
    /// name is represented by a null span with score 0.
    #[must_use]
    pub(crate) fn scores(&self, weights: &Weights<1>) -> Vec<f64> {
        let weight = |name: &str| weights.get(name).map_or(0.0, |[weight]| *weight);
        let of_edge = |edge: &Edge| edge.features.iter().map(|name| weight(name)).sum::<f64>();
        let starts: Vec<f64> = self.starts.iter().map(of_edge).collect();
        let ends: Vec<f64> = self.ends.iter().map(of_edge).collect();
        let words: Vec<f64> = self.words.iter().map(|word| weight(&word_feature(&word.stem))).collect();
        let before = previous_occurrences(&self.words);
        let bias = weight(BIAS);
        let sums = self.spans.iter().map(|span| {
            let (from, to) = (self.starts[span.start].word, self.ends[span.end].word);
            // A repeated word counts once.
            let once = (from..=to).filter(|nth| before[*nth].is_none_or(|last| last < from));
            let inside: f64 = once.map(|nth| words[nth]).sum();
            let whole: f64 = self.whole_span_features(span).iter().map(|name| weight(name)).sum();
            bias + starts[span.start] + ends[span.end] + inside + whole
        });
        sums.collect()
    }

    /// The features of a span as a whole.
    fn whole_span_features(&self, span: &Span) -> Vec<String> {
        let words = self.words_of(span);
        let (from, to) = (&self.starts[span.start], &self.ends[span.end]);
        let breaks = words[1..].iter().filter(|word| word.gap == Gap::Line).count();
        let (first, last) = (&words[0].stem, &words[words.len() - 1].stem);
        let mut features = vec![
            format!("kinds {} {}", from.kind, to.kind),
            format!("long {}", length_class(words.len())),
            format!("case {}", case_class(words)),
            format!("lines {}", breaks.min(MAX_DISTINCT_BREAKS)),
            format!("first:{first}"),
            format!("last:{last}"),
            format!("last two:{} {last}", words[words.len().max(2) - 2].stem),
        ];
        let holds = |is: fn(&str) -> bool| words.iter().any(|word| is(word.text));
        let flags = [
            ("again", span.is_repeated),
            ("numbered", holds(looks_like_reference)),
            ("labelled", holds(|word| word.contains(':'))),
            (
                "counted",
                words.iter().filter(|word| word.stem.starts_with('#')).count() * WORDS_PER_NUMBER
                    > words.len(),
            ),
        ];
        features.extend(flags.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()));
        for (offset, pair) in words.windows(2).enumerate().filter(|(_, pair)| pair[1].gap == Gap::Line) {
            let joins = pair[0].text.ends_with([',', '-', '&'])
                || starts_small(pair[0].text)
                || starts_small(pair[1].text);
            let flags = [
                (
                    if self.after_wraps.contains(&(from.word + offset + 1)) {
                        "breaks full"
                    } else {
                        "breaks short"
                    },
                    true,
                ),
                (if joins { "joins" } else { "breaks" }, true),
                ("breaks case", case_class(&pair[..1]) != case_class(&pair[1..])),
            ];
            features.extend(flags.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()));
        }
        without_duplicates(features)
    }
}

/// The indexes of the words that begin a line because they did not fit on the line above.
fn words_after_wraps(printed: &Printed, words: &[Word<'_>], lines: &[Range<usize>]) -> HashSet<usize> {
    let bytes = |line: &Range<usize>| words[line.start].range.start..words[line.end - 1].range.end;
    let letters = |range: Range<usize>| printed.text()[range].chars().count();
    let widest = lines.iter().map(|line| letters(bytes(line))).max().unwrap_or(0);
    let column =
        lines.iter().filter_map(|line| printed.area(&bytes(line))).map(|area| area[2]).fold(0.0, f64::max);
    let is_broken = |above: &Range<usize>, line: &Range<usize>| {
        if printed.area(&bytes(above)).is_some() {
            return was_wrapped(printed, &bytes(above), &bytes(line), column);
        }
        letters(bytes(above)) + letters(words[line.start].range.clone()) > widest * FULL_LINE.0 / FULL_LINE.1
    };
    let pairs = lines.windows(2).filter(|pair| words[pair[1].start].gap == Gap::Line);
    pairs.filter(|pair| is_broken(&pair[0], &pair[1])).map(|pair| pair[1].start).collect()
}

/// Removes duplicate features.
fn without_duplicates(mut features: Vec<String>) -> Vec<String> {
    features.sort_unstable();
    features.dedup();
    features
}

/// The feature of a word within a span.
fn word_feature(stem: &str) -> String {
    format!("in:{stem}")
}

/// For each word, the position of the previous word with the same stem.
fn previous_occurrences(words: &[Word<'_>]) -> Vec<Option<usize>> {
    let mut last: HashMap<&str, usize> = HashMap::new();
    words.iter().enumerate().map(|(nth, word)| last.insert(word.stem.as_str(), nth)).collect()
}

/// Whether a text has enough letters to be a name and no e-mail address.
fn may_be_name(text: &str) -> bool {
    text.chars().filter(|c| c.is_alphabetic()).count() >= MIN_LETTERS && !text.contains('@')
}

fn words(text: &str) -> Vec<Word<'_>> {
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

/// The lines, each as a range of word indexes.
fn lines(words: &[Word<'_>]) -> Vec<Range<usize>> {
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

fn comparable_text(words: &[Word<'_>]) -> String {
    let letters = |word: &Word<'_>| {
        word.text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    words.iter().map(letters).collect::<Vec<_>>().join(" ")
}

fn looks_like_reference(word: &str) -> bool {
    word.contains(['/', '-'])
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_uppercase())
}

fn starts_small(word: &str) -> bool {
    word.starts_with(|c: char| c.is_lowercase()) || word.starts_with('(')
}

fn opens_with_capital(word: &str) -> bool {
    let first = word.trim_start_matches(['"', '“', '\'', '‘', '(']).chars().next();
    first.is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
}

fn ends_sentence(words: &[Word<'_>], nth: usize) -> bool {
    let (word, Some(next)) = (words[nth].text, words.get(nth + 1)) else { return false };
    let bare = word.trim_end_matches('.');
    word.ends_with('.')
        && next.gap != Gap::Cell
        && !starts_small(next.text)
        && bare.chars().count() > 1
        && !matches!(
            bare.to_lowercase().as_str(),
            "no" | "nos" | "rs" | "mr" | "dr" | "st" | "ltd" | "dept" | "tel" | "ref"
        )
}

fn length_class(words: usize) -> &'static str {
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

fn case_class(words: &[Word<'_>]) -> &'static str {
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
fn is_enumerator(word: &str) -> bool {
    let bare = word.trim_matches(['(', ')', '.']);
    bare.chars().count() <= 2 && bare.len() < word.len() && bare.chars().all(|c| c.is_ascii_alphanumeric())
        || word.chars().all(|c| !c.is_alphanumeric())
}

/// The start of a span at a word, if a span may start there.
fn start_edge(words: &[Word<'_>], lines: &[Range<usize>], nth: usize) -> Option<Edge> {
    let word = &words[nth];
    let line = lines.partition_point(|line| line.end <= nth);
    let last = nth.checked_sub(1).map(|last| &words[last]);
    let is_first = lines[line].start == nth;
    let in_list = nth > 0
        && !is_first
        && lines[line].start == nth - 1
        && last.is_some_and(|last| is_enumerator(last.text));
    let is_quoted = word.text.starts_with(['"', '“', '‘']);
    let before = last.map_or("", |last| last.text);
    let kind = if is_enumerator(word.text) {
        return None;
    } else if is_quoted {
        "quote"
    } else if word.gap == Gap::Cell {
        "cell"
    } else if is_first || in_list {
        if word.gap == Gap::Line && !in_list {
            "line"
        } else if in_list {
            "item"
        } else {
            "paragraph"
        }
    } else if before.ends_with(':') {
        "label"
    } else if matches!(before, "-" | "–" | "—" | "|") {
        "dash"
    } else if ends_sentence(words, nth - 1) {
        "sentence"
    } else if before.ends_with([',', ')']) {
        "comma"
    } else if opens_with_capital(word.text) && before.starts_with(|c: char| c.is_ascii_lowercase()) {
        "word"
    } else if AFTER_AGENT.contains(&before) {
        "behind"
    } else {
        return None;
    };
    let lead = word.text.len() - word.text.trim_start_matches(['"', '“', '‘', '\'']).len();
    let mut features = vec![format!("opens {kind}"), format!("line {}", line_position(line, lines.len()))];
    if matches!(kind, "line" | "paragraph" | "cell" | "item") {
        let above = line.checked_sub(1).map(|above| &words[lines[above].clone()]);
        features.extend(neighbour_features("above", above));
        if above.is_some_and(|above| above[above.len() - 1].text.ends_with(['.', ';'])) {
            features.push("below a sentence".to_owned());
        }
        if above.is_some_and(|above| above[above.len() - 1].text.ends_with(':')) {
            features.push("below a colon".to_owned());
        }
    }
    if !is_first {
        let from = lines[line].start;
        let before: Vec<&str> =
            words[from..nth].iter().rev().take(3).map(|word| word.stem.as_str()).collect();
        features.extend(before.iter().enumerate().map(|(far, stem)| format!("before {far}:{stem}")));
        features.extend(before.windows(2).map(|pair| format!("before two:{} {}", pair[1], pair[0])));
        if matches!(kind, "label" | "cell" | "dash") {
            let label = words[from..nth].iter().filter(|word| word.stem.len() > 2).take(4);
            features.extend(label.map(|word| format!("label:{}", word.stem)));
        }
    }
    if word.gap == Gap::Cell
        || lines.get(line).is_some_and(|line| {
            words
                .get(line.start + 1..line.end)
                .is_some_and(|rest| rest.iter().any(|word| word.gap == Gap::Cell))
        })
    {
        let column =
            words[lines[line].start..=nth].iter().skip(1).filter(|word| word.gap == Gap::Cell).count();
        features.push(format!("column {}", column.min(3)));
        features.extend(header_stems(words, lines, line, column).map(|stem| format!("header:{stem}")));
    }
    Some(Edge { word: nth, at: word.range.start + lead, kind, features: without_duplicates(features) })
}

/// The stems of the words above a cell in its column, without numbers.
fn header_stems<'w>(
    words: &'w [Word<'_>],
    lines: &'w [Range<usize>],
    line: usize,
    column: usize,
) -> impl Iterator<Item = &'w str> {
    let above = (0..line).rev().take(3).map(|nth| &words[lines[nth].clone()]);
    let cells = above
        .take_while(|row| row[1.min(row.len())..].iter().any(|word| word.gap == Gap::Cell))
        .flat_map(move |row| {
            let mut at = 0;
            row.iter().enumerate().filter_map(move |(nth, word)| {
                at += usize::from(nth > 0 && word.gap == Gap::Cell);
                (at == column).then_some(word.stem.as_str())
            })
        });
    cells.filter(|stem| !stem.is_empty() && !stem.starts_with('#'))
}

/// The end of a span at a word, if a span may end there.
fn end_edge(words: &[Word<'_>], lines: &[Range<usize>], nth: usize) -> Option<Edge> {
    let word = &words[nth];
    let line = lines.partition_point(|line| line.end <= nth);
    let next = words.get(nth + 1);
    let trimmed = word.text.trim_end_matches(['.', ',', ';', ':', '"', '”', '’', '\'', '-', '–']);
    let tail = &word.text[trimmed.len()..];
    let kind = match next.map(|next| (next.gap, next.text)) {
        _ if tail.contains(['"', '”', '’']) => "quote",
        _ if tail.contains(':') => "colon",
        None | Some((Gap::Paragraph, _)) => "paragraph",
        Some((Gap::Cell, _)) => "cell",
        Some((Gap::Line, _)) => "line",
        _ if ends_sentence(words, nth) => "sentence",
        _ if tail.contains(',') => "comma",
        _ if tail.contains(';') => "semicolon",
        Some((_, next)) if next.starts_with('(') => "paren",
        Some((_, "-" | "–" | "—" | "|")) => "dash",
        Some((_, next))
            if next.starts_with(|c: char| c.is_ascii_lowercase())
                && (!word.text.starts_with(|c: char| c.is_ascii_lowercase()) || word.text.ends_with(')')) =>
        {
            "word"
        }
        Some((_, next)) if AFTER_OBJECT.contains(&next.trim_end_matches(['.', ','])) => "behind",
        _ => return None,
    };
    let mut features = vec![format!("closes {kind}")];
    if tail.contains('.') {
        features.push("stops".to_owned());
    }
    let rest = &words[nth + 1..lines[line].end];
    if rest.is_empty() {
        features.extend(neighbour_features("below", lines.get(line + 1).map(|below| &words[below.clone()])));
    } else {
        let after: Vec<&str> = rest.iter().take(3).map(|word| word.stem.as_str()).collect();
        features.extend(after.iter().enumerate().map(|(far, stem)| format!("after {far}:{stem}")));
        features.extend(after.windows(2).map(|pair| format!("after two:{} {}", pair[0], pair[1])));
    }
    Some(Edge {
        word: nth,
        at: word.range.start + trimmed.len(),
        kind,
        features: without_duplicates(features),
    })
}

/// Features of the line above or below a span.
fn neighbour_features(side: &'static str, line: Option<&[Word<'_>]>) -> Vec<String> {
    let Some(line) = line else { return vec![format!("{side} nothing")] };
    let mut features: Vec<String> =
        line.iter().take(NEIGHBOUR_WORDS).map(|word| format!("{side}:{}", word.stem)).collect();
    features.push(format!("{side} last:{}", line[line.len() - 1].stem));
    features.push(format!("{side} long {}", length_class(line.len())));
    features.push(format!("{side} case {}", case_class(line)));
    features
}

fn line_position(line: usize, lines: usize) -> &'static str {
    match line {
        0 => "0",
        1 => "1",
        2 => "2",
        3 => "3",
        4..=5 => "5",
        6..=8 => "8",
        _ if line + 4 >= lines => "end",
        _ => "more",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn span_texts(text: &str) -> Vec<String> {
        let printed = Printed::plain(text);
        let spans = Spans::of(&printed);
        (0..spans.len()).map(|nth| text[spans.range(nth)].to_owned()).collect()
    }

    #[rstest]
    #[case::a_line("NOTICE TO ALL\nSupply of Pumps\nBids close", "Supply of Pumps")]
    #[case::two_lines(
        "Supply of Pumps and\nValves for Galle\n\nBids",
        "Supply of Pumps and\nValves for Galle"
    )]
    #[case::after_a_label("Name of work: Supply of Pumps\nFee: 500", "Supply of Pumps")]
    #[case::a_cell("No.\tSupply of Pumps\t500", "Supply of Pumps")]
    #[case::in_a_sentence("Offers for the Supply of Pumps are welcome.", "Supply of Pumps")]
    #[case::quoted("a contract for \"Supply of pumps\" is let", "Supply of pumps")]
    #[case::before_its_number("1. Supply of Pumps (AB/1/2027)", "Supply of Pumps")]
    #[case::before_another_sentence("Supply of Pumps. AB/1/2027", "Supply of Pumps")]
    #[case::without_capitals("සභාව විසින් මල් පැළ සැපයීම සඳහා මිල", "මල් පැළ සැපයීම")]
    fn a_possible_title_is_a_span(#[case] text: &str, #[case] title: &str) {
        assert!(span_texts(text).iter().any(|span| span == title), "{:?}", span_texts(text));
    }

    #[rstest]
    #[case("Bids close. Supply of Pumps", "Bids close. Supply of Pumps")]
    #[case("Supply of\tPumps here", "Supply of\tPumps here")]
    #[case("Supply of Pumps\n\nBids close", "Supply of Pumps\n\nBids close")]
    fn no_span_crosses_a_sentence_a_cell_or_a_paragraph(#[case] text: &str, #[case] span: &str) {
        assert!(!span_texts(text).iter().any(|other| other == span));
    }

    #[test]
    fn the_score_of_a_span_is_the_sum_of_its_feature_weights() {
        let text = "Council of Galle\nSupply of Pumps and of Pumps: Supply of Pumps\nBids\tclose (AB/1) now, \
                    as the council says.";
        let printed = Printed::plain(text);
        let spans = Spans::of(&printed);
        let all = (0..spans.len()).flat_map(|nth| spans.features(nth));
        let weights: Weights<1> = all.enumerate().map(|(nth, name)| (name, [(nth % 7) as f64])).collect();
        for (nth, weight) in spans.scores(&weights).into_iter().enumerate() {
            let sum: f64 = spans.features(nth).iter().map(|name| weights[name][0]).sum();
            assert!((weight - sum).abs() < 1e-9, "{:?}: {weight} {sum}", &text[spans.range(nth)]);
        }
    }
}
