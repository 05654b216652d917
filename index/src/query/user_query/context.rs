//! [`SearchContext`]: the index, time and exchange rates for which a query is planned.

use crate::schema::Fields;
use tantivy::Searcher;
use tender_model::vocabulary::{Moment, Rates};

/// The index, time and exchange rates for which a query is planned.
#[derive(Clone, Copy)]
pub(crate) struct SearchContext<'a> {
    pub(crate) searcher: &'a Searcher,
    pub(crate) fields: &'a Fields,
    pub(crate) now: Moment,
    pub(crate) rates: &'a Rates,
}
