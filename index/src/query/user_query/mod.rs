//! The language of the search box: words, `"phrases"`, `-excluded` words, `field:value`, and `OR`
//! between two of these. There are no syntax errors; text that is not an operator is searched for.
//!
//! A search text is parsed into a [`UserQuery`], planned against an index as a [`QueryPlan`], and
//! run as Tantivy queries.

mod context;
mod did_you_mean;
mod field_condition;
mod field_query;
mod node;
mod parse;
mod plan;
mod reference_lookup;
mod scoring;
mod syntax;
mod typos;

pub(crate) use context::{ReadableTenders, SearchContext};
pub use did_you_mean::{Correction, DidYouMean};
pub use field_condition::{FieldCondition, InclusiveRange, StatusCondition};
pub(crate) use node::{Highlight, Scope};
pub(crate) use plan::QueryPlan;
pub(crate) use scoring::ScoringClause;
pub use syntax::{Clause, Condition, SearchedText, TextCondition, UserQuery};

#[cfg(test)]
mod tests;
