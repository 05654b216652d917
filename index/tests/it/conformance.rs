//! A suite of alert and tender pairs for all engines: each rule with examples, and generated alerts
//! and tenders in three scripts.

use crate::support::{
    engines::{ENGINES, Pairs, Scenario, assert_same, by_naive_matcher},
    now, rates,
};
use proptest::prelude::*;
use serde_json::{Value, json};
use tender_model::{alert::AlertQuery, tender::Tender, vocabulary::Moment};
use uuid::Uuid;

/// Merges `over` into `base`, object by object.
fn overlay(base: &mut Value, over: &Value) {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            for (key, value) in over {
                overlay(base.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (base, over) => *base = over.clone(),
    }
}

/// A tender that the alert for `bridge` matches, with changes.
fn tender(change: &Value) -> Tender {
    let mut tender = json!({
        "title": "Repair of a bridge", "status": "published", "category": "Construction", "kind": "purchase",
        "priority": "medium", "tags": ["steel"], "referenceNo": "RDA/W/2026/17",
        "organization": {"name": "Road Development Authority", "type": "government"},
        "location": {"province": "Western", "district": "Colombo", "city": "Maharagama"},
        "financials": {"estimatedValue": {"amount": 10.0, "currency": "LKR"}},
        "dates": {"closing": "2026-11-30T14:00:00+05:30"}, "publishedAt": "2026-11-20T08:00:00+05:30",
    });
    overlay(&mut tender, change);
    serde_json::from_value(tender).unwrap()
}

/// An alert for `bridge`, with changes.
fn alert(change: &Value) -> AlertQuery {
    let mut alert = json!({"keywords": [{"term": "bridge", "matchType": "exact"}]});
    overlay(&mut alert, change);
    serde_json::from_value(alert).unwrap()
}

fn keyword(term: &str, match_type: &str) -> Value {
    json!({"keywords": [{"term": term, "matchType": match_type}]})
}

fn advanced(filters: Value) -> Value {
    json!({"advancedFilters": filters})
}

/// The changes to the alert and to the tender, and whether the two match.
fn cases() -> Vec<(Value, Value, bool)> {
    let any = json!({});
    let title = |title: &str| json!({"title": title});
    let in_scope = |term: &str, match_type: &str| json!({"keywords": [{"term": term, "matchType": match_type}], "titleAndScopeOnly": true});
    // As long as a form permits, in letters of three bytes.
    let in_long_text = |word: &str| {
        let filler = "පාලම් සහ මාර්ග ".repeat(650);
        json!({"title": "x", "description": format!("{filler}{word} {filler}")})
    };
    let closed = json!({"dates": {"closing": "2026-11-20T08:59:59+05:30"}});
    let no_place = json!({"location": {"province": null, "district": null, "city": null}});
    let value = |amount: f64, currency: &str| json!({"financials": {"estimatedValue": {"amount": amount, "currency": currency}}});
    let range = |min: Value, max: Value, currency: &str| json!({"estimatedValue": {"min": min, "max": max, "currency": currency}});
    let closing = |closing: Value| json!({"dates": {"closing": closing}});
    let unread = json!({"dates": {"closing": null}, "fieldStates": {"dates.closing": "not-read"}});
    vec![
        (any.clone(), any.clone(), true),
        // Status.
        (any.clone(), json!({"status": "draft"}), false),
        (
            advanced(json!({"includedStatuses": ["draft", "withdrawn"]})),
            json!({"status": "withdrawn"}),
            false,
        ),
        (any.clone(), closed.clone(), false),
        (advanced(json!({"includedStatuses": ["closed"]})), closed, true),
        (advanced(json!({"includedStatuses": ["awarded"]})), json!({"status": "awarded"}), true),
        (advanced(json!({"includedStatuses": []})), any.clone(), false),
        (any.clone(), json!({"dates": {"closing": null}, "publishedAt": "2026-08-20T08:00:00+05:30"}), false),
        // Where and how a keyword matches.
        (keyword("STEEL", "exact"), any.clone(), true),
        (keyword("development", "exact"), any.clone(), true),
        (keyword("rda-w-2026", "exact"), any.clone(), true),
        (keyword("steel road", "contains"), any.clone(), false),
        (keyword("bridge", "exact"), json!({"title": "x", "description": "a bridge"}), true),
        (keyword("bridge", "exact"), json!({"title": "x", "fullTextMarkdown": "**A *bridge*.**"}), true),
        (keyword("bridge", "exact"), in_long_text("bridge"), true),
        (keyword("ridg", "contains"), in_long_text("bridge"), true),
        (keyword("bridge", "exact"), in_long_text("bridges"), false),
        (keyword("bridge", "exact"), title("bridges"), false),
        (keyword("bridge", "starts_with"), title("Bridges"), true),
        (keyword("bridge", "ends_with"), title("footbridge"), true),
        (keyword("bridge", "ends_with"), title("bridges"), false),
        (keyword("ridg", "contains"), any.clone(), true),
        (keyword("b", "contains"), any.clone(), true),
        (keyword("ri", "contains"), any.clone(), true),
        (keyword("pair of a br", "contains"), any.clone(), true),
        (keyword("pair of", "contains"), any.clone(), true),
        (keyword("repair of", "exact"), any.clone(), true),
        (keyword("of a", "exact"), any.clone(), true),
        (keyword("of of a", "exact"), title("of of of a bridge"), true),
        (keyword("repair a", "exact"), any.clone(), false),
        (keyword("the build", "starts_with"), title("The building of the builder"), true),
        (keyword("C5", "exact"), title("grade C 5 works"), true),
        (keyword("C5", "contains"), title("abc500"), true),
        (keyword("strasse", "exact"), title("Straße"), true),
        (keyword("co-operation", "exact"), title("co\u{AD}operation"), false),
        (keyword("cooperation", "exact"), title("co\u{AD}operation"), true),
        (keyword("ශ්රී", "exact"), title("ශ්\u{200D}රී ලංකා"), true),
        (keyword("லங்கை", "ends_with"), title("இலங்கை"), true),
        (json!({"keywords": []}), any.clone(), false),
        (json!({"keywords": [{"term": "tunnel"}, {"term": "bridge"}]}), any.clone(), true),
        // Exclude keywords.
        (advanced(json!({"excludeKeywords": ["tee"]})), any.clone(), false),
        (advanced(json!({"excludeKeywords": ["", " - ", "tunnel"]})), any.clone(), true),
        // Lists.
        (json!({"categories": ["Construction"]}), any.clone(), true),
        (json!({"categories": ["construction"]}), any.clone(), true),
        (json!({"categories": ["it", "Furniture"]}), any.clone(), false),
        (json!({"categories": ["it"]}), json!({"category": null}), true),
        (json!({"categories": ["construction"]}), json!({"kind": "registration"}), false),
        (json!({"categories": ["registration"]}), json!({"kind": "registration"}), true),
        (json!({"categories": ["Construction"]}), json!({"kind": "registration"}), true),
        (json!({"organizationTypes": ["ngo"]}), any.clone(), false),
        (json!({"organizationTypes": ["ngo"]}), json!({"organization": {"type": null}}), true),
        (advanced(json!({"includedPriorities": ["high", "urgent"]})), any.clone(), false),
        (advanced(json!({"includedPriorities": ["medium"]})), any.clone(), true),
        // Places.
        (json!({"locations": {"provinces": ["Western"]}}), any.clone(), true),
        (json!({"locations": {"provinces": ["Uva"]}}), any.clone(), false),
        (json!({"locations": {"provinces": ["Uva"]}}), no_place, true),
        (json!({"locations": {"provinces": ["Western"]}}), json!({"location": {"province": null}}), true),
        (json!({"locations": {"provinces": ["Uva"], "districts": ["Colombo"]}}), any.clone(), true),
        (json!({"locations": {"cities": ["MAHARAGAMA."]}}), any.clone(), true),
        (json!({"locations": {"cities": ["Kotte"]}}), any.clone(), false),
        (json!({"locations": {"cities": ["Kotte"]}}), json!({"location": {"city": null}}), false),
        // Bodies.
        (json!({"bodies": ["ROAD development authority."]}), any.clone(), true),
        (json!({"bodies": ["Road Development", "Water Board"]}), any.clone(), false),
        (json!({"bodies": ["Water Board", "Road Development Authority"]}), any.clone(), true),
        (json!({"bodies": ["Water Board"]}), json!({"organization": {"name": ""}}), false),
        (json!({"bodies": ["-"]}), json!({"organization": {"name": "-"}}), false),
        (json!({"keywords": [], "bodies": ["Road Development Authority"]}), any.clone(), true),
        (
            json!({"keywords": [], "bodies": ["Road Development Authority"], "titleAndScopeOnly": true}),
            any.clone(),
            true,
        ),
        (json!({"keywords": [], "bodies": ["Water Board"]}), json!({"title": "Water Board"}), false),
        // Title and scope only.
        (in_scope("bridge", "exact"), any.clone(), true),
        (in_scope("bridge", "exact"), json!({"title": "x", "description": "a bridge"}), true),
        (in_scope("ridg", "contains"), json!({"title": "x", "description": "two bridges"}), true),
        (in_scope("bridge", "exact"), json!({"title": "x", "fullTextMarkdown": "a bridge"}), false),
        (in_scope("bridge", "exact"), json!({"title": "", "fullTextMarkdown": "a bridge"}), false),
        (in_scope("steel", "exact"), any.clone(), false),
        (in_scope("development", "contains"), any.clone(), false),
        (in_scope("RDA", "exact"), any.clone(), false),
        (in_scope("bridge x", "contains"), json!({"description": "x"}), false),
        (
            json!({"titleAndScopeOnly": true, "advancedFilters": {"excludeKeywords": ["steel"]}}),
            any.clone(),
            false,
        ),
        // Value.
        (range(json!(10.0), json!(10.0), "LKR"), any.clone(), true),
        (range(json!(10.01), json!(null), "LKR"), any.clone(), false),
        (range(json!(null), json!(9.99), "LKR"), any.clone(), false),
        (range(json!(99.0), json!(null), "LKR"), json!({"financials": {"estimatedValue": null}}), true),
        (range(json!(0.04), json!(null), "USD"), any.clone(), false),
        (range(json!(0.03), json!(null), "USD"), any.clone(), true),
        (range(json!(99.0), json!(null), "LKR"), value(1.0, "JPY"), true),
        (range(json!(300.0), json!(300.0), "LKR"), value(1.0, "USD"), true),
        // Days until closing.
        (advanced(json!({"minDaysUntilClosing": 10, "maxDaysUntilClosing": 10})), any.clone(), true),
        (advanced(json!({"minDaysUntilClosing": 11})), any.clone(), false),
        (advanced(json!({"maxDaysUntilClosing": 9})), any.clone(), false),
        (advanced(json!({"maxDaysUntilClosing": 0})), closing(json!("2026-11-20")), true),
        (advanced(json!({"minDaysUntilClosing": 0})), closing(json!(null)), false),
        (advanced(json!({"minDaysUntilClosing": 0})), unread.clone(), true),
        (advanced(json!({"maxDaysUntilClosing": 3})), unread.clone(), true),
        (any.clone(), unread, true),
        (any, closing(json!(null)), true),
    ]
}

/// Each alert is matched against each tender of the table. All engines must also agree on pairs
/// that the table does not list.
#[test]
fn every_engine_follows_every_rule() {
    let cases = cases();
    let id = |index: usize| Uuid::from_u128(index as u128 + 1);
    let mut scenario = Scenario { alerts: Vec::new(), tenders: Vec::new(), now: now(), rates: rates() };
    for (index, (asked, of, _)) in cases.iter().enumerate() {
        scenario.alerts.push((id(index), alert(asked)));
        scenario.tenders.push(Tender { id: id(index), ..tender(of) });
    }
    let expected = by_naive_matcher(&scenario);
    for (index, (asked, of, matches)) in cases.iter().enumerate() {
        assert_eq!(expected.contains(&(id(index), id(index))), *matches, "{asked} of {of}");
    }
    for (name, engine) in ENGINES {
        assert_same(name, &scenario, &engine(&scenario), &expected);
    }
}

/// One to four words of a small vocabulary, so that many match, with difficult characters in each
/// script.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "road",
        "Roads",
        "broad",
        "works",
        "work",
        "the",
        "of",
        "supply",
        "for",
        "of-the",
        "C5",
        "c",
        "5",
        "2026/11",
        "A",
        "aa",
        "aab",
        "ab",
        "abab",
        "straße",
        "ﬁre",
        "fire",
        "co\u{AD}op",
        "coop",
        "ලංකා",
        "ශ්\u{200D}රී",
        "ශ්රී",
        "රී",
        "කොළඹ",
        "කො",
        "මාර්ග",
        "இலங்கை",
        "லங்கை",
        "சாலை",
        "சா",
        "e\u{301}",
        "é",
        "½",
        "—",
    ]);
    prop::collection::vec((word, prop::sample::select(vec![" ", "  ", "-", "", ".\n"])), 1..5)
        .prop_map(|pieces| pieces.into_iter().flat_map(|(word, space)| [word, space]).collect::<String>())
}

