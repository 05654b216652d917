//! Queries, independent of the engine that runs them. The text of the search box is planned as a
//! [`TextQuery`] with [`ScoringClause`]s. The filters of an alert become masks and bounds. Keywords
//! can also be translated.

mod alert_filters;
mod filter_values;
mod keyword_translations;
mod user_query;

pub use tender_model::pattern::{Pattern, WordMatch};

pub use alert_filters::AlertFilters;
pub use filter_values::FilterValues;
pub(crate) use filter_values::{SUBJECT_TRAITS, bits_of, name_hash};
pub use keyword_translations::{KeywordTranslation, translate_keywords};
pub use user_query::{
    Clause, Condition, Correction, DidYouMean, FieldCondition, FieldTerm, Highlight, InclusiveRange,
    QueryNode, QueryPlan, Scope, ScoredMatch, ScoringClause, SearchField, SearchedText, StatusCondition,
    TermIndex, TextCondition, TextQuery, UserQuery, name_pattern,
};
