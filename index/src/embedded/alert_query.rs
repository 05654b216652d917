//! The keywords of an alert as a Tantivy query, to find the tenders that match the alert. The
//! alert's filters are checked on columns while tenders are collected.

use super::{pattern_query::PatternQuery, schema::Fields};
use tantivy::query::{BooleanQuery, EmptyQuery, Occur, Query};
use tender_model::alert::{AlertError, AlertQuery};

/// A query for tenders with any keyword of the alert and none of its exclude keywords.
///
/// # Errors
/// [`AlertError`] names the first keyword without a word.
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
        keywords.chain(query.exclude_patterns().into_iter().map(clause(Occur::MustNot))).collect(),
    )))
}
