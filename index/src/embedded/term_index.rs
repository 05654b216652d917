//! Looks up terms. Implements [`TermIndex`] for the embedded engine.

use super::{fuzzy::fuzzy_terms, search_context::SearchContext, text_query};
use crate::{
    error::IndexError,
    query::{Scope, SearchField, TermIndex, TextQuery},
};
use std::collections::{BTreeSet, HashMap};
use tantivy::{
    DocId, DocSet, Searcher, SegmentOrdinal, TERMINATED, Term,
    query::{EnableScoring, Query},
    schema::IndexRecordOption,
};

impl TermIndex for SearchContext<'_> {
    fn frequency(&self, field: SearchField, term: &str) -> Result<u64, IndexError> {
        Ok(self.searcher.doc_freq(&Term::from_field_text(self.fields.of(field), term))?)
    }

    /// A rare word of a large archive that the viewer may not read counts as absent when too many
    /// postings were read.
    fn occurs(&self, field: SearchField, term: &str) -> Result<bool, IndexError> {
        let public_fields: &[SearchField] = match (self.readable, field) {
            (Some(_), SearchField::Words) => {
                &[SearchField::Title, SearchField::Organization, SearchField::Reference]
            }
            (Some(_), SearchField::Stems) => &[SearchField::TitleStems],
            _ => return Ok(self.frequency(field, term)? > 0),
        };
        for public in public_fields {
            if self.frequency(*public, term)? > 0 {
                return Ok(true);
            }
        }
        Ok(self.occurs_in_readable_tender(&Term::from_field_text(self.fields.of(field), term))?)
    }

    fn similar_terms(
        &self,
        field: SearchField,
        term: &str,
        distance: u8,
    ) -> Result<HashMap<String, u64>, IndexError> {
        Ok(fuzzy_terms(term, distance, self.fields.of(field), self.searcher)?)
    }

    fn references_with_prefix(&self, prefix: &str, most: usize) -> Result<Vec<String>, IndexError> {
        let mut found = BTreeSet::new();
        for reader in self.searcher.segment_readers() {
            let inverted = reader.inverted_index(self.fields.solid_reference)?;
            let terms = inverted.terms().range().ge(prefix).into_stream();
            let mut terms = terms.map_err(tantivy::TantivyError::from)?;
            while let Some((term, _)) = terms.next().filter(|(term, _)| term.starts_with(prefix.as_bytes())) {
                if let Ok(term) = std::str::from_utf8(term) {
                    found.insert(term.to_owned());
                }
                if found.len() >= most {
                    break;
                }
            }
        }
        Ok(found.into_iter().collect())
    }

    fn finds_any(&self, query: &TextQuery) -> Result<bool, IndexError> {
        let query = |scope| text_query::to_query(query, self, scope);
        Ok(match self.readable {
            None => has_result(&*query(Scope::Everything), self.searcher, |_, _| true)?,
            Some(readable) => {
                has_result(&*query(Scope::Stub), self.searcher, |_, _| true)?
                    || has_result(&*query(Scope::Everything), self.searcher, |segment, document| {
                        readable.contains(segment, document)
                    })?
            }
        })
    }
}

impl SearchContext<'_> {
    fn occurs_in_readable_tender(&self, term: &Term) -> tantivy::Result<bool> {
        let Some(readable) = self.readable else { return Ok(true) };
        for (segment, reader) in (0..).zip(self.searcher.segment_readers()) {
            let inverted = reader.inverted_index(term.field())?;
            let Some(mut postings) = inverted.read_postings(term, IndexRecordOption::Basic)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                let Some(left) = readable.postings_left.get().checked_sub(1) else { return Ok(false) };
                readable.postings_left.set(left);
                let is_alive = reader.alive_bitset().is_none_or(|alive| alive.is_alive(postings.doc()));
                if is_alive && readable.contains(segment, postings.doc()) {
                    return Ok(true);
                }
                postings.advance();
            }
        }
        Ok(false)
    }
}

/// Whether a query finds a tender that `is_accepted` accepts.
fn has_result(
    query: &dyn Query,
    searcher: &Searcher,
    is_accepted: impl Fn(SegmentOrdinal, DocId) -> bool,
) -> tantivy::Result<bool> {
    let weight = query.weight(EnableScoring::disabled_from_searcher(searcher))?;
    for (segment, reader) in (0..).zip(searcher.segment_readers()) {
        let mut found = weight.scorer(reader, 1.0)?;
        while found.doc() != TERMINATED {
            let is_alive = reader.alive_bitset().is_none_or(|alive| alive.is_alive(found.doc()));
            if is_alive && is_accepted(segment, found.doc()) {
                return Ok(true);
            }
            found.advance();
        }
    }
    Ok(false)
}
