//! [`Printed`]: the text of a clip for the rules, with a mapping from byte ranges to words on the
//! page.

use crate::{
    base::Word,
    base::lexicon::is_native,
    ocr::{ClipText, ReaderName},
};
use std::ops::Range;
use tender_model::{
    tender::{Evidence, PageBox},
    vocabulary::Language,
};

/// The maximum length of the text, in bytes. Printed notices are shorter. Further words are
/// dropped.
pub const MAX_TEXT: usize = 64 * 1024;

/// The confidence of a value that the notice prints twice with the same letters.
pub(crate) const READ_TWICE_CONFIDENCE: f64 = 0.97;

/// The maximum length of evidence, in characters.
const MAX_EVIDENCE_CHARS: usize = 240;

/// The text of a clip. `\n` separates lines, a blank line separates paragraphs and `\t` separates
/// table cells.
#[derive(Debug, Clone, Default)]
pub struct Printed {
    text: String,
    flow: String,
    words: Vec<PlacedWord>,
    /// Whether the text comes from OCR.
    is_recognised: bool,
    /// Whether the text comes from OCR and is in Sinhala or Tamil, where numbers are misread more
    /// often.
    is_recognised_native: bool,
}

/// A word with its box on the page.
#[derive(Debug, Clone)]
struct PlacedWord {
    range: Range<usize>,
    area: PageBox,
    /// The confidence of the reader, 0 to 1.
    confidence: f64,
    /// What another reading of the print says instead.
    second_choice: Option<String>,
}

/// The box of a word, the confidence of its reader and its second choice.
type WordPlace<'w> = (PageBox, f64, Option<&'w str>);

/// A value with its confidence and its byte range.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    /// The value.
    pub value: T,
    /// The confidence, 0 to 1.
    pub confidence: f64,
    /// The byte range in [`Printed::text`] and [`Printed::flow`].
    pub range: Range<usize>,
}

impl<T> Found<T> {
    /// Combines a value with its confidence and its byte range.
    pub fn new(value: T, confidence: f64, range: Range<usize>) -> Self {
        Self { value, confidence, range }
    }

    /// Changes the value, and keeps the confidence and the byte range.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Found<U> {
        Found { value: change(self.value), confidence: self.confidence, range: self.range }
    }
}

impl Printed {
    /// Creates a `Printed` from plain text, for tests and for text without a page. A tab or ` | `
    /// separates cells.
    #[must_use]
    pub fn plain(text: &str) -> Self {
        let mut printed = Self::default();
        let text = text.replace("\r\n", "\n").replace(" | ", "\t");
        for paragraph in text.split("\n\n") {
            for line in paragraph.lines() {
                printed
                    .push_line(line.split('\t').map(|cell| cell.split_whitespace().map(|word| (word, None))));
            }
            printed.end_paragraph();
        }
        printed.finish()
    }

    /// Creates a `Printed` from the text of a clip.
    #[must_use]
    pub fn of(clip: &ClipText) -> Self {
        let is_recognised = clip.reader == ReaderName::Tesseract;
        let is_recognised_native = is_recognised && clip.language != Language::English;
        let mut printed = Self { is_recognised, is_recognised_native, ..Self::default() };
        for paragraph in &clip.paragraphs {
            for line in &paragraph.lines {
                printed.push_line(line.cells.iter().map(|cell| cell.iter().map(word_with_box)));
            }
            printed.end_paragraph();
        }
        printed.finish()
    }

    /// Appends a line of cells. Stops before the first word that exceeds [`MAX_TEXT`].
    fn push_line<'w, C, W>(&mut self, cells: C)
    where
        C: IntoIterator<Item = W>,
        W: IntoIterator<Item = (&'w str, Option<WordPlace<'w>>)>,
    {
        for (column, cell) in cells.into_iter().enumerate() {
            if column > 0 {
                self.text.push('\t');
            }
            for (nth, (word, place)) in cell.into_iter().enumerate() {
                if self.text.len() + word.len() > MAX_TEXT {
                    return;
                }
                if nth > 0 {
                    self.text.push(' ');
                }
                let start = self.text.len();
                self.text.push_str(word);
                if let Some((area, confidence, second_choice)) = place {
                    let (range, second_choice) = (start..self.text.len(), second_choice.map(str::to_owned));
                    self.words.push(PlacedWord { range, area, confidence, second_choice });
                }
            }
        }
        self.text.push('\n');
    }

