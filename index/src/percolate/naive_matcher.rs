//! The reference implementation: it checks one alert against one tender, rule by rule. The
//! percolator and the search for an alert's matches are tested against it. It shares only basic
//! functions with them, such as the splitting into words.

use super::match_reason::MatchReason;
use crate::tender_texts::{TextField, texts};
use tender_model::{
    alert::AlertQuery,
    pattern::Pattern,
    tender::{CLOSING, FieldState, Tender},
    text::{Words, normalise},
    vocabulary::{Moment, Rates},
};

/// Whether and why an alert matches a tender at a given time. An alert that fails
/// [`AlertQuery::check`] matches nothing.
#[must_use]
pub fn matches(query: &AlertQuery, tender: &Tender, now: Moment, rates: &Rates) -> Option<MatchReason> {
    let patterns = query.patterns().ok()?;
    let passes = passes_status(query, tender, now)
        && passes_lists(query, tender)
        && passes_place(query, tender)
        && passes_body(query, tender)
        && passes_value(query, tender, rates)
        && passes_days(query, tender, now);
    if !passes {
        return None;
    }
    let texts: Vec<(TextField, &str, Words)> =
        texts(tender).map(|(field, text)| (field, text, Words::of(text))).collect();
    if query.exclude_patterns().iter().any(|pattern| find(pattern, &texts).is_some()) {
        return None;
    }
    let (scope, rest): (Vec<_>, Vec<_>) = texts.into_iter().partition(|(field, ..)| field.is_scope());
    let searched = if query.is_limited_to_scope() { scope } else { scope.into_iter().chain(rest).collect() };
    patterns.iter().zip(query.wanted_keywords().iter()).find_map(|(pattern, keyword)| {
        let (field, start, end) = find(pattern, &searched)?;
        Some(MatchReason { keyword: keyword.term.clone(), field, start, end })
    })
}

fn find(pattern: &Pattern, texts: &[(TextField, &str, Words)]) -> Option<(String, usize, usize)> {
    texts.iter().find_map(|(field, text, words)| {
        let origin = words.origin(text, pattern.find(words.as_str())?);
        Some((field.to_string(), origin.start, origin.end))
    })
}

fn passes_status(query: &AlertQuery, tender: &Tender, now: Moment) -> bool {
    tender.status.is_public()
        && query.advanced_filters.included_statuses.contains(&tender.effective_status(now))
}

fn passes_lists(query: &AlertQuery, tender: &Tender) -> bool {
    let category = tender.category.is_none()
        || query.categories.is_empty()
        || query.categories.iter().any(|topic| tender.is_about(*topic));
    let kind = tender
        .organization
        .kind
        .is_none_or(|kind| query.organization_types.is_empty() || query.organization_types.contains(&kind));
    let priorities = &query.advanced_filters.included_priorities;
    category && kind && (priorities.is_empty() || priorities.contains(&tender.priority))
}

fn passes_place(query: &AlertQuery, tender: &Tender) -> bool {
    let (asked, location) = (&query.locations, &tender.location);
    let city = location.city.as_deref().map(normalise).filter(|city| !city.is_empty());
    let province = location.province.or(location.district.map(|district| district.province()));
    let nowhere = province.is_none() && city.is_none();
    nowhere
        || asked.is_empty()
        || province.is_some_and(|province| asked.provinces.contains(&province))
        || location.district.is_some_and(|district| asked.districts.contains(&district))
        || city.is_some_and(|city| asked.cities.iter().any(|other| normalise(other) == city))
}

fn passes_body(query: &AlertQuery, tender: &Tender) -> bool {
    let body = normalise(&tender.organization.name);
    query.bodies.is_empty() || (!body.is_empty() && query.bodies.iter().any(|other| normalise(other) == body))
}

fn passes_value(query: &AlertQuery, tender: &Tender, rates: &Rates) -> bool {
    let Some(value) = tender.financials.estimated_value else { return true };
    let range = query.estimated_value;
    let bound = |bound| rates.convert(bound, range.currency.into(), value.currency);
    range.min.and_then(bound).is_none_or(|min| min <= value.amount)
        && range.max.and_then(bound).is_none_or(|max| value.amount <= max)
}

fn passes_days(query: &AlertQuery, tender: &Tender, now: Moment) -> bool {
    let (min, max) =
        (query.advanced_filters.min_days_until_closing, query.advanced_filters.max_days_until_closing);
    match tender.dates.closing {
        None => (min.is_none() && max.is_none()) || tender.field_state(CLOSING) == FieldState::NotRead,
        Some(closing) => {
            let days = now.days_until(closing);
            min.is_none_or(|min| i64::from(min) <= days) && max.is_none_or(|max| days <= i64::from(max))
        }
    }
}
