//! The filters of a listing as queries of the cluster, one for each filter, so that a facet can leave
//! its own filter out. Also the viewer's rule: which tenders are locked.

use index::{ListingRequest, Period, StatusCard, Viewer};
use serde_json::{Value, json};
use tender_model::{
    text::normalise,
    vocabulary::{Currency, Millions, Moment, Rates, TenderStatus, Visibility},
};
use uuid::Uuid;

/// A filter of a listing. Each one is also a facet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filter {
    Sector,
    Category,
    OrganizationType,
    Organization,
    Province,
    District,
    City,
    Status,
    Kind,
    Grade,
    Published,
    Closing,
    Value,
    Priority,
    Language,
    Publication,
}

impl Filter {
    pub(crate) const ALL: [Self; 16] = [
        Self::Sector,
        Self::Category,
        Self::OrganizationType,
        Self::Organization,
        Self::Province,
        Self::District,
        Self::City,
        Self::Status,
        Self::Kind,
        Self::Grade,
        Self::Published,
        Self::Closing,
        Self::Value,
        Self::Priority,
        Self::Language,
        Self::Publication,
    ];

    /// The query for tenders that pass this filter of a request. `None` if it admits everything.
    pub(crate) fn query(self, request: &ListingRequest, now: Moment) -> Option<Value> {
        let filter = &request.filter;
        match self {
            Self::Sector => any_of("sector", &filter.sectors),
            Self::Category => any_of("category", &filter.categories),
            Self::OrganizationType => any_of("organization_type", &filter.organization_types),
            Self::Organization => any_name("organization_key", &filter.organizations),
            Self::Province => any_of("province", &filter.provinces),
            Self::District => any_of("district", &filter.districts),
            Self::City => any_name("city_key", &filter.cities),
            Self::Status => {
                let cards = filter.statuses.iter().map(|card| status_card(*card, now));
                (!filter.statuses.is_empty()).then(|| any(cards.collect()))
            }
            Self::Kind => any_of("kind", &filter.kinds),
            Self::Grade => {
                let grades: Vec<String> = filter.grades.iter().map(ToString::to_string).collect();
                any_of("grade", &grades)
            }
            Self::Published => period("published_at", filter.published),
            Self::Closing => {
                let within = period("closing", filter.closing)?;
                // A tender must not be missed because its closing date was not read.
                Some(any(vec![within, json!({"term": {"closing_unread": true}})]))
            }
            Self::Value => value_filter(request),
            Self::Priority => any_of("priority", &filter.priorities),
            Self::Language => any_of("language", &filter.languages),
            Self::Publication => any_name("publication_key", &filter.publications),
        }
    }
}

/// A query for the tenders that any of these queries finds.
pub(crate) fn any(queries: Vec<Value>) -> Value {
    if queries.is_empty() {
        // To the cluster, no condition at all means everything.
        return json!({"match_none": {}});
    }
    json!({"bool": {"should": queries, "minimum_should_match": 1}})
}

/// A query for the tenders that all of these queries find, without a score.
pub(crate) fn all(queries: &[Value]) -> Value {
    json!({"bool": {"filter": queries}})
}

/// A query for the tenders that another query does not find.
pub(crate) fn not(query: &Value) -> Value {
    json!({"bool": {"must_not": [query]}})
}

pub(crate) fn exists(field: &str) -> Value {
    json!({"exists": {"field": field}})
}

/// A query for documents that are listed at all.
pub(crate) fn listed() -> Value {
    json!({"term": {"listed": true}})
}

fn any_of<T: serde::Serialize>(field: &str, wanted: &[T]) -> Option<Value> {
    (!wanted.is_empty()).then(|| json!({"terms": {field: wanted}}))
}

fn any_name(field: &str, wanted: &[String]) -> Option<Value> {
    let keys: Vec<String> =
        wanted.iter().map(|name| normalise(name)).filter(|words| !words.is_empty()).collect();
    (!wanted.is_empty()).then(|| json!({"terms": {field: keys}}))
}

