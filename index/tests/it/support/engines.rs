//! The matching engines, which return the matching pairs, and the stored workload.

use super::now;
use crate::engine::{FIXTURES, new_engine};
use flate2::read::GzDecoder;
use index::{
    LogPosition,
    percolate::{Percolator, naive_matcher},
};
use std::{
    collections::BTreeSet,
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};
use uuid::Uuid;

/// Pairs of an alert and a tender that match, by id.
pub(crate) type Pairs = BTreeSet<(Uuid, Uuid)>;

/// Alerts, tenders, and the time and rates of the match.
pub(crate) struct Scenario {
    pub(crate) alerts: Vec<(Uuid, AlertQuery)>,
    pub(crate) tenders: Vec<Tender>,
    pub(crate) now: Moment,
    pub(crate) rates: Rates,
}

/// An engine under test.
pub(crate) type Engine = fn(&Scenario) -> Pairs;

/// Every engine, by name.
pub(crate) const ENGINES: [(&str, Engine); 4] = [
    ("naive matcher", by_naive_matcher),
    ("percolator", by_percolator),
    ("percolator with replaced alerts", by_percolator_with_replaced_alerts),
    ("forward search", by_forward_search),
];

pub(crate) fn by_naive_matcher(scenario: &Scenario) -> Pairs {
    let pairs =
        scenario.alerts.iter().flat_map(|alert| scenario.tenders.iter().map(move |tender| (alert, tender)));
    pairs
        .filter(|((_, query), tender)| {
            naive_matcher::matches(query, tender, scenario.now, &scenario.rates).is_some()
        })
        .map(|((id, _), tender)| (*id, tender.id))
        .collect()
}

pub(crate) fn by_percolator(scenario: &Scenario) -> Pairs {
    let percolator = Percolator::new();
    for (id, query) in &scenario.alerts {
        percolator.put(*id, query).unwrap();
    }
    percolate(&percolator, scenario)
}

/// Each alert replaces another and is added twice, and other alerts are added and removed.
pub(crate) fn by_percolator_with_replaced_alerts(scenario: &Scenario) -> Pairs {
    let percolator = Percolator::new();
    let queries = scenario.alerts.iter().map(|(_, query)| query);
    for ((id, _), former) in scenario.alerts.iter().zip(queries.clone().rev()) {
        percolator.put(*id, former).unwrap();
        percolator.put(Uuid::from_u128(!id.as_u128()), former).unwrap();
    }
    for (id, query) in scenario.alerts.iter().chain(scenario.alerts.iter().rev()) {
        percolator.put(*id, query).unwrap();
        percolator.remove(Uuid::from_u128(!id.as_u128()));
    }
    assert_eq!(percolator.len(), scenario.alerts.len());
    percolate(&percolator, scenario)
}

/// The pairs found by the percolator. The reasons must equal those of the reference implementation.
fn percolate(percolator: &Percolator, scenario: &Scenario) -> Pairs {
    let mut pairs = Pairs::new();
    for tender in &scenario.tenders {
        let found = percolator.percolate(tender, scenario.now, &scenario.rates);
        assert_eq!(found.counters.matched, found.hits.len());
        assert!(found.hits.is_sorted_by_key(|hit| hit.alert));
        for hit in found.hits {
            let (_, query) = scenario.alerts.iter().find(|(id, _)| *id == hit.alert).unwrap();
            let why = naive_matcher::matches(query, tender, scenario.now, &scenario.rates);
            assert_eq!(percolator.match_reason(&hit), why, "{query:?}\n{tender:?}");
            pairs.insert((hit.alert, tender.id));
        }
    }
    pairs
}

pub(crate) fn by_forward_search(scenario: &Scenario) -> Pairs {
    let (_guard, store) = new_engine();
    let mut writer = store.writer().unwrap();
    // Two commits, so that there are at least two segments.
    let halves = scenario.tenders.split_at(scenario.tenders.len() / 2);
    for (position, half) in [(1, halves.0), (2, halves.1)] {
        half.iter().for_each(|tender| writer.put(tender, None, position).unwrap());
        writer.commit(LogPosition { position, change_id: Uuid::nil() }).unwrap();
    }
    let mut pairs = Pairs::new();
    for (id, query) in &scenario.alerts {
        let found = store.matching(query, scenario.now, &scenario.rates, usize::MAX).unwrap();
        assert_eq!(found.total, found.ids.len());
        pairs.extend(found.ids.into_iter().map(|tender| (*id, tender)));
    }
    pairs
}

/// The stored workload, with the pairs found by an independent implementation.
pub(crate) fn workload() -> (Scenario, Pairs) {
    let folder = Path::new(FIXTURES).join("matching");
    let lines = |name: &str| {
        BufReader::new(GzDecoder::new(File::open(folder.join(name)).unwrap())).lines().map(Result::unwrap)
    };
    let id = |text: &str| Uuid::from_u128(text[1..].parse::<u128>().unwrap() + 1);
    let record = |line: String| {
        let mut record: serde_json::Value = serde_json::from_str(&line).unwrap();
        let id = id(record["_id"].as_str().unwrap());
        record["_id"] = id.to_string().into();
        (id, record)
    };
    let alerts =
        lines("alerts.jsonl.gz").map(record).map(|(id, alert)| (id, serde_json::from_value(alert).unwrap()));
    let tenders =
        lines("tenders.jsonl.gz").map(record).map(|(_, tender)| serde_json::from_value(tender).unwrap());
    let scenario = Scenario {
        alerts: alerts.collect(),
        tenders: tenders.collect(),
        now: now(),
        rates: Rates::default(),
    };
    let pair = |line: String| {
        let (tender, alert) = line.split_once(' ').unwrap();
        (id(alert), id(tender))
    };
    (scenario, lines("pairs.txt.gz").map(pair).collect())
}

/// Fails with the first pair that differs instead of printing all pairs.
pub(crate) fn assert_same(engine: &str, scenario: &Scenario, found: &Pairs, expected: &Pairs) {
    let Some((alert, tender)) = found.symmetric_difference(expected).next() else { return };
    let verb = if found.contains(&(*alert, *tender)) { "wrongly matches" } else { "misses" };
    let query = scenario.alerts.iter().find(|(id, _)| id == alert);
    let tender = scenario.tenders.iter().find(|other| other.id == *tender);
    panic!(
        "the {engine} {verb} a tender; it finds {} pairs instead of {}:\n{query:#?}\n{tender:#?}",
        found.len(),
        expected.len()
    );
}
