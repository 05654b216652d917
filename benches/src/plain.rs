//! Alerts and tenders in a simple form that is sufficient for matching: normalised words, terms
//! and numbers. The engines other than ours are built from this form, so that they do not depend
//! on the percolator. Only the time of plain Tantivy includes converting the tenders to this form.

use crate::workload::Workload;
use index::query::{Pattern, WordMatch};
use std::collections::BTreeSet;
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    text::normalise,
    vocabulary::{Category, Currency, Moment, Rates, Sector, Topic},
};

/// What a term describes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Facet {
    /// The effective status.
    Status,
    /// Category and sector.
    Category,
    /// The organisation's type.
    Organization,
    /// The priority.
    Priority,
    /// Province, district, city.
    Place,
}

/// The number of facets.
pub const FACET_COUNT: usize = 5;

/// The term of a facet that a tender does not state. Every alert accepts this term.
pub const UNKNOWN: &str = "unknown";

/// The query of an alert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainAlert {
    /// One of these keywords must occur in one of the texts.
    pub keywords: Vec<Pattern>,
    /// None of these keywords may occur.
    pub excludes: Vec<Pattern>,
    /// The accepted terms of each [`Facet`]. `None` accepts any.
    pub accepts: [Option<Vec<String>>; FACET_COUNT],
    /// The minimum and maximum value in minor units, for each currency of the tenders. Empty if the
    /// alert has no limit.
    pub values: Vec<ValueBounds>,
    /// The minimum and maximum number of days until closing, if limited.
    pub days: Option<(i64, i64)>,
}

/// The value limits in one currency, inclusive. The extremes of `i64` mean no limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueBounds {
    /// The currency's code.
    pub currency: String,
    /// The minimum.
    pub min: i64,
    /// The maximum.
    pub max: i64,
}

/// The matchable content of a tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainTender {
    /// The words of each non-empty text, joined by one space.
    pub texts: Vec<String>,
    /// The terms of each [`Facet`].
    pub terms: [Vec<String>; FACET_COUNT],
    /// The currency's code, and the value in minor units.
    pub value: Option<(String, i64)>,
    /// Days until closing.
    pub days: Option<i64>,
}

/// Returns the currencies of the tenders' values.
#[must_use]
pub fn currencies(tenders: &[Tender]) -> Vec<Currency> {
    let known: BTreeSet<&str> = tenders
        .iter()
        .filter_map(|tender| Some(tender.financials.estimated_value.as_ref()?.currency.as_str()))
        .collect();
    known.into_iter().filter_map(|code| code.parse().ok()).collect()
}

impl PlainAlert {
    /// Converts an alert for tenders with values in these currencies.
    #[must_use]
    pub fn of(query: &AlertQuery, currencies: &[Currency], rates: &Rates) -> Self {
        let advanced = &query.advanced_filters;
        let statuses = advanced.included_statuses.iter().filter(|status| status.is_public());
        let range = query.estimated_value;
        let bounds = |currency: &Currency| {
            let convert = |bound| rates.convert(bound, range.currency.into(), *currency);
            ValueBounds {
                currency: currency.as_str().to_owned(),
                min: range.min.and_then(convert).map_or(i64::MIN, |bound| bound.minor()),
                max: range.max.and_then(convert).map_or(i64::MAX, |bound| bound.minor()),
            }
        };
        let days = (advanced.min_days_until_closing, advanced.max_days_until_closing);
        Self {
            keywords: query.patterns().unwrap_or_default(),
            excludes: query.exclude_patterns(),
            accepts: [
                Some(statuses.map(|status| status.to_string()).collect()),
                accepted_terms(query.categories.iter().map(|topic| topic_term(*topic))),
                accepted_terms(query.organization_types.iter().map(|kind| code_term('o', *kind as usize))),
                accepted_terms(
                    advanced.included_priorities.iter().map(|priority| code_term('p', *priority as usize)),
                ),
                place_terms(query),
            ],
            values: if range.min.is_none() && range.max.is_none() {
                Vec::new()
            } else {
                currencies.iter().map(bounds).collect()
            },
            days: (days != (None, None))
                .then(|| (days.0.map_or(i64::MIN, i64::from), days.1.map_or(i64::MAX, i64::from))),
        }
    }
}

