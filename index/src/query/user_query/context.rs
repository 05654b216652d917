//! [`SearchContext`]: the index, time, exchange rates and viewer for which a query is planned.

use crate::schema::Fields;
use std::cell::Cell;
use tantivy::{
    DocId, DocSet, Searcher, SegmentOrdinal, TERMINATED, Term,
    schema::{Field, IndexRecordOption},
};
use tender_model::vocabulary::{Moment, Rates};

/// The maximum number of postings that are read to find a tender with a word that the viewer may
/// read, for all words of a query together.
const MAX_POSTINGS_READ: usize = 100_000;

/// The index, time, exchange rates and viewer for which a query is planned.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) now: Moment,
    pub(crate) rates: &'a Rates,
    /// The tenders that the viewer may read. `None`: all tenders.
    pub(crate) readable: Option<&'a ReadableTenders<'a>>,
}

/// The tenders that a viewer may read in full. Of the others, the viewer may read title,
/// organisation and reference.
pub(crate) struct ReadableTenders<'a> {
    is_readable: &'a dyn Fn(SegmentOrdinal, DocId) -> bool,
    /// The number of postings that may still be read.
    postings_left: Cell<usize>,
}

impl<'a> ReadableTenders<'a> {
    pub(crate) const fn new(is_readable: &'a dyn Fn(SegmentOrdinal, DocId) -> bool) -> Self {
        Self { is_readable, postings_left: Cell::new(MAX_POSTINGS_READ) }
    }

    /// Whether the viewer may read the whole tender.
    pub(super) fn contains(&self, segment: SegmentOrdinal, document: DocId) -> bool {
        (self.is_readable)(segment, document)
    }
}

impl SearchContext<'_> {
    /// Whether a word occurs in a field of a text that the viewer may read. A rare word of a large
    /// archive that the viewer may not read counts as absent when too many postings were read.
    pub(super) fn occurs(&self, field: Field, word: &str) -> tantivy::Result<bool> {
        let term = |field| Term::from_field_text(field, word);
        let is_in = |field| self.searcher.doc_freq(&term(field)).map(|count| count > 0);
        let Fields { title, organization, reference, words, stems, title_stems, .. } = *self.fields;
        let public_fields: &[Field] = match self.readable {
            Some(_) if field == words => &[title, organization, reference],
            Some(_) if field == stems => &[title_stems],
            _ => return is_in(field),
        };
        for public in public_fields {
            if is_in(*public)? {
                return Ok(true);
            }
        }
        self.occurs_in_readable_tender(&term(field))
    }

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
