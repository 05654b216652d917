//! Candidate spans for the title and the organisation. A span starts and ends at the edge of a
//! line, cell, label, quotation, clause or sentence, where the case changes, or beside certain
//! words. The features of a span describe its start, its end and its words.

mod edges;
mod words;

use self::{
    edges::{Edge, end_edge, start_edge, without_duplicates},
    words::{
        Gap, Word, case_class, comparable_text, ends_sentence, group_lines, length_class,
        looks_like_reference, split_words, starts_lowercase_or_bracket,
    },
};
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
/// A span has the feature `counted` if more than one in this many of its words has a digit.
const WORDS_PER_NUMBER: usize = 3;
/// A line without a box is full if the line and the first word of the next line together exceed
/// this fraction of the longest line. Lengths are in characters.
const FULL_LINE: (usize, usize) = (9, 10);
/// The features treat a higher number of line breaks like this number.
const MAX_DISTINCT_BREAKS: usize = 3;

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
        let words = split_words(text);
        let lines = group_lines(&words);
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
                || starts_lowercase_or_bracket(pair[0].text)
                || starts_lowercase_or_bracket(pair[1].text);
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
