//! The percolator over time: alerts that are added, replaced and removed, many threads, and inputs
//! that make percolators slow. Most results are compared with the reference implementation.

use crate::support::now;
use index::percolate::{Percolator, naive_matcher};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering},
    thread,
};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates, TenderStatus},
};
use uuid::Uuid;

fn alert(keywords: &[(&str, &str)], excludes: &[&str]) -> AlertQuery {
    let keywords: Vec<Value> =
        keywords.iter().map(|(term, how)| json!({"term": term, "matchType": how})).collect();
    serde_json::from_value(json!({"keywords": keywords, "advancedFilters": {"excludeKeywords": excludes}}))
        .unwrap()
}

fn tender(title: &str) -> Tender {
    Tender { title: title.to_owned(), status: TenderStatus::Published, ..Tender::default() }
}

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

/// The percolator must find what the reference implementation finds, with the same reasons.
fn assert_agrees(percolator: &Percolator, alerts: &BTreeMap<Uuid, AlertQuery>, tender: &Tender, now: Moment) {
    let rates = Rates::default();
    let found = percolator.percolate(tender, now, &rates).hits;
    let found: Vec<_> = found.iter().map(|hit| (hit.alert, percolator.match_reason(hit))).collect();
    let expected = alerts.iter().filter_map(|(id, query)| {
        let why = naive_matcher::matches(query, tender, now, &rates)?;
        Some((*id, Some(why)))
    });
    assert_eq!(found, expected.collect::<Vec<_>>(), "{tender:#?}");
}

/// Words of few different letters, so that keywords overlap and share n-grams.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ab]{1,5}",
        "[ab]{12,30}",
        "[0-9]{1,3}",
        prop::sample::select(vec![
            "ක්\u{200D}ෂේත්‍ර",
            "කො",
            "මාර්ග",
            "மார்க்கம்",
            "கொ",
            "ß",
            "SS",
            "ﬁ",
            "co\u{AD}op",
            "\u{0DCF}",
            "\u{0BBE}",
            "Ⅻ",
            "１２",
        ])
        .prop_map(str::to_owned),
    ]
}

fn phrase(most: usize) -> impl Strategy<Value = String> {
    let separator = prop::sample::select(vec![" ", " ", "-", "/", ". ", "\n", "\u{200B}", ""]);
    prop::collection::vec((word(), separator), 1..=most)
        .prop_map(|words| words.into_iter().flat_map(|(word, after)| [word, after.to_owned()]).collect())
}

fn any_alert() -> impl Strategy<Value = AlertQuery> {
    let how = prop::sample::select(vec!["exact", "contains", "starts_with", "ends_with"]);
    let keywords = prop::collection::vec((phrase(3), how), 1..4);
    let excludes = prop::collection::vec(phrase(2), 0..2);
    (keywords, excludes, prop::option::weighted(0.3, 0u16..5)).prop_map(|(keywords, excludes, days)| {
        // A term without a word is not a valid keyword. A mark alone counts as a word.
        let terms: Vec<_> = keywords
            .iter()
            .filter(|(term, _)| !tender_model::text::normalise(term).is_empty())
            .map(|(term, how)| (term.as_str(), *how))
            .collect();
        let excludes: Vec<&str> = excludes.iter().map(String::as_str).collect();
        let mut query = alert(&terms, &excludes);
        query.advanced_filters.max_days_until_closing = days;
        query
    })
}

#[derive(Debug, Clone)]
enum Step {
    Put(u128, Box<AlertQuery>),
    Remove(u128),
    Percolate(String, String, u8),
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1u128..12, any_alert()).prop_map(|(id, query)| Step::Put(id, Box::new(query))),
        2 => (1u128..12).prop_map(Step::Remove),
        3 => (phrase(6), phrase(12), 0u8..6).prop_map(|(title, text, days)| Step::Percolate(title, text, days)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn results_are_correct_while_alerts_are_added_replaced_and_removed(steps in prop::collection::vec(any_step(), 1..60)) {
        let percolator = Percolator::new();
        let mut alerts = BTreeMap::new();
        for step in steps {
            match step {
                Step::Put(number, query) => {
                    percolator.put(id(number), &query).unwrap();
                    alerts.insert(id(number), *query);
                }
                Step::Remove(number) => {
                    assert_eq!(percolator.remove(id(number)), alerts.remove(&id(number)).is_some());
                }
                Step::Percolate(title, text, days) => {
                    let closing = now().timestamp().checked_add(jiff::SignedDuration::from_hours(24 * i64::from(days)));
                    let mut tender = Tender { full_text_markdown: text, ..tender(&title) };
                    tender.dates.closing = Some(Moment::new(closing.unwrap()));
                    assert_agrees(&percolator, &alerts, &tender, now());
                }
            }
            assert_eq!(percolator.len(), alerts.len());
        }
        let ids: Vec<Uuid> = alerts.keys().copied().collect();
        ids.into_iter().for_each(|id| assert!(percolator.remove(id)));
        assert_eq!((percolator.len(), percolator.pattern_count()), (0, 0));
    }
}

