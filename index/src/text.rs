//! The only normaliser and word splitter, for tenders, for alerts and for typed search alike, with a map back to the
//! original text. Rules: decisions, "What an alert matches", *Text*. Which words are looked for, and where, is not decided
//! here.

mod fold;

use fold::{Class, class_of, segment_end};
use std::ops::Range;

/// The longest word in bytes. A longer run is cut into several words at a character's boundary, so nothing is lost.
pub const LONGEST_WORD: usize = 255;

/// The words of a text: NFKC, full case folding, NFKC, default ignorables dropped; then maximal runs of letters and marks, or
/// of digits.
///
/// ```
/// let words = index::text::Words::of("DSO.MT.2021/11 for C5");
/// assert_eq!(words.as_str(), "dso mt 2021 11 for c 5");
/// assert_eq!(words.iter().nth(2), Some("2021"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    joined: String,
    words: Vec<Word>,
}

/// One word: where it stands in the joined words, and the bytes of the original that it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// First byte in [`Words::as_str`].
    pub start: usize,
    /// Byte after the last in [`Words::as_str`].
    pub end: usize,
    /// First byte in the original.
    pub from: usize,
    /// Byte after the last in the original.
    pub to: usize,
}

impl Words {
    /// Splits a text of any length; takes time in proportion to it.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut splitter = Splitter::new(text.len());
        splitter.read(text);
        Self { joined: splitter.joined, words: splitter.words }
    }

    /// The words, joined by one space.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.joined
    }

    /// The words in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.words.iter().map(|word| &self.joined[word.start..word.end])
    }

    /// The words' places in order.
    #[must_use]
    pub fn places(&self) -> &[Word] {
        &self.words
    }

    /// How many words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is no word at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The bytes of `original` (the text these words were split from) that a range of [`Words::as_str`] came from: exact where a
    /// character came from characters of its own, else the whole of what it came from.
    #[must_use]
    pub fn origin(&self, original: &str, range: Range<usize>) -> Range<usize> {
        let first = self.words.partition_point(|word| word.end <= range.start);
        let last = self.words.partition_point(|word| word.start < range.end).saturating_sub(1);
        let (Some(first), Some(last)) = (self.words.get(first), self.words.get(last)) else { return 0..0 };
        let from = if range.start <= first.start {
            first.from
        } else {
            self.origin_in(original, first, range.start).start
        };
        let to =
            if range.end >= last.end { last.to } else { self.origin_in(original, last, range.end).start };
        from..to.max(from)
    }

    /// The original segment that the byte `at` of the joined words, within `word`, came from.
    fn origin_in(&self, original: &str, word: &Word, at: usize) -> Range<usize> {
        let whole = word.from..word.to;
        let Some(source) = original.get(whole.clone()) else { return whole };
        if source.is_ascii() && source.len() == word.end - word.start {
            let from = word.from + (at - word.start);
            return from..from + 1;
        }
        let again = Self::of(source);
        if again.as_str() != &self.joined[word.start..word.end] {
            return whole;
        }
        let (mut begin, mut made, mut buffer) = (0, 0, String::new());
        while begin < source.len() {
            let end = segment_end(source, begin);
            buffer.clear();
            fold::push_folded(&source[begin..end], &mut buffer);
            made +=
                buffer.chars().filter(|c| class_of(*c) != Class::Between).map(char::len_utf8).sum::<usize>();
            if made > at - word.start {
                return word.from + begin..word.from + end;
            }
            begin = end;
        }
        whole
    }
}

/// A text's words joined by one space. Normalising twice is normalising once.
#[must_use]
pub fn normalise(text: &str) -> String {
    Words::of(text).joined
}

/// Builds the words from characters that are already normalised.
struct Splitter {
    joined: String,
    words: Vec<Word>,
    /// The class of the run being read.
    run: Class,
}

impl Splitter {
    fn new(bytes: usize) -> Self {
        Self {
            joined: String::with_capacity(bytes),
            words: Vec::with_capacity(bytes / 6),
            run: Class::Between,
        }
    }

    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut buffer = String::new();
        let mut at = 0;
        while at < bytes.len() {
            let end = ascii_run_end(bytes, at);
            if end > at {
                self.push_ascii(text, at, end);
                at = end;
                continue;
            }
            let end = segment_end(text, at);
            buffer.clear();
            fold::push_folded(&text[at..end], &mut buffer);
            for c in buffer.chars() {
                self.push(c, at, end);
            }
            at = end;
        }
    }

    /// Characters that stand for themselves but for their case, all of one class.
    fn push_ascii(&mut self, text: &str, from: usize, to: usize) {
        let class = class_of(char::from(text.as_bytes()[from]));
        let mut begin = from;
        if class == Class::Between {
            self.run = Class::Between;
            return;
        }
        while begin < to {
            let room = if self.run == class {
                self.words.last().map_or(0, |word| LONGEST_WORD - (word.end - word.start))
            } else {
                0
            };
            if room == 0 {
                self.open(class, begin);
                continue;
            }
            let end = to.min(begin + room);
            let start = self.joined.len();
            self.joined.push_str(&text[begin..end]);
            self.joined[start..].make_ascii_lowercase();
            self.extend(end);
            begin = end;
        }
    }

    fn push(&mut self, c: char, from: usize, to: usize) {
        let class = class_of(c);
        if class == Class::Between {
            self.run = class;
            return;
        }
        let full = self.words.last().is_none_or(|word| word.end - word.start + c.len_utf8() > LONGEST_WORD);
        if self.run != class || full {
            self.open(class, from);
        }
        self.joined.push(c);
        self.extend(to);
    }

    fn open(&mut self, class: Class, from: usize) {
        if !self.joined.is_empty() {
            self.joined.push(' ');
        }
        let start = self.joined.len();
        self.words.push(Word { start, end: start, from, to: from });
        self.run = class;
    }

    fn extend(&mut self, to: usize) {
        let end = self.joined.len();
        if let Some(word) = self.words.last_mut() {
            word.end = end;
            word.to = to;
        }
    }
}

/// The end of the run of one class of ASCII characters from `at`, none of which a following mark could change.
fn ascii_run_end(bytes: &[u8], at: usize) -> usize {
    let ascii = |index: usize| {
        bytes.get(index).filter(|byte| byte.is_ascii()).map(|byte| class_of(char::from(*byte)))
    };
    let Some(class) = ascii(at) else { return at };
    let mut end = at + 1;
    while ascii(end) == Some(class) {
        end += 1;
    }
    // The last one may be the base of a mark.
    if bytes.get(end).is_some_and(|byte| !byte.is_ascii()) { end - 1 } else { end }
}

#[cfg(test)]
mod tests;
