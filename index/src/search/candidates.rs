//! [`CandidateSearch`]: finds tenders by terms of texts that everyone may read, for the search for
//! similar tenders and for duplicates.

use crate::{
    error::IndexError,
    query::{SearchField, TermIndex},
};
use tender_model::tender::Tender;

/// A search for tenders that may resemble another.
pub trait CandidateSearch {
    /// The terms of the index. Everyone may read the fields that are asked for.
    fn terms(&self) -> &dyn TermIndex;

    /// The number of documents in the index.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn count(&self) -> Result<u64, IndexError>;

    /// At most `most` tenders with one of these terms of [`SearchField::SolidReference`].
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn with_references(&self, references: &[String], most: usize) -> Result<Vec<Tender>, IndexError>;

    /// The `most` best tenders with at least `at_least` of these terms of a field, each with the
    /// factor of its BM25 score. The best comes first.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn with_terms(
        &self,
        field: SearchField,
        terms: &[(String, f32)],
        at_least: usize,
        most: usize,
    ) -> Result<Vec<Tender>, IndexError>;
}
