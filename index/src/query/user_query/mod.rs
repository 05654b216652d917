//! The language of the search box: words, `"phrases"`, `-excluded` words, `field:value`, and `OR`
//! between two of these. There are no syntax errors; text that is not an operator is searched for.
//!
//! A search text is parsed into a [`UserQuery`] and planned against an index as a [`QueryPlan`], which
//! an engine runs.

mod did_you_mean;
mod field_condition;
mod parse;
mod plan;
mod reference_lookup;
mod scoring;
mod search_field;
mod syntax;
mod term_index;
mod text_query;
mod typos;

pub use did_you_mean::{Correction, DidYouMean};
pub use field_condition::{FieldCondition, InclusiveRange, StatusCondition};
pub use plan::QueryPlan;
pub use scoring::{ScoredMatch, ScoringClause};
pub use search_field::{FieldTerm, SearchField};
pub use syntax::{Clause, Condition, SearchedText, TextCondition, UserQuery};
pub use term_index::TermIndex;
pub use text_query::{Highlight, QueryNode, Scope, TextQuery, name_pattern};

#[cfg(test)]
mod tests;
