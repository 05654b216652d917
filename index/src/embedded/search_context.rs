//! [`SearchContext`]: the index, time, exchange rates and viewer for which a query is planned.

use super::schema::Fields;
use crate::query::SearchField;
use std::cell::Cell;
use tantivy::{DocId, Searcher, SegmentOrdinal, Term, schema::Field};
use tender_model::vocabulary::{Moment, Rates};

/// The maximum number of postings that are read to find a tender with a word that the viewer may
/// read, for all words of a query together.
const MAX_POSTINGS_READ: usize = 100_000;

/// The index, time, exchange rates and viewer for which a query is planned.
#[derive(Clone, Copy)]
pub(super) struct SearchContext<'a> {
    pub(super) searcher: &'a Searcher,
    pub(super) fields: &'a Fields,
    pub(super) now: Moment,
    pub(super) rates: &'a Rates,
    /// The tenders that the viewer may read. `None`: all tenders.
    pub(super) readable: Option<&'a ReadableTenders<'a>>,
}

/// The tenders that a viewer may read in full. Of the others, the viewer may read title,
/// organisation and reference.
pub(super) struct ReadableTenders<'a> {
    is_readable: &'a dyn Fn(SegmentOrdinal, DocId) -> bool,
    /// The number of postings that may still be read.
    pub(super) postings_left: Cell<usize>,
}

impl<'a> ReadableTenders<'a> {
    pub(super) const fn new(is_readable: &'a dyn Fn(SegmentOrdinal, DocId) -> bool) -> Self {
        Self { is_readable, postings_left: Cell::new(MAX_POSTINGS_READ) }
    }

    /// Whether the viewer may read the whole tender.
    pub(super) fn contains(&self, segment: SegmentOrdinal, document: DocId) -> bool {
        (self.is_readable)(segment, document)
    }
}

impl SearchContext<'_> {
    /// The term of a field.
    pub(super) fn term(&self, field: SearchField, word: &str) -> Term {
        Term::from_field_text(self.fields.of(field), word)
    }
}

impl Fields {
    /// The field of the schema for an indexed text.
    pub(super) const fn of(&self, field: SearchField) -> Field {
        match field {
            SearchField::Title => self.title,
            SearchField::Organization => self.organization,
            SearchField::Reference => self.reference,
            SearchField::SolidReference => self.solid_reference,
            SearchField::Words => self.words,
            SearchField::Stems => self.stems,
            SearchField::TitleStems => self.title_stems,
        }
    }
}
