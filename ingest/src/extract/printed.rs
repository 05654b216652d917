//! [`Printed`]: the text of a clip as the rules read it, with the way back from any of its bytes to the words on the page.
//! It decides nothing about what the text means.

use crate::{
    base::Word,
    base::lexicon::is_native,
    ocr::{ClipText, ReaderName},
};
use index::{
    tender::{Evidence, PageBox},
    vocabulary::Language,
};
use std::ops::Range;

/// A notice longer than this is cut: no printed notice comes near it.
pub const MAX_TEXT: usize = 64 * 1024;

/// The confidence of what is read twice alike, letter by letter.
pub(crate) const SAID_TWICE: f64 = 0.97;

/// Evidence is for a reader's glance.
const MAX_EVIDENCE: usize = 240;

/// The text of a clip: lines end in `\n`, paragraphs in a blank line, cells of a table row in `\t`.
#[derive(Debug, Clone, Default)]
pub struct Printed {
    text: String,
    flow: String,
    words: Vec<Placed>,
    /// Whether its letters were recognised on a picture, so that any of them may be another.
    is_recognised: bool,
    /// Whether they were, and its notice is in Sinhala or Tamil, so that its numbers were read among letters that are read badly.
    is_recognised_native: bool,
}

/// A word on the page.
#[derive(Debug, Clone)]
struct Placed {
    range: Range<usize>,
    area: PageBox,
    /// How sure its reader is, 0 to 1.
    confidence: f64,
}

/// A value, how sure the rule is of it, and the bytes it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<T> {
    /// What was read.
    pub value: T,
    /// 0 to 1.
    pub confidence: f64,
    /// In [`Printed::text`] and [`Printed::flow`] alike.
    pub range: Range<usize>,
}

impl<T> Found<T> {
    /// A finding.
    pub fn new(value: T, confidence: f64, range: Range<usize>) -> Self {
        Self { value, confidence, range }
    }

    /// The same finding of another value.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Found<U> {
        Found { value: change(self.value), confidence: self.confidence, range: self.range }
    }
}

impl Printed {
    /// From plain text: for tests, and for text that never was on a page. ` | ` between words is a cell's border.
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

    /// What a reader read from a clip.
    #[must_use]
    pub fn of(clip: &ClipText) -> Self {
        let is_recognised = clip.reader == ReaderName::Tesseract;
        let is_recognised_native = is_recognised && clip.language != Language::English;
        let mut printed = Self { is_recognised, is_recognised_native, ..Self::default() };
        for paragraph in &clip.paragraphs {
            for line in &paragraph.lines {
                printed.push_line(line.cells.iter().map(|cell| cell.iter().map(placed)));
            }
            printed.end_paragraph();
        }
        printed.finish()
    }

