//! [`TenderTokens`]: the texts of a tender in the form that the percolator reads. All words are in
//! one string, with a space on both sides of each word. A line break follows each text, so that no
//! keyword matches across texts.

use super::{ngram_index::PADDING, percolation::MatchedPassage};
use crate::tender_texts::{TextField, text_of, texts};
use std::ops::Range;
use tender_model::{
    tender::Tender,
    text::{Word, Words},
};

/// The words of a tender. Reused to keep the allocation.
#[derive(Debug, Default)]
pub(super) struct TenderTokens {
    words: Words,
    /// The texts that are not empty, each with the position at which it starts in the words.
    texts: Vec<(TextField, usize)>,
}

impl TenderTokens {
    pub(super) fn read(&mut self, tender: &Tender) {
        self.words.clear();
        self.texts.clear();
        for (field, text) in texts(tender).filter(|(_, text)| !text.is_empty()) {
            self.texts.push((field, self.words.as_str().len()));
            self.words.push_text(text);
        }
        self.words.push_padding(PADDING);
    }

    /// All words, followed by [`PADDING`] bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        self.words.as_str().as_bytes()
    }

    /// The ranges of the words in [`TenderTokens::bytes`].
    pub(super) fn words(&self) -> &[Word] {
        self.words.ranges()
    }

    /// The end of the title and the scope in [`TenderTokens::bytes`]. They come first.
    pub(super) fn scope_end(&self) -> usize {
        let rest = self.texts.iter().find(|(field, _)| !field.is_scope());
        rest.map_or(usize::MAX, |(_, start)| *start)
    }

    /// The passage of the tender from which a range of [`TenderTokens::bytes`] came. `word` is the
    /// index of the word in which the range starts, if known. `tender` must be the tender that was
    /// read.
    pub(super) fn origin(
        &self,
        tender: &Tender,
        range: Range<usize>,
        word: Option<u32>,
    ) -> Option<MatchedPassage> {
        let index = self.texts.partition_point(|(_, start)| *start <= range.start).checked_sub(1)?;
        let (field, _) = *self.texts.get(index)?;
        let word = word.map_or_else(|| self.words.word_at(range.start), |word| word as usize);
        let Range { start, end } = self.words.origin_from(word, text_of(tender, field), range);
        Some(MatchedPassage { field, start, end })
    }
}
