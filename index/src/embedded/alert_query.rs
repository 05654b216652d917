//! The keywords of an alert as a Tantivy query, to find the tenders that match the alert. The
//! alert's filters are checked on columns while tenders are collected.

use super::{pattern_query::PatternQuery, schema::Fields};
use tantivy::{
    query::{BooleanQuery, EmptyQuery, Occur, Query},
    schema::Field,
};
use tender_model::{
    alert::{AlertError, AlertQuery},
    pattern::Pattern,
};

/// A query for tenders with any keyword of the alert and none of its exclude keywords.
///
/// # Errors
/// [`AlertError`] names the first keyword without a word.
pub(crate) fn alert_query(query: &AlertQuery, fields: &Fields) -> Result<Box<dyn Query>, AlertError> {
    let patterns = query.patterns()?;
    if patterns.is_empty() {
        return Ok(Box::new(EmptyQuery));
    }
    let pattern_in =
        |field: Field, pattern: Pattern| -> Box<dyn Query> { Box::new(PatternQuery::new(field, pattern)) };
    let keyword_fields: &[Field] = match query.is_limited_to_scope() {
        true => &[fields.title, fields.description],
        false => &[fields.words],
    };
    let keywords = patterns.iter().flat_map(|pattern| {
        keyword_fields.iter().map(|field| (Occur::Should, pattern_in(*field, pattern.clone())))
    });
    let excludes = query.exclude_patterns().into_iter();
    let excludes = excludes.map(|pattern| (Occur::MustNot, pattern_in(fields.words, pattern)));
    Ok(Box::new(BooleanQuery::new(keywords.chain(excludes).collect())))
}