    /// Adds a line of cells of words.
    fn push_line<'w, C, W>(&mut self, cells: C)
    where
        C: IntoIterator<Item = W>,
        W: IntoIterator<Item = (&'w str, Option<(PageBox, f64)>)>,
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
                if let Some((area, confidence)) = place {
                    self.words.push(Placed { range: start..self.text.len(), area, confidence });
                }
            }
        }
        self.text.push('\n');
    }

    /// Ends a paragraph.
    fn end_paragraph(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// Completes the text after the last line.
    fn finish(mut self) -> Self {
        let end = self.text.trim_end().len();
        self.text.truncate(end);
        // A single line break is a space in the flow; a blank line stays, so that bytes keep their places.
        self.flow = self.text.replace("\n\n", "\u{1}\u{1}").replace('\n', " ").replace('\u{1}', "\n");
        self
    }

    /// As printed, line by line.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The same bytes with line breaks inside paragraphs as spaces.
    #[must_use]
    pub fn flow(&self) -> &str {
        &self.flow
    }

    /// The lines that hold anything, with their bytes.
    pub fn lines(&self) -> impl Iterator<Item = (Range<usize>, &str)> {
        let mut at = 0;
        self.text.split('\n').filter_map(move |line| {
            let range = at..at + line.len();
            at = range.end + 1;
            (!line.trim().is_empty()).then_some((range, line))
        })
    }

    /// Where the row ends in which a place stands; `None` where it stands in no table.
    #[must_use]
    pub(crate) fn row_end(&self, at: usize) -> Option<usize> {
        let start = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let end = self.text.get(at..)?.find('\n').map_or(self.text.len(), |end| at + end);
        self.text[start..end].contains('\t').then_some(end)
    }

    /// Where the row begins in which a place stands; `None` where it stands in no table.
    #[must_use]
    pub(crate) fn row_start(&self, at: usize) -> Option<usize> {
        self.row_end(at)?;
        Some(self.text[..at].rfind('\n').map_or(0, |end| end + 1))
    }

    /// The words of a range and where they stand on the page.
    #[must_use]
    pub fn evidence(&self, range: &Range<usize>) -> Evidence {
        let text = self.flow.get(range.clone()).unwrap_or_default();
        let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some((cut, _)) = text.char_indices().nth(MAX_EVIDENCE) {
            text.truncate(cut);
            text.push('…');
        }
        Evidence { text, area: self.area(range) }
    }

    /// The smallest box around the words of a range.
    #[must_use]
    pub fn area(&self, range: &Range<usize>) -> Option<PageBox> {
        self.words_of(range).map(|word| word.area).reduce(|a, b| {
            let (left, top) = (a[0].min(b[0]), a[1].min(b[1]));
            let (right, bottom) = ((a[0] + a[2]).max(b[0] + b[2]), (a[1] + a[3]).max(b[1] + b[3]));
            [left, top, right - left, bottom - top]
        })
    }

    /// How sure the reader is of the worst read word of a range, 0 to 1; 1 where it read none. Signs alone are no words.
    #[must_use]
    pub(crate) fn legibility(&self, range: &Range<usize>) -> f64 {
        let is_word = |word: &&Placed| self.text[word.range.clone()].contains(char::is_alphanumeric);
        self.words_of(range).filter(is_word).map(|word| word.confidence).fold(1.0, f64::min)
    }

    /// The same for words with a digit alone.
    #[must_use]
    pub(crate) fn legibility_of_numbers(&self, range: &Range<usize>) -> f64 {
        let is_number = |word: &&Placed| self.text[word.range.clone()].contains(|c: char| c.is_ascii_digit());
        self.words_of(range).filter(is_number).map(|word| word.confidence).fold(1.0, f64::min)
    }

    /// A range with so many words before and after it.
    #[must_use]
    pub(crate) fn around(&self, range: &Range<usize>, words: usize) -> Range<usize> {
        let before = self.words.iter().rev().filter(|word| word.range.end <= range.start).take(words);
        let after = self.words.iter().filter(|word| word.range.start >= range.end).take(words);
        let start = before.map(|word| word.range.start).min().unwrap_or(range.start);
        let end = after.map(|word| word.range.end).max().unwrap_or(range.end);
        start..end
    }

    /// Whether letters of Sinhala or Tamil in a range were recognised on a picture. Recognition mistakes them often, and is sure of it.
    #[must_use]
    pub(crate) fn is_misread_easily(&self, range: &Range<usize>) -> bool {
        self.is_recognised && self.text.get(range.clone()).is_some_and(|text| text.contains(is_native))
    }

    /// Whether it was recognised on a picture.
    #[must_use]
    pub(crate) fn is_recognised(&self) -> bool {
        self.is_recognised
    }

    /// Whether a notice in Sinhala or Tamil was recognised on a picture.
    #[must_use]
    pub(crate) fn is_recognised_native(&self) -> bool {
        self.is_recognised_native
    }

    fn words_of(&self, range: &Range<usize>) -> impl Iterator<Item = &Placed> {
        self.words.iter().filter(|word| word.range.start < range.end && range.start < word.range.end)
    }
}

/// A word with its place, unless that is unknown.
fn placed(word: &Word) -> (&str, Option<(PageBox, f64)>) {
    (&word.text, (word.area[2] > 0.0).then_some((word.area, word.confidence)))
}

/// Words in lower case joined by single spaces, without punctuation: for comparing what a notice says twice.
#[must_use]
pub(crate) fn plain_words(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_ascii_punctuation() || c.is_whitespace() { ' ' } else { c });
    letters.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// Whether two readings say the same up to a few misread letters.
#[must_use]
pub(crate) fn alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (plain_words(a).chars().collect(), plain_words(b).chars().collect());
    let longest = a.len().max(b.len());
    // Lengths that differ so much are that many edits apart.
    longest > 0
        && longest < 400
        && a.len().abs_diff(b.len()) * 10 <= longest
        && distance(&a, &b) * 10 <= longest
}

/// Levenshtein's edit distance.
fn distance(a: &[char], b: &[char]) -> usize {
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

    #[test]
    fn text_and_flow_have_the_same_bytes() {
        let printed = Printed::plain("one two\nthree\n\nfour | five\r\nsix");
        assert_eq!(printed.text(), "one two\nthree\n\nfour\tfive\nsix");
        assert_eq!(printed.flow(), "one two three\n\nfour\tfive six");
        assert_eq!(printed.lines().count(), 4);
    }

    #[test]
    fn evidence_says_where_the_words_stand() {
        let mut printed = Printed::default();
        printed.push_line([[
            ("Rs.", Some(([0.1, 0.2, 0.05, 0.01], 0.9))),
            ("500", Some(([0.16, 0.2, 0.04, 0.02], 0.6))),
        ]]);
        let printed = printed.finish();
        let evidence = printed.evidence(&(0..7));
        assert_eq!(evidence.text, "Rs. 500");
        let area = evidence.area.unwrap();
        assert!((area[2] - 0.1).abs() < 1e-9 && (area[3] - 0.02).abs() < 1e-9, "{area:?}");
        assert!(printed.evidence(&(900..901)).text.is_empty());
        assert_eq!((printed.legibility(&(0..3)), printed.legibility(&(0..7))), (0.9, 0.6));
        assert_eq!(printed.legibility(&(900..901)), 1.0);
    }

    #[test]
    fn readings_that_differ_by_a_letter_are_alike() {
        assert!(alike("Road Development Authority", "ROAD DEVELOPMENT AUTHORlTY"));
        assert!(!alike("Road Development Authority", "Urban Development Authority"));
    }
}
