//! The newest tenders that match an alert. An unknown category, organisation type, place or value
//! passes every filter, as in [`index::query::AlertFilters`].

use crate::{
    cluster::Cluster,
    filters::{all, any, exists, listed, not, seconds, value_between},
    listing::MAX_WINDOW,
    text_query::{pattern, pattern_in, status, topic},
};
use index::{AlertMatches, IndexError, query::Pattern};
use jiff::ToSpan;
use serde_json::{Value, json};
use tender_model::{
    alert::AlertQuery,
    text::normalise,
    vocabulary::{Moment, Rates},
};

/// Finds the newest tenders that match an alert.
pub(crate) fn matching(
    cluster: &Cluster,
    index: &str,
    alert: &AlertQuery,
    (now, rates): (Moment, &Rates),
    limit: usize,
) -> Result<AlertMatches, IndexError> {
    let condition = alert_condition(alert, (now, rates), pattern_in_scope)?;
    let Some(condition) = condition else { return Ok(AlertMatches::default()) };
    let body = json!({
        "size": limit.min(MAX_WINDOW), "track_total_hits": true, "_source": false, "query": condition,
        "sort": [{"published_at": {"order": "desc", "missing": "_last"}}, {"id": "desc"}],
    });
    let answer = cluster.search(&format!("{index}/_search"), &body)?;
    let hits = answer["hits"]["hits"].as_array().into_iter().flatten();
    let ids = hits.filter_map(|hit| hit["sort"][1].as_str()?.parse().ok()).collect();
    let total = answer["hits"]["total"]["value"].as_u64().unwrap_or_default() as usize;
    Ok(AlertMatches { total, ids })
}

/// The query for the tenders that match an alert. `None`: it matches nothing. `pattern` makes the query for a
/// keyword, in the title and the scope or in all texts.
pub(crate) fn alert_condition(
    alert: &AlertQuery,
    (now, rates): (Moment, &Rates),
    pattern: fn(&Pattern, bool) -> Value,
) -> Result<Option<Value>, IndexError> {
    let is_limited = alert.is_limited_to_scope();
    let patterns: Vec<Value> = alert.patterns()?.iter().map(|one| pattern(one, is_limited)).collect();
    if patterns.is_empty() {
        return Ok(None);
    }
    let excluded: Vec<Value> = alert.exclude_patterns().iter().map(|one| pattern(one, false)).collect();
    let mut filters = vec![listed(), any(patterns)];
    filters.extend(alert_filters(alert, now, rates));
    Ok(Some(json!({"bool": {"filter": filters, "must_not": excluded}})))
}

/// A query for a keyword in the title and the scope, or in all texts.
fn pattern_in_scope(one: &Pattern, is_limited: bool) -> Value {
    if is_limited { pattern_in("scope_patterns", one) } else { pattern(one) }
}

/// The filters of an alert.
fn alert_filters(alert: &AlertQuery, now: Moment, rates: &Rates) -> Vec<Value> {
    let advanced = &alert.advanced_filters;
    let unknown_or = |field: &str, known: Value| any(vec![not(&exists(field)), known]);
    let mut filters = Vec::new();
    if !alert.categories.is_empty() {
        let topics = alert.categories.iter().map(|wanted| topic(*wanted)).collect();
        filters.push(unknown_or("category", any(topics)));
    }
    if !alert.organization_types.is_empty() {
        let types = json!({"terms": {"organization_type": alert.organization_types}});
        filters.push(unknown_or("organization_type", types));
    }
    if !advanced.included_priorities.is_empty() {
        filters.push(json!({"terms": {"priority": advanced.included_priorities}}));
    }
    let statuses = advanced.included_statuses.iter().filter(|status| status.is_public());
    filters.push(any(statuses.map(|wanted| status(*wanted, now)).collect()));
    if !alert.bodies.is_empty() {
        let names = alert.bodies.iter().map(|name| normalise(name)).filter(|name| !name.is_empty());
        filters.push(json!({"terms": {"organization_key": names.collect::<Vec<_>>()}}));
    }
    let locations = &alert.locations;
    if !locations.is_empty() {
        let cities: Vec<String> =
            locations.cities.iter().map(|city| normalise(city)).filter(|city| !city.is_empty()).collect();
        let unknown = ["province", "district", "city_key"].map(|field| not(&exists(field)));
        filters.push(any(vec![
            all(&unknown),
            json!({"terms": {"province": locations.provinces}}),
            json!({"terms": {"district": locations.districts}}),
            json!({"terms": {"city_key": cities}}),
        ]));
    }
    let (least, most) = (advanced.min_days_until_closing, advanced.max_days_until_closing);
    if least.is_some() || most.is_some() {
        let day = |days: u16| now.day().checked_add(i32::from(days).days()).ok();
        let from = least.and_then(day).and_then(Moment::start_of).map(Moment::second);
        let until = most.and_then(day).and_then(Moment::end_of).map(Moment::second);
        let unread = all(&[not(&exists("closing")), json!({"term": {"closing_unread": true}})]);
        filters.push(any(vec![seconds("closing", from, until), unread]));
    }
    let value = alert.estimated_value;
    if value.min.is_some() || value.max.is_some() {
        filters.push(value_between((value.min, value.max), value.currency.into(), rates));
    }
    filters
}
