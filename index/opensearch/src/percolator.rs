//! Alerts as stored queries of OpenSearch's percolator. The portal matches alerts with
//! [`index::percolate`]. This is for comparisons with it.

use crate::{
    ClusterConfig,
    alert_matches::alert_condition,
    document::of_tender,
    mapping::{create_request, field_name},
    text_query::{escaped, open_sides},
};
use index::{
    IndexError,
    query::{Pattern, SearchField},
};
use serde_json::{Value, json};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};

/// The field with the stored query of an alert.
const QUERY_FIELD: &str = "query";
/// The maximum number of alerts that match one tender.
const MAX_ALERTS: usize = 1_000_000;

/// The body of the request that creates an index for alerts.
#[must_use]
pub fn create_percolator(config: &ClusterConfig) -> Value {
    let mut body = create_request(config);
    body["settings"]["max_result_window"] = MAX_ALERTS.into();
    body["mappings"]["properties"][QUERY_FIELD] = json!({"type": "percolator"});
    // Keywords are searched among the words.
    for field in ["patterns", "scope_patterns"] {
        body["mappings"]["properties"][field] =
            json!({"type": "keyword", "index": false, "doc_values": false});
    }
    body
}

/// The document of an alert. `None`: it matches nothing.
///
/// # Errors
/// [`IndexError::Alert`] if the alert cannot be matched.
pub fn alert_document(alert: &AlertQuery, now: Moment, rates: &Rates) -> Result<Option<Value>, IndexError> {
    let condition = alert_condition(alert, (now, rates), by_words)?;
    Ok(condition.map(|query| json!({"listed": true, QUERY_FIELD: query})))
}

/// A query for a keyword among the words of all texts or, if `is_limited`, of the title and the scope. The
/// percolator selects the alerts that it evaluates by terms, so a keyword of whole words is a phrase.
fn by_words(pattern: &Pattern, is_limited: bool) -> Value {
    let (is_open_left, is_open_right) = open_sides(pattern);
    let words: Vec<&str> = pattern.as_str().split(' ').collect();
    let field = if is_limited { "scope_words" } else { field_name(SearchField::Words) };
    if !is_open_left && !is_open_right {
        return json!({"match_phrase": {field: pattern.as_str()}});
    }
    let last = words.len() - 1;
    let open = |left: bool, word: &str, right: bool| {
        format!("{}{}{}", if left { "*" } else { "" }, escaped(word), if right { "*" } else { "" })
    };
    if let [word] = words[..] {
        return match is_open_left {
            true => json!({"wildcard": {field: {"value": open(true, word, is_open_right)}}}),
            false => json!({"prefix": {field: {"value": word}}}),
        };
    }
    let intervals: Vec<Value> = words
        .iter()
        .enumerate()
        .map(|(at, word)| match (at == 0 && is_open_left, at == last && is_open_right) {
            (false, false) => json!({"match": {"query": word}}),
            (left, right) => json!({"wildcard": {"pattern": open(left, word, right)}}),
        })
        .collect();
    json!({"intervals": {field: {"all_of": {"ordered": true, "max_gaps": 0, "intervals": intervals}}}})
}

/// The search for the alerts that match a tender.
///
/// # Errors
/// [`IndexError::Record`] if the tender cannot be serialised.
pub fn percolate_request(tender: &Tender) -> Result<Value, IndexError> {
    let document = of_tender(tender, None)?;
    Ok(json!({
        "size": MAX_ALERTS, "track_total_hits": false, "_source": false, "sort": ["_doc"],
        "query": {"constant_score": {"filter": {"percolate": {"field": QUERY_FIELD, "document": document}}}},
    }))
}