fn some<T: Clone + std::fmt::Debug + 'static>(all: Vec<T>, most: usize) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(prop::sample::select(all), 0..=most)
}

fn any_alert() -> impl Strategy<Value = AlertQuery> {
    let match_type = prop::sample::select(vec!["exact", "contains", "starts_with", "ends_with"]);
    let keywords = prop::collection::vec((words(), match_type), 1..4);
    let excludes = prop::collection::vec(words(), 0..2);
    let lists = (
        some(vec!["Construction", "it", "registration", "Other"], 2),
        some(vec!["Western", "Uva"], 1),
        some(vec!["Colombo", "Kandy"], 1),
        some(vec!["Kotte", "කොළඹ"], 1),
        some(vec!["government", "ngo"], 1),
        some(vec!["published", "closed", "awarded"], 3),
        some(vec!["medium", "high"], 1),
    );
    let bounds = (
        prop::option::weighted(0.3, 0u32..20),
        prop::option::weighted(0.3, 5u32..30),
        prop::sample::select(vec!["LKR", "USD"]),
        prop::option::weighted(0.2, 0u16..12),
        prop::option::weighted(0.2, 5u16..30),
    );
    let bodies = (prop::collection::vec(words(), 0..2), any::<bool>(), any::<bool>(), any::<bool>());
    (keywords, excludes, lists, bounds, bodies).prop_map(|(keywords, excludes, lists, bounds, bodies)| {
        let keywords: Vec<Value> = keywords
            .into_iter()
            .map(|(term, match_type)| json!({"term": format!("{term}x"), "matchType": match_type}))
            .map(|mut keyword| {
                // The letter `x` is kept only if the term would have no word without it.
                let bare = keyword["term"].as_str().unwrap().trim_end_matches('x').to_owned();
                if !tender_model::text::normalise(&bare).is_empty() {
                    keyword["term"] = bare.into();
                }
                keyword
            })
            .collect();
        let (names, has_bodies, is_limited, has_keywords) = bodies;
        let keywords = if has_keywords || !has_bodies { keywords } else { Vec::new() };
        let names: Vec<String> = names.into_iter().filter(|_| has_bodies).collect();
        let names: Vec<String> =
            names.into_iter().filter(|name| !tender_model::text::normalise(name).is_empty()).collect();
        serde_json::from_value(json!({
            "keywords": keywords, "bodies": names, "titleAndScopeOnly": is_limited, "categories": lists.0,
            "locations": {"provinces": lists.1, "districts": lists.2, "cities": lists.3},
            "organizationTypes": lists.4, "estimatedValue": {"min": bounds.0, "max": bounds.1, "currency": bounds.2},
            "advancedFilters": {"excludeKeywords": excludes, "includedStatuses": lists.5, "includedPriorities": lists.6,
                "minDaysUntilClosing": bounds.3, "maxDaysUntilClosing": bounds.4},
        }))
        .unwrap()
    })
}

