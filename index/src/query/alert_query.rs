//! An alert's keywords as a Tantivy query: the forward direction of what the percolator does. Its filters are read from columns while
//! the tenders are collected.

use super::pattern_query::PatternQuery;
use crate::schema::Fields;
use tantivy::query::{BooleanQuery, EmptyQuery, Occur, Query};
use tender_model::alert::{AlertError, AlertQuery};

/// Any keyword, and no exclude keyword.
///
/// # Errors
/// [`AlertError`], for the first keyword at fault.
pub(crate) fn alert_query(query: &AlertQuery, fields: &Fields) -> Result<Box<dyn Query>, AlertError> {
    let patterns = query.patterns()?;
    if patterns.is_empty() {
        return Ok(Box::new(EmptyQuery));
    }
    let clause = |occur: Occur| {
        move |pattern| (occur, Box::new(PatternQuery::new(fields.words, pattern)) as Box<dyn Query>)
    };
    let keywords = patterns.into_iter().map(clause(Occur::Should));
    Ok(Box::new(BooleanQuery::new(
        keywords.chain(query.excludes().into_iter().map(clause(Occur::MustNot))).collect(),
    )))
}
