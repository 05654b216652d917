//! What is asked: a keyword as a [`Pattern`], an alert's filters as masks and bounds, typed search text, and how each becomes a
//! Tantivy query. What is done with the tenders found is `search`'s part.

mod filters;
mod pattern;

pub use filters::{Facts, Filters};
pub use pattern::{Pattern, Side};