/// A query for a range of seconds, both bounds included.
pub(crate) fn seconds(field: &str, from: Option<i64>, until: Option<i64>) -> Value {
    json!({"range": {field: {"gte": from, "lte": until}}})
}

fn period(field: &str, period: Period) -> Option<Value> {
    let second = |moment: Option<Moment>| moment.map(Moment::second);
    (period != Period::default()).then(|| seconds(field, second(period.from), second(period.until)))
}

/// A query for tenders that are open for bids at a time.
pub(crate) fn live(now: Moment) -> Value {
    let expires_later = seconds("live_until", Some(now.second()), None);
    let not_expired = any(vec![not(&exists("live_until")), expires_later]);
    all(&[json!({"term": {"status": TenderStatus::Published}}), not_expired])
}

/// A query for tenders that were published on the current day in Colombo.
pub(crate) fn today(now: Moment) -> Value {
    let day = now.day();
    let second = |moment: Option<Moment>| Some(moment.unwrap_or(now).second());
    seconds("published_at", second(Moment::start_of(day)), second(Moment::end_of(day)))
}

/// The query of a statistics card.
pub(crate) fn status_card(card: StatusCard, now: Moment) -> Value {
    match card {
        StatusCard::Today => today(now),
        StatusCard::Live => live(now),
        StatusCard::Closed => not(&live(now)),
    }
}

/// A query for tenders whose value lies between two bounds of a currency. The bounds are converted to
/// the currency of each tender. A tender without a value, or in a currency without a rate, passes.
pub(crate) fn value_between(
    (min, max): (Option<Millions>, Option<Millions>),
    currency: Currency,
    rates: &Rates,
) -> Value {
    let mut ways = vec![unknown_value(rates)];
    for own in rates.currencies() {
        let convert = |bound: Option<Millions>| {
            bound.and_then(|bound| rates.convert(bound, currency, own)).map(|bound| bound.minor())
        };
        let range = json!({"range": {"value": {"gte": convert(min), "lte": convert(max)}}});
        ways.push(all(&[json!({"term": {"currency": own.as_str()}}), range]));
    }
    any(ways)
}

/// A query for tenders without a value, or in a currency without a rate.
pub(crate) fn unknown_value(rates: &Rates) -> Value {
    let known: Vec<String> = rates.currencies().map(|currency| currency.as_str().to_owned()).collect();
    any(vec![not(&exists("value")), not(&json!({"terms": {"currency": known}}))])
}

fn value_filter(request: &ListingRequest) -> Option<Value> {
    let range = request.filter.value;
    (range.min.is_some() || range.max.is_some())
        .then(|| value_between((range.min, range.max), range.currency, &request.rates))
}

/// A query for tenders that are not newer than the newest one of a pinned listing.
pub(crate) fn not_newer((second, id): (i64, Uuid)) -> Value {
    let same = [json!({"term": {"published_at": second}}), json!({"range": {"id": {"lte": id.to_string()}}})];
    let earlier = json!({"range": {"published_at": {"lt": second}}});
    any(vec![not(&exists("published_at")), earlier, all(&same)])
}

/// A query for tenders that a viewer may read in full. `None`: all of them.
pub(crate) fn readable(viewer: &Viewer) -> Option<Value> {
    let Viewer::Limited { visibility, since, account } = *viewer else { return None };
    if visibility == Visibility::Premium && since.is_none() {
        return None;
    }
    let visible: Vec<Visibility> =
        Visibility::ALL.iter().copied().filter(|other| *other <= visibility).collect();
    let mut conditions = vec![json!({"terms": {"visibility": visible}})];
    if let Some(since) = since {
        let within = seconds("published_at", Some(since.second()), None);
        conditions.push(any(vec![not(&exists("published_at")), within]));
    }
    let open = all(&conditions);
    Some(match account {
        Some(account) => any(vec![open, json!({"term": {"owner": account.to_string()}})]),
        None => open,
    })
}
