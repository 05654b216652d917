//! [`PinnedStatistics`]: the term statistics of the first page of a listing, for the scores of all its
//! pages.

use crate::search::TermStatistics;
use std::cell::RefCell;
use tantivy::{Searcher, Term, query::Bm25StatisticsProvider, schema::Field};

/// Provides term statistics to Tantivy: on the first page those of the index, which are recorded,
/// and on further pages the recorded ones.
pub(super) struct PinnedStatistics<'s> {
    searcher: &'s Searcher,
    pinned: Option<&'s TermStatistics>,
    recorded: RefCell<TermStatistics>,
}

impl<'s> PinnedStatistics<'s> {
    pub(super) fn new(searcher: &'s Searcher, pinned: Option<&'s TermStatistics>) -> Self {
        Self { searcher, pinned, recorded: RefCell::default() }
    }

    /// The recorded statistics.
    pub(super) fn into_statistics(self) -> TermStatistics {
        self.recorded.into_inner()
    }
}

impl Bm25StatisticsProvider for PinnedStatistics<'_> {
    fn total_num_tokens(&self, field: Field) -> tantivy::Result<u64> {
        let field_id = field.field_id();
        if let Some(length) = self.pinned.and_then(|pinned| pinned.lengths.get(&field_id)) {
            return Ok(*length);
        }
        let length = self.searcher.total_num_tokens(field)?;
        self.recorded.borrow_mut().lengths.insert(field_id, length);
        Ok(length)
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        if let Some(pinned) = self.pinned {
            return Ok(pinned.tenders);
        }
        let tenders = self.searcher.total_num_docs()?;
        self.recorded.borrow_mut().tenders = tenders;
        Ok(tenders)
    }

    fn doc_freq(&self, term: &Term) -> tantivy::Result<u64> {
        let word = TermStatistics::term_key(term.field().field_id(), term.serialized_value_bytes());
        let frequency = match self.pinned.and_then(|pinned| pinned.frequencies.get(&word)) {
            Some(frequency) => *frequency,
            None => self.searcher.doc_freq(term)?,
        };
        let mut recorded = self.recorded.borrow_mut();
        if recorded.frequencies.len() < TermStatistics::MAX_TERMS {
            recorded.frequencies.insert(word, frequency);
        }
        // Tantivy requires that no document frequency exceeds the number of documents.
        Ok(match self.pinned {
            Some(pinned) => frequency.min(pinned.tenders),
            None => frequency,
        })
    }
}
