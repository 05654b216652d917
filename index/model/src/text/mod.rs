//! The text normaliser and word splitter for tenders, alerts and typed queries, with a map back to
//! the original text.
//!
//! The rules: default ignorables are removed, and NFKC, full case folding and NFKC are applied. A
//! word is a maximal run of letters and marks, or a maximal run of digits. A run that is longer
//! than [`MAX_WORD_BYTES`] is split.

mod fold;
mod words;

pub use words::{MAX_WORD_BYTES, Word, Words, normalise};

#[cfg(test)]
mod tests;
