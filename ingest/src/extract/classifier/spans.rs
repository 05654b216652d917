//! Candidate spans for the title and the organisation. A span begins and ends at a line, a cell, a
//! label, a quotation mark or a change of case. Its features describe its beginning, its end and
//! the words within.

use super::labels::{BIAS, Weights};
use crate::extract::{printed::Printed, rules::heading::was_broken};
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
};

/// The most words of a span, and the most line breaks within it.
const MAX_WORDS: usize = 40;
const MAX_BREAKS: usize = 4;
/// The most ends per beginning.
const MAX_ENDS: usize = 16;
/// The fewest letters of a span.
const MIN_LETTERS: usize = 6;
/// The length of a stem in letters.
const STEM: usize = 5;
/// The number of words used of a neighbouring line.
const OF_NEIGHBOUR: usize = 4;
/// If more than one word in this many is a number, the span is a date or an amount.
const COUNTED: usize = 3;
/// A line is full from this fraction of the longest line, in letters.
const FULL: (usize, usize) = (9, 10);
/// The number of line breaks that are distinguished.
const MAX_DISTINCT_BREAKS: usize = 3;

/// In scripts without capitals: words that follow the object of a sentence, and words that follow
/// its agent.
const AFTER_WHAT: [&str; 12] = [
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
const AFTER_WHOM: [&str; 12] =
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
    /// The line number, from 0.
    line: usize,
    /// The stem.
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
    runs: Vec<Run>,
    /// The words before which the width of the column broke the line.
    broken: HashSet<usize>,
}

/// A beginning and an end, and whether the text is repeated elsewhere.
struct Run {
    start: usize,
    end: usize,
    again: bool,
}

impl<'t> Spans<'t> {
    /// Finds the candidate spans of a notice.
    #[must_use]
    pub fn of(printed: &'t Printed) -> Self {
        let text = printed.text();
        let words = words(text);
        let lines = lines(&words);
        let starts = (0..words.len()).filter_map(|nth| start(&words, &lines, nth)).collect();
        let ends = (0..words.len()).filter_map(|nth| end(&words, &lines, nth)).collect();
        let broken = broken(printed, &words, &lines);
        let mut spans = Self { text, words, starts, ends, runs: Vec::new(), broken };
        spans.pair();
        spans.note_repeated();
        spans
    }

    /// Pairs beginnings with ends within one paragraph, cell and sentence.
    fn pair(&mut self) {
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
                if start.at < end.at && is_named(&self.text[start.at..end.at]) {
                    self.runs.push(Run { start: nth, end: first_end + offset, again: false });
                    count += 1;
                }
            }
        }
    }

    fn note_repeated(&mut self) {
        let all: Vec<String> = self.runs.iter().map(|run| joined(self.words_of(run))).collect();
        let mut seen: HashSet<&str> = HashSet::new();
        let twice: HashSet<&str> =
            all.iter().map(String::as_str).filter(|words| !seen.insert(words)).collect();
        for (run, words) in self.runs.iter_mut().zip(&all) {
            run.again = twice.contains(words.as_str());
        }
    }

    fn words_of(&self, run: &Run) -> &[Word<'t>] {
        &self.words[self.starts[run.start].word..=self.ends[run.end].word]
    }

    /// The number of spans.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.len()
    }

    /// Whether there are no spans.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// The byte range of a span.
    #[must_use]
    pub fn range(&self, nth: usize) -> Range<usize> {
        let run = &self.runs[nth];
        self.starts[run.start].at..self.ends[run.end].at
    }

    /// The features of a span.
    #[must_use]
    pub fn features(&self, nth: usize) -> Vec<String> {
        let run = &self.runs[nth];
        let mut all = self.starts[run.start].features.clone();
        all.extend(self.ends[run.end].features.iter().cloned());
        all.extend(self.words_of(run).iter().map(|word| within(&word.stem)));
        all.extend(self.between(run));
        once(all)
    }

    /// The score of each span. The null span has score 0.
    #[must_use]
    pub(crate) fn weigh(&self, weights: &Weights<1>) -> Vec<f64> {
        let weight = |name: &str| weights.get(name).map_or(0.0, |[weight]| *weight);
        let of_edge = |edge: &Edge| edge.features.iter().map(|name| weight(name)).sum::<f64>();
        let starts: Vec<f64> = self.starts.iter().map(of_edge).collect();
        let ends: Vec<f64> = self.ends.iter().map(of_edge).collect();
        let words: Vec<f64> = self.words.iter().map(|word| weight(&within(&word.stem))).collect();
        let before = last_alike(&self.words);
        let bias = weight(BIAS);
        let sums = self.runs.iter().map(|run| {
            let (from, to) = (self.starts[run.start].word, self.ends[run.end].word);
            // Each word counts once.
            let once = (from..=to).filter(|nth| before[*nth].is_none_or(|last| last < from));
            let inside: f64 = once.map(|nth| words[nth]).sum();
            let whole: f64 = self.between(run).iter().map(|name| weight(name)).sum();
            bias + starts[run.start] + ends[run.end] + inside + whole
        });
        sums.collect()
    }

    /// The features of a span as a whole.
    fn between(&self, run: &Run) -> Vec<String> {
        let words = self.words_of(run);
        let (from, to) = (&self.starts[run.start], &self.ends[run.end]);
        let breaks = words[1..].iter().filter(|word| word.gap == Gap::Line).count();
        let (first, last) = (&words[0].stem, &words[words.len() - 1].stem);
        let mut features = vec![
            format!("kinds {} {}", from.kind, to.kind),
            format!("long {}", length(words.len())),
            format!("case {}", case(words)),
            format!("lines {}", breaks.min(MAX_DISTINCT_BREAKS)),
            format!("first:{first}"),
            format!("last:{last}"),
            format!("last two:{} {last}", words[words.len().max(2) - 2].stem),
        ];
        let holds = |is: fn(&str) -> bool| words.iter().any(|word| is(word.text));
        let told = [
            ("again", run.again),
            ("numbered", holds(is_number)),
            ("labelled", holds(|word| word.contains(':'))),
            (
                "counted",
                words.iter().filter(|word| word.stem.starts_with('#')).count() * COUNTED > words.len(),
            ),
        ];
        features.extend(told.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()));
        for (offset, pair) in words.windows(2).enumerate().filter(|(_, pair)| pair[1].gap == Gap::Line) {
            let joins =
                pair[0].text.ends_with([',', '-', '&']) || is_small(pair[0].text) || is_small(pair[1].text);
            let told = [
                (
                    if self.broken.contains(&(from.word + offset + 1)) {
                        "breaks full"
                    } else {
                        "breaks short"
                    },
                    true,
                ),
                (if joins { "joins" } else { "breaks" }, true),
                ("breaks case", case(&pair[..1]) != case(&pair[1..])),
            ];
            features.extend(told.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name.to_owned()));
        }
        once(features)
    }
}

