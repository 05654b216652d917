//! Queries: a keyword as a [`Pattern`], an alert's filters as masks and bounds, typed search text,
//! and their Tantivy queries. Also translations of keywords.

mod alert_filters;
mod alert_query;
mod fuzzy;
mod keyword_translations;
mod pattern_query;
mod tender_facts;
mod user_query;

pub use tender_model::pattern::{Pattern, WordMatch};

pub use alert_filters::AlertFilters;
pub(crate) use alert_query::alert_query;
pub(crate) use fuzzy::fuzzy_terms;
pub use keyword_translations::{KeywordTranslation, translate_keywords};
pub use tender_facts::TenderFacts;
pub(crate) use tender_facts::{ABOUT, bits_of, city_hash};
pub use user_query::{
    Clause, Condition, Correction, DidYouMean, FactCondition, InclusiveRange, SearchedText, StatusCondition,
    TextCondition, UserQuery,
};
pub(crate) use user_query::{Highlight, QueryPlan, Scope, ScoringClause, SearchContext};