fn any_tender() -> impl Strategy<Value = Tender> {
    let texts = (words(), words(), words(), prop::collection::vec(words(), 0..3), words(), words());
    let terms = (
        prop::option::of(prop::sample::select(vec!["Construction", "Computer & IT", "Other"])),
        prop::sample::select(vec!["purchase", "registration"]),
        prop::sample::select(vec![
            "published",
            "published",
            "published",
            "closed",
            "awarded",
            "draft",
            "withdrawn",
        ]),
        prop::option::of(prop::sample::select(vec!["government", "ngo"])),
        prop::sample::select(vec!["medium", "high"]),
        prop::option::of(prop::sample::select(vec!["Western", "Uva"])),
        prop::option::of(prop::sample::select(vec!["Colombo", "Kandy"])),
        prop::option::of(prop::sample::select(vec!["kotte", "කොළඹ", "-"])),
    );
    let numbers = (
        prop::option::of((0u32..30, prop::sample::select(vec!["LKR", "USD", "JPY"]))),
        prop::option::of(-3i64..30),
        prop::option::of(0i64..120),
        prop::option::of(prop::sample::select(vec!["doubtful", "not-read"])),
    );
    (texts, terms, numbers).prop_map(|(texts, terms, (value, closing, published, state))| {
        let after = |days: i64| {
            let day = now().timestamp().checked_add(jiff::SignedDuration::from_hours(24 * days)).unwrap();
            Moment::new(day).to_string()
        };
        let value = value.map(|(amount, currency)| json!({"amount": amount, "currency": currency}));
        serde_json::from_value(json!({
            "title": texts.0, "description": texts.1, "fullTextMarkdown": texts.2, "tags": texts.3,
            "organization": {"name": texts.4, "type": terms.3}, "referenceNo": texts.5,
            "category": terms.0, "kind": terms.1, "status": terms.2, "priority": terms.4,
            "location": {"province": terms.5, "district": terms.6, "city": terms.7},
            "financials": {"estimatedValue": value},
            "dates": {"closing": closing.map(after)}, "publishedAt": published.map(|days| after(-days)),
            "fieldStates": state.map(|state| json!({"dates.closing": state})),
        }))
        .unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_engine_agrees(
        alerts in prop::collection::vec(any_alert(), 1..40),
        tenders in prop::collection::vec(any_tender(), 1..20),
    ) {
        let alerts = alerts.into_iter().enumerate().map(|(index, alert)| (Uuid::from_u128(index as u128 + 1), alert));
        let tenders = tenders.into_iter().enumerate();
        let scenario = Scenario {
            alerts: alerts.collect(),
            tenders: tenders.map(|(index, tender)| Tender { id: Uuid::from_u128(index as u128 + 1), ..tender }).collect(),
            now: now(),
            rates: rates(),
        };
        let expected: Pairs = by_naive_matcher(&scenario);
        for (name, engine) in ENGINES {
            assert_same(name, &scenario, &engine(&scenario), &expected);
        }
    }
}