/// The words before which the width of the column broke the line: they would not have fitted on the
/// line above.
fn broken(printed: &Printed, words: &[Word<'_>], lines: &[Range<usize>]) -> HashSet<usize> {
    let bytes = |line: &Range<usize>| words[line.start].range.start..words[line.end - 1].range.end;
    let letters = |range: Range<usize>| printed.text()[range].chars().count();
    let widest = lines.iter().map(|line| letters(bytes(line))).max().unwrap_or(0);
    let column =
        lines.iter().filter_map(|line| printed.area(&bytes(line))).map(|area| area[2]).fold(0.0, f64::max);
    let is_broken = |above: &Range<usize>, line: &Range<usize>| {
        if printed.area(&bytes(above)).is_some() {
            return was_broken(printed, &bytes(above), &bytes(line), column);
        }
        letters(bytes(above)) + letters(words[line.start].range.clone()) > widest * FULL.0 / FULL.1
    };
    let pairs = lines.windows(2).filter(|pair| words[pair[1].start].gap == Gap::Line);
    pairs.filter(|pair| is_broken(&pair[0], &pair[1])).map(|pair| pair[1].start).collect()
}

/// Removes duplicate features.
fn once(mut features: Vec<String>) -> Vec<String> {
    features.sort_unstable();
    features.dedup();
    features
}

/// The feature of a word within a span.
fn within(stem: &str) -> String {
    format!("in:{stem}")
}

/// For each word, the position of the previous equal word.
fn last_alike(words: &[Word<'_>]) -> Vec<Option<usize>> {
    let mut last: HashMap<&str, usize> = HashMap::new();
    words.iter().enumerate().map(|(nth, word)| last.insert(word.stem.as_str(), nth)).collect()
}

/// Whether a text has enough letters to be a name and is not a web address.
fn is_named(text: &str) -> bool {
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

/// The word ranges of the lines.
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
    letters.flat_map(char::to_lowercase).take(STEM).collect()
}

fn joined(words: &[Word<'_>]) -> String {
    let letters = |word: &Word<'_>| {
        word.text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    words.iter().map(letters).collect::<Vec<_>>().join(" ")
}

fn is_number(word: &str) -> bool {
    word.contains(['/', '-'])
        && word.chars().any(|c| c.is_ascii_digit())
        && word.chars().any(|c| c.is_ascii_uppercase())
}

fn is_small(word: &str) -> bool {
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
        && !is_small(next.text)
        && bare.chars().count() > 1
        && !matches!(
            bare.to_lowercase().as_str(),
            "no" | "nos" | "rs" | "mr" | "dr" | "st" | "ltd" | "dept" | "tel" | "ref"
        )
}

fn length(words: usize) -> &'static str {
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

fn case(words: &[Word<'_>]) -> &'static str {
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

/// `1.`, `(a)`, `•`
fn is_enumerator(word: &str) -> bool {
    let bare = word.trim_matches(['(', ')', '.']);
    bare.chars().count() <= 2 && bare.len() < word.len() && bare.chars().all(|c| c.is_ascii_alphanumeric())
        || word.chars().all(|c| !c.is_alphanumeric())
}

/// Whether a span may begin at a word.
fn start(words: &[Word<'_>], lines: &[Range<usize>], nth: usize) -> Option<Edge> {
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
    } else if AFTER_WHOM.contains(&before) {
        "behind"
    } else {
        return None;
    };
    let lead = word.text.len() - word.text.trim_start_matches(['"', '“', '‘', '\'']).len();
    let mut features = vec![format!("opens {kind}"), format!("line {}", place(line, lines.len()))];
    if matches!(kind, "line" | "paragraph" | "cell" | "item") {
        let above = line.checked_sub(1).map(|above| &words[lines[above].clone()]);
        features.extend(neighbour("above", above));
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
        features.extend(header(words, lines, line, column).map(|stem| format!("header:{stem}")));
    }
    Some(Edge { word: nth, at: word.range.start + lead, kind, features: once(features) })
}

/// The words above a cell in its column.
fn header<'w>(
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

/// Whether a span may end at a word.
fn end(words: &[Word<'_>], lines: &[Range<usize>], nth: usize) -> Option<Edge> {
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
        Some((_, next)) if AFTER_WHAT.contains(&next.trim_end_matches(['.', ','])) => "behind",
        _ => return None,
    };
    let mut features = vec![format!("closes {kind}")];
    if tail.contains('.') {
        features.push("stops".to_owned());
    }
    let rest = &words[nth + 1..lines[line].end];
    if rest.is_empty() {
        features.extend(neighbour("below", lines.get(line + 1).map(|below| &words[below.clone()])));
    } else {
        let after: Vec<&str> = rest.iter().take(3).map(|word| word.stem.as_str()).collect();
        features.extend(after.iter().enumerate().map(|(far, stem)| format!("after {far}:{stem}")));
        features.extend(after.windows(2).map(|pair| format!("after two:{} {}", pair[0], pair[1])));
    }
    Some(Edge { word: nth, at: word.range.start + trimmed.len(), kind, features: once(features) })
}

/// The first and last words of a line.
fn neighbour(side: &'static str, line: Option<&[Word<'_>]>) -> Vec<String> {
    let Some(line) = line else { return vec![format!("{side} nothing")] };
    let mut features: Vec<String> =
        line.iter().take(OF_NEIGHBOUR).map(|word| format!("{side}:{}", word.stem)).collect();
    features.push(format!("{side} last:{}", line[line.len() - 1].stem));
    features.push(format!("{side} long {}", length(line.len())));
    features.push(format!("{side} case {}", case(line)));
    features
}

fn place(line: usize, lines: usize) -> &'static str {
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

    fn runs(text: &str) -> Vec<String> {
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
    #[case::behind_a_label("Name of work: Supply of Pumps\nFee: 500", "Supply of Pumps")]
    #[case::a_cell("No.\tSupply of Pumps\t500", "Supply of Pumps")]
    #[case::in_a_sentence("Offers for the Supply of Pumps are welcome.", "Supply of Pumps")]
    #[case::quoted("a contract for \"Supply of pumps\" is let", "Supply of pumps")]
    #[case::before_its_number("1. Supply of Pumps (AB/1/2027)", "Supply of Pumps")]
    #[case::before_another_sentence("Supply of Pumps. AB/1/2027", "Supply of Pumps")]
    #[case::without_capitals("සභාව විසින් මල් පැළ සැපයීම සඳහා මිල", "මල් පැළ සැපයීම")]
    fn a_possible_title_is_a_span(#[case] text: &str, #[case] title: &str) {
        assert!(runs(text).iter().any(|run| run == title), "{:?}", runs(text));
    }

    #[rstest]
    #[case("Bids close. Supply of Pumps", "Bids close. Supply of Pumps")]
    #[case("Supply of\tPumps here", "Supply of\tPumps here")]
    #[case("Supply of Pumps\n\nBids close", "Supply of Pumps\n\nBids close")]
    fn no_span_crosses_a_sentence_a_cell_or_a_paragraph(#[case] text: &str, #[case] run: &str) {
        assert!(!runs(text).iter().any(|other| other == run));
    }

    #[test]
    fn the_score_of_a_span_is_the_sum_of_its_features() {
        let text = "Council of Galle\nSupply of Pumps and of Pumps: Supply of Pumps\nBids\tclose (AB/1) now, \
                    as the council says.";
        let printed = Printed::plain(text);
        let spans = Spans::of(&printed);
        let all = (0..spans.len()).flat_map(|nth| spans.features(nth));
        let weights: Weights<1> = all.enumerate().map(|(nth, name)| (name, [(nth % 7) as f64])).collect();
        for (nth, weight) in spans.weigh(&weights).into_iter().enumerate() {
            let sum: f64 = spans.features(nth).iter().map(|name| weights[name][0]).sum();
            assert!((weight - sum).abs() < 1e-9, "{:?}: {weight} {sum}", &text[spans.range(nth)]);
        }
    }
}