impl PlainTender {
    /// Converts a tender at a moment. `None` for drafts and withdrawn tenders, which match nothing.
    #[must_use]
    pub fn of(tender: &Tender, now: Moment) -> Option<Self> {
        if !tender.status.is_public() {
            return None;
        }
        let location = &tender.location;
        let province = location.province.or(location.district.map(|district| district.province()));
        let city = location.city.as_deref().map(normalise).filter(|city| !city.is_empty());
        let place = [
            province.map(|province| code_term('v', province as usize)),
            location.district.map(|district| code_term('d', district as usize)),
            city.map(|city| city_term(&city)),
        ];
        let value = tender.financials.estimated_value;
        Some(Self {
            texts: Workload::texts(tender).map(normalise).filter(|text| !text.is_empty()).collect(),
            terms: [
                vec![tender.effective_status(now).to_string()],
                tender.category.map_or_else(unknown_term, |_| topic_terms(tender)),
                tender
                    .organization
                    .kind
                    .map_or_else(unknown_term, |kind| vec![code_term('o', kind as usize)]),
                vec![code_term('p', tender.priority as usize)],
                Some(place.into_iter().flatten().collect::<Vec<_>>())
                    .filter(|place| !place.is_empty())
                    .unwrap_or_else(unknown_term),
            ],
            value: value.map(|value| (value.currency.as_str().to_owned(), value.amount.minor())),
            days: tender.dates.closing.map(|closing| now.days_until(closing)),
        })
    }
}

/// Returns whether a match may begin inside a word, and whether it may end inside one.
#[must_use]
pub fn open_sides(pattern: &Pattern) -> (bool, bool) {
    let mut sides = (false, false);
    for (_, _, side) in pattern.parts() {
        sides.0 |= matches!(side, WordMatch::Suffix | WordMatch::Infix);
        sides.1 |= matches!(side, WordMatch::Prefix | WordMatch::Infix);
    }
    sides
}

fn unknown_term() -> Vec<String> {
    vec![UNKNOWN.to_owned()]
}

/// Returns the terms and the unknown one, or `None` if there are no terms, so that everything is
/// accepted.
fn accepted_terms(terms: impl Iterator<Item = String>) -> Option<Vec<String>> {
    let mut terms: Vec<String> = terms.collect();
    if terms.is_empty() {
        return None;
    }
    terms.push(UNKNOWN.to_owned());
    Some(terms)
}

fn place_terms(query: &AlertQuery) -> Option<Vec<String>> {
    let locations = &query.locations;
    if locations.is_empty() {
        return None;
    }
    let provinces = locations.provinces.iter().map(|province| code_term('v', *province as usize));
    let districts = locations.districts.iter().map(|district| code_term('d', *district as usize));
    let cities = locations.cities.iter().map(|city| normalise(city)).filter(|city| !city.is_empty());
    let named = provinces.chain(districts).chain(cities.map(|city| city_term(&city)));
    Some(named.chain([UNKNOWN.to_owned()]).collect())
}

fn topic_terms(tender: &Tender) -> Vec<String> {
    let categories = Category::ALL.iter().map(|category| Topic::Category(*category));
    let sectors = Sector::ALL.iter().map(|sector| Topic::Sector(*sector));
    categories.chain(sectors).filter(|topic| tender.is_about(*topic)).map(topic_term).collect()
}

fn topic_term(topic: Topic) -> String {
    match topic {
        Topic::Category(category) => code_term('c', category as usize),
        Topic::Sector(sector) => code_term('s', sector as usize),
    }
}

fn city_term(city: &str) -> String {
    format!("y{}", city.replace(' ', "_"))
}

fn code_term(letter: char, number: usize) -> String {
    format!("{letter}{number}")
}
