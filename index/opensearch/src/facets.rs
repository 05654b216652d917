//! The facets of a listing as aggregations of the cluster. A facet does not narrow itself: it counts
//! the tenders that pass all other filters.

use crate::filters::{Filter, all, live, not, seconds, today, unknown_value, value_between};
use index::{ClosingBand, Facets, ListingRequest, PublishedBand, Stats, StatusCard, ValueBand};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use tender_model::vocabulary::{
    Category, District, Grade, Kind, Language, Moment, OrganizationType, Priority, Province, Sector,
};

/// How many names each shard counts for a list of names. With fewer names, the counts are exact.
const NAMES_PER_SHARD: usize = 10_000;
/// More values than any vocabulary has.
const VOCABULARY: usize = 200;
/// How many spellings of a name are read to find the one to show.
const SPELLINGS: usize = 20;
/// The name of the aggregation of all facets whose own filter is not set.
const COMMON: &str = "common";

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
    let bands = |queries: Vec<Value>| json!({"filters": {"filters": queries}});
    let second = |moment: Option<Moment>| moment.map(Moment::second);
    let own = match facet {
        Filter::Sector => terms("sector"),
        Filter::Category => terms("category"),
        Filter::OrganizationType => terms("organization_type"),
        Filter::Organization => names("organization_key", "organization_name")?,
        Filter::Province => terms("province"),
        Filter::District => terms("district"),
        Filter::City => names("city_key", "city")?,
        Filter::Status => bands(vec![today(now), live(now), not(&live(now))]),
        Filter::Kind => terms("kind"),
        Filter::Grade => terms("grade"),
        Filter::Published => bands(
            PublishedBand::ALL
                .iter()
                .map(|band| band.period(now))
                .map(|period| seconds("published_at", second(period.from), second(period.until)))
                .collect(),
        ),
        Filter::Closing => bands(
            ClosingBand::ALL
                .iter()
                .map(|band| band.period(now))
                .map(|period| seconds("closing", second(period.from), second(period.until)))
                .collect(),
        ),
        Filter::Value => {
            let unknown = unknown_value(&request.rates);
            let within = ValueBand::all().map(|band| {
                let range = band.range();
                let within = value_between((range.min, range.max), range.currency, &request.rates);
                all(&[within, not(&unknown)])
            });
            bands(within.chain([unknown.clone()]).collect())
        }
        Filter::Priority => terms("priority"),
        Filter::Language => terms("language"),
        Filter::Publication => names("publication_key", "publication")?,
    };
    Some(Map::from_iter([(format!("{facet:?}"), own)]))
}

/// The facets from the aggregations of an answer.
pub(crate) fn read_facets(aggregations: &Value) -> Facets {
    let buckets = |facet: Filter| -> &[Value] {
        let name = format!("{facet:?}");
        let own = aggregations.get(&name).unwrap_or(&aggregations[COMMON]);
        own[&name]["buckets"].as_array().map_or(&[], Vec::as_slice)
    };
    let banded = |facet: Filter| buckets(facet).iter().map(count).collect::<Vec<usize>>();
    let bands = |facet: Filter| banded(facet).into_iter();
    let values = banded(Filter::Value);
    Facets {
        sectors: in_order(Sector::ALL, buckets(Filter::Sector)),
        categories: in_order(Category::ALL, buckets(Filter::Category)),
        organization_types: in_order(OrganizationType::ALL, buckets(Filter::OrganizationType)),
        organizations: names(buckets(Filter::Organization)),
        provinces: in_order(Province::ALL, buckets(Filter::Province)),
        districts: in_order(District::ALL, buckets(Filter::District)),
        cities: names(buckets(Filter::City)),
        statuses: StatusCard::ALL.iter().copied().zip(bands(Filter::Status)).collect(),
        kinds: in_order(Kind::ALL, buckets(Filter::Kind)),
        grades: grades(buckets(Filter::Grade)),
        published: PublishedBand::ALL.iter().copied().zip(bands(Filter::Published)).collect(),
        closing: ClosingBand::ALL.iter().copied().zip(bands(Filter::Closing)).collect(),
        unknown_value: values.last().copied().unwrap_or_default(),
        values: ValueBand::all().zip(values).collect(),
        priorities: in_order(Priority::ALL, buckets(Filter::Priority)),
        languages: in_order(Language::ALL, buckets(Filter::Language)),
        publications: names(buckets(Filter::Publication)),
    }
}

/// The aggregations for [`read_stats`].
pub(crate) fn stats_aggregations(now: Moment) -> Value {
    json!({
        "cards": {"filters": {"filters": [today(now), live(now)]}},
        "categories": {"terms": {"field": "category", "size": VOCABULARY}},
        "sectors": {"terms": {"field": "sector", "size": VOCABULARY}},
    })
}

/// The statistics from an answer without hits.
pub(crate) fn read_stats(total: usize, aggregations: &Value) -> Stats {
    let buckets =
        |name: &str| -> &[Value] { aggregations[name]["buckets"].as_array().map_or(&[], Vec::as_slice) };
    let card = |index: usize| buckets("cards").get(index).map_or(0, count);
    Stats {
        total,
        today: card(0),
        live: card(1),
        closed: total.saturating_sub(card(1)),
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
