//! The facets of a listing as aggregations of the cluster. A facet does not narrow itself: it counts
//! the tenders that pass all other filters.

use crate::filters::{Filter, all, unknown_value};
use index::{ClosingBand, Facets, ListingRequest, Period, PublishedBand, Stats, StatusCard, ValueBand};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use tender_model::vocabulary::{
    Category, District, Grade, Kind, Language, Moment, OrganizationType, Priority, Province, Rates, Sector,
    TenderStatus,
};

/// How many names each shard counts for a list of names. With fewer names, the counts are exact.
const NAMES_PER_SHARD: usize = 10_000;
/// More values than any vocabulary has.
const VOCABULARY: usize = 200;
/// How many spellings of a name are read to find the one to show.
const SPELLINGS: usize = 20;
/// The name of the aggregation of all facets whose own filter is not set.
const COMMON: &str = "common";
/// The name of the aggregation of tenders without a value that can be compared.
const UNKNOWN: &str = "unknown";

/// The aggregations for the facets of a request. `filters` are the set filters of the request.
pub(crate) fn aggregations(
    request: &ListingRequest,
    filters: &[(Filter, Value)],
    most: usize,
    now: Moment,
) -> Value {
    let mut common = Map::new();
    let mut aggregations = Map::new();
    for facet in Filter::ALL {
        let Some(own) = own_aggregations(facet, request, most, now) else { continue };
        if filters.iter().any(|(filter, _)| *filter == facet) {
            let others = filters.iter().filter(|(filter, _)| *filter != facet);
            let others: Vec<Value> = others.map(|(_, query)| query.clone()).collect();
            aggregations.insert(format!("{facet:?}"), json!({"filter": all(&others), "aggs": own}));
        } else {
            common.extend(own);
        }
    }
    let every: Vec<Value> = filters.iter().map(|(_, query)| query.clone()).collect();
    aggregations.insert(COMMON.to_owned(), json!({"filter": all(&every), "aggs": common}));
    Value::Object(aggregations)
}

/// The aggregations of one facet.
fn own_aggregations(
    facet: Filter,
    request: &ListingRequest,
    most: usize,
    now: Moment,
) -> Option<Map<String, Value>> {
    let terms = |field: &str| json!({"terms": {"field": field, "size": VOCABULARY}});
    let names = |key: &str, spelling: &str| {
        (most > 0).then(|| {
            let order = json!([{"_count": "desc"}, {"_key": "asc"}]);
            let spellings = json!({"terms": {"field": spelling, "size": SPELLINGS}});
            json!({
                "terms": {"field": key, "size": most, "shard_size": NAMES_PER_SHARD.max(most), "order": order},
                "aggs": {"spellings": spellings},
            })
        })
    };
    let periods = |field: &str, periods: Vec<Period>| {
        ranges(field, periods.into_iter().map(|period| (second(period.from), second(period.until))))
    };
    let own = match facet {
        Filter::Sector => terms("sector"),
        Filter::Category => terms("category"),
        Filter::OrganizationType => terms("organization_type"),
        Filter::Organization => names("organization_key", "organization_name")?,
        Filter::Province => terms("province"),
        Filter::District => terms("district"),
        Filter::City => names("city_key", "city")?,
        Filter::Status => status_counts(now),
        Filter::Kind => terms("kind"),
        Filter::Grade => terms("grade"),
        Filter::Published => {
            periods("published_at", PublishedBand::ALL.iter().map(|band| band.period(now)).collect())
        }
        Filter::Closing => periods("closing", ClosingBand::ALL.iter().map(|band| band.period(now)).collect()),
        Filter::Value => value_counts(&request.rates),
        Filter::Priority => terms("priority"),
        Filter::Language => terms("language"),
        Filter::Publication => names("publication_key", "publication")?,
    };
    Some(Map::from_iter([(format!("{facet:?}"), own)]))
}

