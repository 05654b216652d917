//! Looks up references regardless of separators. The typed words are joined and compared with whole
//! references and their prefixes.

use super::term_index::TermIndex;
use crate::error::IndexError;

/// Shorter texts are prefixes of too many references.
const MIN_LENGTH: usize = 4;
/// When this many references are found, the rest of a segment's references are not read.
const MAX_REFERENCES: usize = 1000;

/// The references that equal or start with the joined words. The words must contain a digit;
/// otherwise they are not a reference.
pub(super) fn find_by_prefix<'a>(
    words: impl Iterator<Item = &'a str>,
    index: &dyn TermIndex,
) -> Result<Vec<String>, IndexError> {
    let joined: String = words.collect();
    if joined.len() < MIN_LENGTH || !joined.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    index.references_with_prefix(&joined, MAX_REFERENCES)
}