#[test]
fn percolators_on_one_thread_do_not_mix_cached_words() {
    let (first, second) = (Percolator::new(), Percolator::new());
    first.put(id(1), &alert(&[("road", "contains")], &[])).unwrap();
    second.put(id(2), &alert(&[("oad", "ends_with")], &["abroad"])).unwrap();
    let matched_alerts = |percolator: &Percolator, title: &str| {
        let hits = percolator.percolate(&tender(title), now(), &Rates::default()).hits;
        hits.iter().map(|hit| hit.alert.as_u128()).collect::<Vec<_>>()
    };
    for _ in 0..2 {
        assert_eq!(
            (matched_alerts(&first, "broad road"), matched_alerts(&second, "broad road")),
            (vec![1], vec![2])
        );
        assert_eq!((matched_alerts(&first, "abroad"), matched_alerts(&second, "abroad")), (vec![1], vec![]));
    }
    first.put(id(3), &alert(&[("bro", "contains")], &[])).unwrap();
    assert_eq!(matched_alerts(&first, "broad road"), [1, 3]);
    first.remove(id(1));
    assert_eq!(matched_alerts(&first, "broad road"), [3]);
}

#[test]
fn more_words_than_the_cache_holds_are_matched_correctly() {
    let percolator = Percolator::new();
    percolator.put(id(1), &alert(&[("zzz", "contains")], &[])).unwrap();
    let mut number = 0;
    for _ in 0..6 {
        let mut text = String::new();
        while text.len() < 300_000 {
            text.extend(
                format!("{number:x}").chars().map(|digit| (b'g' + digit.to_digit(16).unwrap() as u8) as char),
            );
            text.push(' ');
            number += 1;
        }
        let bare = percolator.percolate(&tender(&text), now(), &Rates::default());
        assert_eq!(bare.hits.len(), 0);
        let found = percolator.percolate(&tender(&format!("{text} azzzb")), now(), &Rates::default());
        assert_eq!(found.hits[0].passage.of(&tender(&format!("{text} azzzb"))), "zzz");
    }
}

/// Inputs that make percolators slow or wrong. The results must be right, and the counters must
/// show little work.
#[test]
fn worst_case_inputs_cost_little_work() {
    let percolator = Percolator::new();
    let mut alerts = BTreeMap::new();
    let mut put = |number: u128, query: AlertQuery| {
        percolator.put(id(number), &query).unwrap();
        alerts.insert(id(number), query);
    };
    for number in 0..700 {
        put(1 + number, alert(&[("construction of bridges", "exact")], &["river"]));
        put(10_001 + number, alert(&[(&format!("construction of x{number}q"), "exact")], &[]));
        put(20_001 + number, alert(&[(&format!("{number}"), "contains")], &[]));
    }
    put(30_001, alert(&[("c", "contains")], &[]));
    put(30_002, alert(&[("c", "exact")], &[]));
    put(30_003, alert(&[("ක", "starts_with")], &[]));
    put(30_004, alert(&[("of the of the", "contains")], &[]));
    put(30_005, alert(&[(&"a".repeat(50), "ends_with")], &[]));
    for title in [
        "Construction of bridges".to_owned(),
        "Construction of bridges over the river".to_owned(),
        "construction of x17q, 699 c".to_owned(),
        "කඩ".to_owned(),
        "a".repeat(70_000),
        "of the ".repeat(3_000),
    ] {
        assert_agrees(&percolator, &alerts, &tender(&title), now());
    }
    let long = percolator.percolate(&tender(&"of the ".repeat(30_000)), now(), &Rates::default());
    assert_eq!(long.hits.len(), 1);
    let counters = percolator.percolate(&tender("construction of x17q"), now(), &Rates::default()).counters;
    assert!(counters.candidates < 20, "{counters:?}");
    let counters =
        percolator.percolate(&tender("construction of bridges"), now(), &Rates::default()).counters;
    assert_eq!((counters.matched, counters.candidates < 20), (701, true), "{counters:?}");
}

/// While other threads add and remove alerts, a tender always matches the permanent ones. Other
/// alerts are visible completely or not at all.
#[test]
fn percolation_is_consistent_under_concurrent_changes() {
    let percolator = Percolator::new();
    for number in 0..200 {
        percolator.put(id(number), &alert(&[("bridge", "starts_with"), ("of steel", "exact")], &[])).unwrap();
    }
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let writers: Vec<_> = (0..2u128)
            .map(|writer| {
                let percolator = &percolator;
                scope.spawn(move || {
                    for round in 0..400 {
                        let number = 1_000 * (writer + 1) + round % 50;
                        let term = if round % 3 == 0 { "steel" } else { "eel" };
                        percolator.put(id(number), &alert(&[(term, "ends_with")], &["wood"])).unwrap();
                        percolator.remove(id(1_000 * (writer + 1) + (round + 25) % 50));
                    }
                })
            })
            .collect();
        for _ in 0..2 {
            let (percolator, done) = (&percolator, &done);
            scope.spawn(move || {
                while !done.load(Ordering::Acquire) {
                    let tender = tender("Bridges of steel");
                    let hits = percolator.percolate(&tender, now(), &Rates::default()).hits;
                    assert!(hits.is_sorted_by_key(|hit| hit.alert));
                    assert_eq!(hits.iter().filter(|hit| hit.alert < id(1_000)).count(), 200);
                    let passing = hits.iter().filter(|hit| hit.alert >= id(1_000));
                    passing.for_each(|hit| assert!(hit.passage.of(&tender).ends_with("eel")));
                }
            });
        }
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        done.store(true, Ordering::Release);
    });
    assert!(percolator.len() >= 200);
}