    /// Ends a paragraph with a blank line.
    fn end_paragraph(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Removes white space at the end and derives the flow.
    fn finish(mut self) -> Self {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        // In the flow, a single line break becomes a space, and a blank line stays. Both texts
        // have the same length, so a byte range is valid in both.
        self.flow = self.text.replace("\n\n", "\u{1}\u{1}").replace('\n', " ").replace('\u{1}', "\n");
        self
    }

    /// The text line by line, as printed.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text with a space instead of each line break within a paragraph. A byte range covers
    /// the same words as in [`Printed::text`].
    #[must_use]
    pub fn flow(&self) -> &str {
        &self.flow
    }

    /// The non-empty lines with their byte ranges.
    pub fn lines(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let mut at = 0;
        self.text.split('\n').filter_map(move |line| {
            let range = at..at + line.len();
            at = range.end + 1;
            (!line.trim().is_empty()).then_some((range, line))
        })
    }

    /// The end of the table row at a position; `None` if the line is not a table row.
    #[must_use]
    pub(crate) fn row_end(&self, at: usize) -> Option<usize> {
        let start = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let end = self.text.get(at..)?.find('\n').map_or(self.text.len(), |end| at + end);
        self.text[start..end].contains('\t').then_some(end)
    }

    /// The start of the table row at a position; `None` if the line is not a table row.
    #[must_use]
    pub(crate) fn row_start(&self, at: usize) -> Option<usize> {
        self.row_end(at)?;
        Some(self.text[..at].rfind('\n').map_or(0, |end| end + 1))
    }

    /// The words in a range and their bounding box. Long text is truncated.
    #[must_use]
    pub fn evidence(&self, range: &Range<usize>) -> Evidence {
        let text = self.flow.get(range.clone()).unwrap_or_default();
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((cut, _)) = text.char_indices().nth(MAX_EVIDENCE_CHARS) {
            text.truncate(cut);
            text.push('…');
        }
        Evidence { text, area: self.area(range) }
    }

    /// The bounding box of the words in a range.
    #[must_use]
    pub fn area(&self, range: &Range<usize>) -> Option<PageBox> {
        self.words_of(range).map(|word| word.area).reduce(|a, b| {
            let (left, top) = (a[0].min(b[0]), a[1].min(b[1]));
            let (right, bottom) = ((a[0] + a[2]).max(b[0] + b[2]), (a[1] + a[3]).max(b[1] + b[3]));
            [left, top, right - left, bottom - top]
        })
    }

    /// The lowest confidence of the words with a box in a range; 1 if there are none. A word of
    /// punctuation marks does not count.
    #[must_use]
    pub(crate) fn legibility(&self, range: &Range<usize>) -> f64 {
        let is_word = |word: &&PlacedWord| self.text[word.range.clone()].contains(char::is_alphanumeric);
        self.words_of(range).filter(is_word).map(|word| word.confidence).fold(1.0, f64::min)
    }

    /// Like `legibility`, but only for words with a digit.
    #[must_use]
    pub(crate) fn legibility_of_numbers(&self, range: &Range<usize>) -> f64 {
        let is_number =
            |word: &&PlacedWord| self.text[word.range.clone()].contains(|c: char| c.is_ascii_digit());
        self.words_of(range).filter(is_number).map(|word| word.confidence).fold(1.0, f64::min)
    }

    /// The range, extended by a number of words on both sides.
    #[must_use]
    pub(crate) fn extended_by_words(&self, range: &Range<usize>, words: usize) -> Range<usize> {
        let before = self.words.iter().rev().filter(|word| word.range.end <= range.start).take(words);
        let after = self.words.iter().filter(|word| word.range.start >= range.end).take(words);
        let start = before.map(|word| word.range.start).min().unwrap_or(range.start);
        let end = after.map(|word| word.range.end).max().unwrap_or(range.end);
        start..end
    }

    /// Whether a range has Sinhala or Tamil letters from OCR. OCR often misreads such letters with
    /// a high confidence.
    #[must_use]
    pub(crate) fn is_misread_easily(&self, range: &Range<usize>) -> bool {
        self.is_recognised && self.text.get(range.clone()).is_some_and(|text| text.contains(is_native))
    }

    /// Whether the text comes from OCR.
    #[must_use]
    pub(crate) fn is_recognised(&self) -> bool {
        self.is_recognised
    }

    /// Whether the text comes from OCR and is in Sinhala or Tamil.
    #[must_use]
    pub(crate) fn is_recognised_native(&self) -> bool {
        self.is_recognised_native
    }

    /// The words with a box in reading order. Each has its text, the number of its line and its box.
    pub(crate) fn placed_words(&self) -> impl Iterator<Item = (&str, usize, PageBox)> {
        let (mut line, mut counted) = (0, 0);
        self.words.iter().map(move |word| {
            let breaks = self.text[counted..word.range.start].matches('\n').count();
            (line, counted) = (line + breaks, word.range.start);
            (&self.text[word.range.clone()], line, word.area)
        })
    }

    /// The positions of the first and the last word in a range, counted as by
    /// [`Printed::placed_words`]. `None` if no word with a box is in the range.
    pub(crate) fn word_positions(&self, range: &Range<usize>) -> Option<(usize, usize)> {
        let is_inside = |word: &PlacedWord| word.range.start < range.end && range.start < word.range.end;
        let first = self.words.iter().position(is_inside)?;
        self.words.iter().rposition(is_inside).map(|last| (first, last))
    }

    /// The text in which the words of the ranges are replaced by their second choices. `None` if
    /// these words have no second choices.
    #[must_use]
    pub(crate) fn with_second_choices(&self, ranges: &[Range<usize>]) -> Option<Self> {
        let is_inside = |word: &PlacedWord| {
            ranges.iter().any(|range| word.range.start < range.end && range.start < word.range.end)
        };
        let mut second = Self {
            is_recognised: self.is_recognised,
            is_recognised_native: self.is_recognised_native,
            ..Self::default()
        };
        let (mut copied, mut is_other) = (0, false);
        for word in &self.words {
            second.text.push_str(&self.text[copied..word.range.start]);
            let start = second.text.len();
            let choice = word.second_choice.as_deref().filter(|_| is_inside(word));
            is_other |= choice.is_some();
            second.text.push_str(choice.unwrap_or(&self.text[word.range.clone()]));
            let range = start..second.text.len();
            second.words.push(PlacedWord {
                range,
                area: word.area,
                confidence: word.confidence,
                second_choice: None,
            });
            copied = word.range.end;
        }
        second.text.push_str(&self.text[copied..]);
        is_other.then(|| second.finish())
    }

    fn words_of(&self, range: &Range<usize>) -> impl Iterator<Item = &PlacedWord> {
        self.words.iter().filter(|word| word.range.start < range.end && range.start < word.range.end)
    }
}

/// The text of a word, with its place if the box is known.
fn word_with_box(word: &Word) -> (&str, Option<WordPlace<'_>>) {
    let place = (word.area, word.confidence, word.second_choice.as_deref());
    (&word.text, (word.area[2] > 0.0).then_some(place))
}

/// The words in lower case without ASCII punctuation, joined by spaces, to compare texts.
#[must_use]
pub(crate) fn plain_words(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_ascii_punctuation() || c.is_whitespace() { ' ' } else { c });
    letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether two texts differ in at most a tenth of their letters. Case and punctuation are ignored.
#[must_use]
pub(crate) fn is_similar(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (plain_words(a).chars().collect(), plain_words(b).chars().collect());
    let longest = a.len().max(b.len());
    // The difference in length is a lower bound of the edit distance and faster to compute.
    longest > 0
        && longest < 400
        && a.len().abs_diff(b.len()) * 10 <= longest
        && levenshtein_distance(&a, &b) * 10 <= longest
}

fn levenshtein_distance(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.iter().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let next = (corner + usize::from(from != to)).min(row[j] + 1).min(row[j + 1] + 1);
            corner = row[j + 1];
            row[j + 1] = next;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice;

    #[test]
    fn text_and_flow_have_the_same_bytes() {
        let printed = Printed::plain("one two\nthree\n\nfour | five\r\nsix");
        assert_eq!(printed.text(), "one two\nthree\n\nfour\tfive\nsix");
        assert_eq!(printed.flow(), "one two three\n\nfour\tfive six");
        assert_eq!(printed.lines().count(), 4);
    }

    #[test]
    fn evidence_has_the_box_of_the_words() {
        let mut printed = Printed::default();
        printed.push_line([[
            ("Rs.", Some(([0.1, 0.2, 0.05, 0.01], 0.9, None))),
            ("500", Some(([0.16, 0.2, 0.04, 0.02], 0.6, Some("5000")))),
        ]]);
        let printed = printed.finish();
        let evidence = printed.evidence(&(0..7));
        assert_eq!(evidence.text, "Rs. 500");
        let area = evidence.area.unwrap();
        assert!((area[2] - 0.1).abs() < 1e-9 && (area[3] - 0.02).abs() < 1e-9, "{area:?}");
        assert!(printed.evidence(&(900..901)).text.is_empty());
        assert_eq!((printed.legibility(&(0..3)), printed.legibility(&(0..7))), (0.9, 0.6));
        assert_eq!(printed.legibility(&(900..901)), 1.0);
        let with_second =
            |printed: &Printed, range: Range<usize>| printed.with_second_choices(slice::from_ref(&range));
        let second = with_second(&printed, 0..7).unwrap();
        assert_eq!((second.text(), second.flow()), ("Rs. 5000", "Rs. 5000"));
        assert_eq!(second.evidence(&(4..8)).area, Some([0.16, 0.2, 0.04, 0.02]));
        assert!(with_second(&printed, 0..3).is_none());
        assert!(with_second(&second, 0..8).is_none(), "a second choice has no second choice");
    }

    #[test]
    fn readings_that_differ_by_a_letter_are_similar() {
        assert!(is_similar("Road Development Authority", "ROAD DEVELOPMENT AUTHORlTY"));
        assert!(!is_similar("Road Development Authority", "Urban Development Authority"));
    }
}
