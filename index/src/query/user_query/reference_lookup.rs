//! Looks up references regardless of separators: the typed words are joined and matched as a whole
//! reference or a prefix.

use super::context::SearchContext;
use std::collections::BTreeSet;

/// Shorter texts are prefixes of too many references.
const SHORTEST: usize = 4;
/// The maximum number of references with one prefix.
const MOST: usize = 1000;

/// The references that equal or start with the joined words. The words must contain a digit;
/// otherwise they are not a reference.
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
