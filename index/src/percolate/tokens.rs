//! [`TenderTokens`]: a tender's texts as the percolator reads them: all words in one string, a space before and behind each, a line a text, so that no
//! keyword runs from one text into the next.

use super::{MatchedPassage, ngram_index::PADDING};
use crate::document::{TextField, text_of, texts};
use std::ops::Range;
use tender_model::{
    tender::Tender,
    text::{Word, Words},
};

/// A tender's words. Kept from tender to tender for the room it has taken.
#[derive(Debug, Default)]
pub(super) struct TenderTokens {
    words: Words,
    /// Each text that is not empty, and its first byte.
    lines: Vec<(TextField, usize)>,
}

impl TenderTokens {
    pub(super) fn read(&mut self, tender: &Tender) {
        self.words.clear();
        self.lines.clear();
        for (field, text) in texts(tender).filter(|(_, text)| !text.is_empty()) {
            self.lines.push((field, self.words.as_str().len()));
            self.words.push_line(text);
        }
        self.words.push_padding(PADDING);
    }

    /// All words, with [`PADDING`] bytes behind the last.
    pub(super) fn bytes(&self) -> &[u8] {
        self.words.as_str().as_bytes()
    }

    /// The words' places in [`TenderTokens::bytes`].
    pub(super) fn words(&self) -> &[Word] {
        self.words.places()
    }

    /// Where a range of the bytes came from; `word` is the number of the word it begins in, where that is known. `tender` must be the one
    /// that was read.
    pub(super) fn origin(
        &self,
        tender: &Tender,
        range: Range<usize>,
        word: Option<u32>,
    ) -> Option<MatchedPassage> {
        let line = self.lines.partition_point(|(_, start)| *start <= range.start).checked_sub(1)?;
        let (field, _) = *self.lines.get(line)?;
        let word = word.map_or_else(|| self.words.word_at(range.start), |word| word as usize);
        let Range { start, end } = self.words.origin_from(word, text_of(tender, field), range);
        Some(MatchedPassage { field, start, end })
    }
}
