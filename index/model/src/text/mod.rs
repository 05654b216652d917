//! The text normaliser and word splitter for tenders, alerts and typed queries, with a map back to
//! the original text.
//!
//! The rules: NFKC, full case folding, NFKC; default ignorables are removed. A word is a maximal
//! run of letters and marks, or a maximal run of digits.

mod fold;
mod words;

pub use words::{MAX_WORD_BYTES, Word, Words, normalise};

#[cfg(test)]
mod tests;