/// Counts of the values of a number in ranges, both bounds included. The cluster reads the numbers of the
/// tenders found. For a query of each range, it would read the whole index.
fn ranges(field: &str, bounds: impl Iterator<Item = (Option<i64>, Option<i64>)>) -> Value {
    let range = |(nth, (from, until)): (usize, (Option<i64>, Option<i64>))| {
        let mut range = json!({"key": nth.to_string()});
        if let Some(from) = from {
            range["from"] = from.into();
        }
        if let Some(until) = until {
            range["to"] = until.saturating_add(1).into();
        }
        range
    };
    let ranges: Vec<Value> = bounds.enumerate().map(range).collect();
    json!({"range": {"field": field, "keyed": true, "ranges": ranges}})
}

/// The counts of the first `wanted` ranges of [`ranges`].
fn counts_of_ranges(answer: &Value, wanted: usize) -> impl Iterator<Item = usize> {
    (0..wanted).map(|nth| count(&answer["buckets"][nth.to_string()]))
}

fn second(moment: Option<Moment>) -> Option<i64> {
    moment.map(Moment::second)
}

/// Groups aggregations under one name.
fn group(aggregations: &Value) -> Value {
    json!({"filter": {"match_all": {}}, "aggs": aggregations})
}

/// Counts of the statistics cards. See [`live`](crate::filters::live) and [`today`](crate::filters::today).
fn status_counts(now: Moment) -> Value {
    let published = json!({
        "filter": {"term": {"status": TenderStatus::Published}},
        "aggs": {
            "endless": {"missing": {"field": "live_until"}},
            "not_expired": ranges("live_until", std::iter::once((Some(now.second()), None))),
        },
    });
    let day = now.day();
    let bounds = [Moment::start_of(day), Moment::end_of(day)].map(|moment| moment.unwrap_or(now).second());
    let today = ranges("published_at", std::iter::once((Some(bounds[0]), Some(bounds[1]))));
    group(&json!({"published": published, "today": today}))
}

/// The counts of the cards from the answer to [`status_counts`].
fn card_counts(answer: &Value) -> Vec<(StatusCard, usize)> {
    let published = &answer["published"];
    let live = count(&published["endless"]) + counts_of_ranges(&published["not_expired"], 1).sum::<usize>();
    let count = |card| match card {
        StatusCard::Today => counts_of_ranges(&answer["today"], 1).sum(),
        StatusCard::Live => live,
        StatusCard::Closed => count(answer).saturating_sub(live),
    };
    StatusCard::ALL.iter().map(|card| (*card, count(*card))).collect()
}

/// Counts of the bands of values, for each currency with the converted bounds.
fn value_counts(rates: &Rates) -> Value {
    let mut aggregations = Map::from_iter([(UNKNOWN.to_owned(), json!({"filter": unknown_value(rates)}))]);
    for own in rates.currencies() {
        let bounds = ValueBand::all().map(|band| {
            let range = band.range();
            [range.min, range.max].map(|bound| {
                bound.and_then(|bound| rates.convert(bound, range.currency, own)).map(|bound| bound.minor())
            })
        });
        let bands = ranges("value", bounds.map(|[min, max]| (min, max)));
        let of_currency = json!({"filter": {"term": {"currency": own.as_str()}}, "aggs": {"bands": bands}});
        aggregations.insert(own.as_str().to_owned(), of_currency);
    }
    group(&aggregations.into())
}

/// The counts of the bands from the answer to [`value_counts`].
fn band_counts(answer: &Value) -> Vec<(ValueBand, usize)> {
    let mut counts: Vec<(ValueBand, usize)> = ValueBand::all().map(|band| (band, 0)).collect();
    for currency in answer.as_object().into_iter().flat_map(Map::values) {
        let of_bands = counts_of_ranges(&currency["bands"], counts.len()).collect::<Vec<_>>();
        counts.iter_mut().zip(of_bands).for_each(|((_, sum), count)| *sum += count);
    }
    counts
}

