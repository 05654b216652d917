//! [`TermIndex`]: what planning a query asks of an index. Each engine implements it, so that all
//! engines correct the same words, find the same names and relax a search text in the same way.

use super::{
    search_field::{FieldTerm, SearchField},
    text_query::TextQuery,
};
use crate::error::IndexError;
use std::collections::HashMap;

/// The terms of an index, as one viewer may see them.
pub trait TermIndex {
    /// Announces terms whose frequency or occurrence will be asked for. An engine in another
    /// process reads them in one request.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn prefetch(&self, _terms: &[FieldTerm]) -> Result<(), IndexError> {
        Ok(())
    }

    /// The number of documents with this term, including those that the viewer may not read.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn frequency(&self, field: SearchField, term: &str) -> Result<u64, IndexError>;

    /// Whether the term occurs in a text that the viewer may read.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn occurs(&self, field: SearchField, term: &str) -> Result<bool, IndexError>;

    /// The terms of a field within `distance` edits of `term`, with their frequencies. The distance
    /// is 1 or 2. A transposition of adjacent letters is one edit.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn similar_terms(
        &self,
        field: SearchField,
        term: &str,
        distance: u8,
    ) -> Result<HashMap<String, u64>, IndexError>;

    /// The terms of [`SearchField::SolidReference`] that start with `prefix`, sorted. `most` bounds
    /// the number of terms that each part of the index contributes.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn references_with_prefix(&self, prefix: &str, most: usize) -> Result<Vec<String>, IndexError>;

    /// Whether a query finds any tender by a text that the viewer may read.
    ///
    /// # Errors
    /// [`IndexError::Unavailable`] if the engine does not answer.
    fn finds_any(&self, query: &TextQuery) -> Result<bool, IndexError>;
}
