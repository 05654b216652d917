//! The terms of a field within an edit distance of a word.

use std::collections::HashMap;
use tantivy::{Searcher, Term, query::FuzzyTermQuery, schema::Field};

/// The terms of a field within `distance` edits of `word`, with their document frequencies. The
/// distance is at most two.
pub(crate) fn fuzzy_terms(
    word: &str,
    distance: u8,
    field: Field,
    searcher: &Searcher,
) -> tantivy::Result<HashMap<String, u64>> {
    // A transposition of adjacent letters counts as one edit.
    let automaton = || FuzzyTermQuery::new(Term::from_field_text(field, word), distance, true).automaton();
    let mut found = HashMap::new();
    for reader in searcher.segment_readers() {
        let inverted = reader.inverted_index(field)?;
        let mut terms = inverted.terms().search(automaton()?).into_stream()?;
        while let Some((term, info)) = terms.next() {
            if let Ok(term) = std::str::from_utf8(term) {
                *found.entry(term.to_owned()).or_default() += u64::from(info.doc_freq);
            }
        }
    }
    Ok(found)
}