/// The facets from the aggregations of an answer.
pub(crate) fn read_facets(aggregations: &Value) -> Facets {
    let own = |facet: Filter| -> &Value {
        let name = format!("{facet:?}");
        &aggregations.get(&name).unwrap_or(&aggregations[COMMON])[name]
    };
    let buckets = |facet: Filter| own(facet)["buckets"].as_array().map_or(&[][..], Vec::as_slice);
    let published = counts_of_ranges(own(Filter::Published), PublishedBand::ALL.len());
    let closing = counts_of_ranges(own(Filter::Closing), ClosingBand::ALL.len());
    Facets {
        sectors: in_order(Sector::ALL, buckets(Filter::Sector)),
        categories: in_order(Category::ALL, buckets(Filter::Category)),
        organization_types: in_order(OrganizationType::ALL, buckets(Filter::OrganizationType)),
        organizations: names(buckets(Filter::Organization)),
        provinces: in_order(Province::ALL, buckets(Filter::Province)),
        districts: in_order(District::ALL, buckets(Filter::District)),
        cities: names(buckets(Filter::City)),
        statuses: card_counts(own(Filter::Status)),
        kinds: in_order(Kind::ALL, buckets(Filter::Kind)),
        grades: grades(buckets(Filter::Grade)),
        published: PublishedBand::ALL.iter().copied().zip(published).collect(),
        closing: ClosingBand::ALL.iter().copied().zip(closing).collect(),
        unknown_value: count(&own(Filter::Value)[UNKNOWN]),
        values: band_counts(own(Filter::Value)),
        priorities: in_order(Priority::ALL, buckets(Filter::Priority)),
        languages: in_order(Language::ALL, buckets(Filter::Language)),
        publications: names(buckets(Filter::Publication)),
    }
}

/// The aggregations for [`read_stats`].
pub(crate) fn stats_aggregations(now: Moment) -> Value {
    json!({
        "cards": status_counts(now),
        "categories": {"terms": {"field": "category", "size": VOCABULARY}},
        "sectors": {"terms": {"field": "sector", "size": VOCABULARY}},
    })
}

/// The statistics from an answer without hits.
pub(crate) fn read_stats(total: usize, aggregations: &Value) -> Stats {
    let buckets =
        |name: &str| -> &[Value] { aggregations[name]["buckets"].as_array().map_or(&[], Vec::as_slice) };
    let cards = card_counts(&aggregations["cards"]);
    let card = |wanted| cards.iter().find(|(card, _)| *card == wanted).map_or(0, |(_, count)| *count);
    Stats {
        total,
        today: card(StatusCard::Today),
        live: card(StatusCard::Live),
        closed: card(StatusCard::Closed),
        categories: in_order(Category::ALL, buckets("categories")),
        sectors: in_order(Sector::ALL, buckets("sectors")),
    }
}

fn count(bucket: &Value) -> usize {
    bucket["doc_count"].as_u64().unwrap_or_default() as usize
}

/// The counts of all values of a vocabulary, in its order.
fn in_order<T: Copy + PartialEq + Serialize + DeserializeOwned>(
    vocabulary: &[T],
    buckets: &[Value],
) -> Vec<(T, usize)> {
    let counts: Vec<(T, usize)> = buckets
        .iter()
        .filter_map(|bucket| Some((serde_json::from_value(bucket["key"].clone()).ok()?, count(bucket))))
        .collect();
    let count_of = |value: &T| counts.iter().find(|(other, _)| other == value).map_or(0, |(_, count)| *count);
    vocabulary.iter().map(|value| (*value, count_of(value))).collect()
}

fn grades(buckets: &[Value]) -> Vec<(Grade, usize)> {
    let count_of = |grade: &Grade| {
        let key = grade.to_string();
        buckets.iter().find(|bucket| bucket["key"] == *key).map_or(0, count)
    };
    Grade::ALL.iter().map(|grade| (*grade, count_of(grade))).collect()
}

/// Names in their most frequent spelling, sorted by count and then by name.
fn names(buckets: &[Value]) -> Vec<(String, usize)> {
    let name = |bucket: &Value| {
        let key = bucket["key"].as_str().unwrap_or_default();
        let spellings = bucket["spellings"]["buckets"].as_array().into_iter().flatten();
        let mut spellings = spellings.filter_map(|spelling| spelling["key"].as_str());
        let spelling = spellings.find_map(|spelling| match spelling.split_once('\n') {
            // A tender may name several newspapers, so that the others occur beside this one.
            Some((own, spelling)) => (own == key).then_some(spelling),
            None => Some(spelling),
        });
        (spelling.unwrap_or(key).to_owned(), count(bucket))
    };
    let mut names: Vec<(String, usize)> = buckets.iter().map(name).collect();
    names.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    names
}
