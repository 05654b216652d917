//! References typed with other separators than they are printed with, or with none: looked up as one solid word, whole or by
//! its beginning.

use super::SearchContext;
use std::collections::BTreeSet;

/// Shorter ones begin too many references.
const SHORTEST: usize = 4;
/// How many references one beginning may stand for.
const MOST: usize = 1000;

/// The solid references that some words, written without separators, are or begin. There must be a digit among them: what has none
/// is a word.
pub(super) fn beginning_with<'a>(
    words: impl Iterator<Item = &'a str>,
    context: &SearchContext<'_>,
) -> tantivy::Result<Vec<String>> {
    let solid: String = words.collect();
    let mut found = BTreeSet::new();
    if solid.len() < SHORTEST || !solid.bytes().any(|byte| byte.is_ascii_digit()) {
        return Ok(Vec::new());
    }
    for reader in context.searcher.segment_readers() {
        let inverted = reader.inverted_index(context.fields.solid_reference)?;
        let mut terms = inverted.terms().range().ge(&solid).into_stream()?;
        while let Some((term, _)) = terms.next().filter(|(term, _)| term.starts_with(solid.as_bytes())) {
            if let Ok(term) = std::str::from_utf8(term) {
                found.insert(term.to_owned());
            }
            if found.len() >= MOST {
                break;
            }
        }
    }
    Ok(found.into_iter().collect())
}
