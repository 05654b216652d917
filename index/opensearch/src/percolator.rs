//! Alerts as stored queries of OpenSearch's percolator. The portal matches alerts with
//! [`index::percolate`]. This is for comparisons with it.

use crate::{ClusterConfig, alert_matches::alert_condition, document::of_tender, mapping::create_request};
use index::IndexError;
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
    // The percolator keeps a tender in memory, and a field of the type `wildcard` cannot be searched there.
    body["mappings"]["properties"]["patterns"] = json!({"type": "keyword"});
    body
}

/// The document of an alert. `None`: it matches nothing.
///
/// # Errors
/// [`IndexError::Alert`] if the alert cannot be matched.
pub fn alert_document(alert: &AlertQuery, now: Moment, rates: &Rates) -> Result<Option<Value>, IndexError> {
    let condition = alert_condition(alert, now, rates)?;
    Ok(condition.map(|query| json!({"listed": true, QUERY_FIELD: query})))
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
