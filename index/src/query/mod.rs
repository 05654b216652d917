//! Queries. The keywords of an alert and the text of the search box become Tantivy queries. The
//! filters of an alert become masks and bounds. Keywords can also be translated.

mod alert_filters;
mod alert_query;
mod filter_values;
mod fuzzy;
mod keyword_translations;
mod pattern_query;
mod user_query;

pub use tender_model::pattern::{Pattern, WordMatch};

pub use alert_filters::AlertFilters;
pub(crate) use alert_query::alert_query;
pub use filter_values::FilterValues;
pub(crate) use filter_values::{SUBJECT_TRAITS, bits_of, name_hash};
pub(crate) use fuzzy::fuzzy_terms;
pub use keyword_translations::{KeywordTranslation, translate_keywords};
pub use user_query::{
    Clause, Condition, Correction, DidYouMean, FieldCondition, InclusiveRange, SearchedText, StatusCondition,
    TextCondition, UserQuery,
};
pub(crate) use user_query::{Highlight, QueryPlan, ReadableTenders, Scope, ScoringClause, SearchContext};
