//! The word splitter, with a map from the words back to the original text.

use super::fold::{self, CharClass, ascii_run, class_of, segment_end};
use std::ops::Range;

/// The length of the longest word in bytes. A longer run is split at character boundaries, so
/// nothing is lost.
pub const MAX_WORD_BYTES: usize = 255;

/// The normalised words of a text.
///
/// ```
/// let words = tender_model::text::Words::of("DSO.MT.2021/11 for C5");
/// assert_eq!(words.as_str(), "dso mt 2021 11 for c 5");
/// assert_eq!(words.iter().nth(2), Some("2021"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Words {
    joined: String,
    words: Vec<Word>,
}

/// A word: its range in the joined words, and the range of the original it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// First byte in [`Words::as_str`].
    pub start: usize,
    /// End in [`Words::as_str`], exclusive.
    pub end: usize,
    /// First byte in the original.
    pub from: usize,
    /// End in the original, exclusive.
    pub to: usize,
}

impl Words {
    /// Splits a text. Takes time linear in its length.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let mut words = Self { joined: String::new(), words: Vec::with_capacity(text.len() / 6) };
        words.append(text);
        words
    }

    /// Appends a text with a space before and after each word and a line break at its end, so that
    /// no phrase continues in the next text. [`Word::from`] and [`Word::to`] of its words are
    /// positions in this text.
    pub fn push_text(&mut self, text: &str) {
        self.joined.push(' ');
        self.append(text);
        self.joined.push_str(" \n");
    }

    /// Appends zero bytes after the words, so that callers may read past the end.
    pub fn push_padding(&mut self, bytes: usize) {
        self.joined.extend(std::iter::repeat_n('\0', bytes));
    }

    /// Removes all words but keeps the allocation.
    pub fn clear(&mut self) {
        self.joined.clear();
        self.words.clear();
    }

    fn append(&mut self, text: &str) {
        let (base, before) = (self.joined.len(), self.words.len());
        let joined = Vec::with_capacity(text.len());
        let mut splitter =
            Splitter { joined, base, words: &mut self.words, before, run: CharClass::Separator };
        splitter.read(text);
        // The bytes are whole characters, so this never fails.
        let joined = String::from_utf8(splitter.joined).unwrap_or_default();
        if base == 0 { self.joined = joined } else { self.joined.push_str(&joined) }
    }

    /// The words, joined by one space.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.joined
    }

    /// The words, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> + DoubleEndedIterator {
        self.words.iter().map(|word| &self.joined[word.start..word.end])
    }

    /// The ranges of the words, in order.
    #[must_use]
    pub fn ranges(&self) -> &[Word] {
        &self.words
    }

    /// The number of words.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The bytes of `original` from which a range of [`Words::as_str`] came. `original` must be
    /// the text that was split. If a character came from several characters, the result covers all
    /// of them.
    #[must_use]
    pub fn origin(&self, original: &str, range: Range<usize>) -> Range<usize> {
        self.origin_from(self.word_at(range.start), original, range)
    }

    /// The index of the word that contains a byte of [`Words::as_str`]. If no word contains it,
    /// the index of the next word.
    pub fn word_at(&self, byte: usize) -> usize {
        self.words.partition_point(|word| word.end <= byte)
    }

    /// Like [`Words::origin`]. `first` is the index of the word at the start of the range, as
    /// returned by [`Words::word_at`].
    pub fn origin_from(&self, first: usize, original: &str, range: Range<usize>) -> Range<usize> {
        let words = self.words.get(first..).unwrap_or_default();
        let Some(first) = words.first() else { return 0..0 };
        let last = words.iter().take_while(|word| word.start < range.end).last().unwrap_or(first);
        let from = if range.start <= first.start {
            first.from
        } else {
            self.origin_in(original, first, range.start).start
        };
        let to = if range.end >= last.end {
            last.to
        } else if range.end <= last.start {
            // An empty range before the word.
            last.from
        } else {
            self.origin_in(original, last, range.end).start
        };
        from..to.max(from)
    }

    /// The part of the original from which byte `at` of the joined words came: a byte, a segment
    /// or the whole word.
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
            made += buffer
                .chars()
                .filter(|c| class_of(*c) != CharClass::Separator)
                .map(char::len_utf8)
                .sum::<usize>();
            if made > at - word.start {
                return word.from + begin..word.from + end;
            }
            begin = end;
        }
        whole
    }
}

/// The words of a text, joined by one space. The function is idempotent.
#[must_use]
pub fn normalise(text: &str) -> String {
    Words::of(text).joined
}

/// Normalises a text and splits it into words.
struct Splitter<'a> {
    /// The joined words of this text.
    joined: Vec<u8>,
    /// The length of the joined words of earlier texts.
    base: usize,
    words: &'a mut Vec<Word>,
    /// The number of words of earlier texts.
    before: usize,
    /// The class of the current run.
    run: CharClass,
}

impl Splitter<'_> {
    fn read(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut buffer = String::new();
        let mut at = 0;
        while at < bytes.len() {
            // A space before another ASCII character is the most frequent separator.
            if bytes[at] == b' ' && bytes.get(at + 1).is_some_and(u8::is_ascii) {
                self.run = CharClass::Separator;
                at += 1;
                continue;
            }
            let (class, run) = ascii_run(&bytes[at..]);
            // The last character of a run may be the base of a following mark.
            let alone =
                run - usize::from(run > 0 && bytes.get(at + run).is_some_and(|byte| !byte.is_ascii()));
            if alone > 0 {
                self.push_ascii(bytes, at, at + alone, class);
                at += alone;
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
        // Folded characters have no upper case, so ASCII is lowered in one pass at the end.
        self.joined.make_ascii_lowercase();
    }

    /// Appends ASCII characters of one class.
    fn push_ascii(&mut self, bytes: &[u8], from: usize, to: usize, class: CharClass) {
        if class == CharClass::Separator {
            self.run = CharClass::Separator;
            return;
        }
        if self.run != class && to - from <= MAX_WORD_BYTES {
            if self.words.len() > self.before {
                self.joined.push(b' ');
            }
            let start = self.base + self.joined.len();
            self.joined.extend_from_slice(&bytes[from..to]);
            self.words.push(Word { start, end: start + (to - from), from, to });
            self.run = class;
            return;
        }
        let mut begin = from;
        while begin < to {
            let room = if self.run == class {
                self.words.last().map_or(0, |word| MAX_WORD_BYTES - (word.end - word.start))
            } else {
                0
            };
            if room == 0 {
                self.start_word(class, begin);
                continue;
            }
            let end = to.min(begin + room);
            self.joined.extend_from_slice(&bytes[begin..end]);
            self.extend_word(end);
            begin = end;
        }
    }

    fn push(&mut self, c: char, from: usize, to: usize) {
        let class = class_of(c);
        if class == CharClass::Separator {
            self.run = class;
            return;
        }
        let full = self.words.last().is_none_or(|word| word.end - word.start + c.len_utf8() > MAX_WORD_BYTES);
        if self.run != class || full {
            self.start_word(class, from);
        }
        self.joined.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        self.extend_word(to);
    }

    fn start_word(&mut self, class: CharClass, from: usize) {
        if self.words.len() > self.before {
            self.joined.push(b' ');
        }
        let start = self.base + self.joined.len();
        self.words.push(Word { start, end: start, from, to: from });
        self.run = class;
    }

    fn extend_word(&mut self, to: usize) {
        let end = self.base + self.joined.len();
        if let Some(word) = self.words.last_mut() {
            word.end = end;
            word.to = to;
        }
    }
}
