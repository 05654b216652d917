//! What is asked: a keyword as a [`Pattern`], an alert's filters as masks and bounds, typed search text, and how each becomes a
//! Tantivy query; and how a keyword is printed in the other languages. What is done with the tenders found is `search`'s part.

mod alert;
mod equivalent;
mod facts;
mod filters;
mod pattern_query;
mod typed;

pub(crate) use alert::alert_query;
pub use equivalent::{Equivalent, equivalents};
pub use facts::Facts;
pub(crate) use facts::{ABOUT, bits_of, city_hash};
pub use filters::Filters;
pub use tender_model::pattern::{Pattern, Side};
pub(crate) use typed::{Asked, Context, Merit, Scope, Sought, fuzzy_terms, stem};
pub use typed::{Change, Clause, Condition, DidYouMean, Fact, Span, Standing, Text, Typed, Within};
