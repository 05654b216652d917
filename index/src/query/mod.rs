//! What is asked: a keyword as a [`Pattern`], an alert's filters as masks and bounds, typed search text, and how each becomes a
//! Tantivy query; and how a keyword is printed in the other languages. What is done with the tenders found is `search`'s part.

mod alert_filters;
mod alert_query;
mod keyword_translations;
mod pattern_query;
mod tender_facts;
mod user_query;

pub use alert_filters::AlertFilters;
pub(crate) use alert_query::alert_query;
pub use keyword_translations::{KeywordTranslation, translate_keywords};
pub use tender_facts::TenderFacts;
pub(crate) use tender_facts::{ABOUT, bits_of, city_hash};
pub use tender_model::pattern::{Pattern, Side};
pub use user_query::{
    Clause, Condition, Correction, DidYouMean, FactCondition, InclusiveRange, SearchedText, StatusCondition,
    TextCondition, UserQuery,
};
pub(crate) use user_query::{Highlight, QueryPlan, Scope, ScoringClause, SearchContext, fuzzy_terms, stem};
