//! Looks up references regardless of separators. The typed words are joined and compared with whole
//! references and their prefixes.

use super::context::SearchContext;
use std::collections::BTreeSet;

/// Shorter texts are prefixes of too many references.
const MIN_LENGTH: usize = 4;
/// When this many references are found, the rest of a segment's references are not read.
const MAX_REFERENCES: usize = 1000;

/// The references that equal or start with the joined words. The words must contain a digit;
/// otherwise they are not a reference.
pub(super) fn find_by_prefix<'a>(
    words: impl Iterator<Item = &'a str>,
    context: &SearchContext<'_>,
) -> tantivy::Result<Vec<String>> {
    let joined: String = words.collect();
    let mut found = BTreeSet::new();
    if joined.len() < MIN_LENGTH || !joined.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    for reader in context.searcher.segment_readers() {
        let inverted = reader.inverted_index(context.fields.solid_reference)?;
        let mut terms = inverted.terms().range().ge(&joined).into_stream()?;
        while let Some((term, _)) = terms.next().filter(|(term, _)| term.starts_with(joined.as_bytes())) {
            if let Ok(term) = std::str::from_utf8(term) {
                found.insert(term.to_owned());
            }
            if found.len() >= MAX_REFERENCES {
                break;
            }
        }
    }
    Ok(found.into_iter().collect())
}
