//! [`SearchContext`]: the index and the time for which a query is planned.

use crate::schema::Fields;
use tantivy::Searcher;
use tender_model::vocabulary::{Moment, Rates};

/// The index and the time for which a query is planned.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) now: Moment,
    /// Exchange rates for value conditions.
    pub(crate) rates: &'a Rates,
}
