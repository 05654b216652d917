//! Every engine on the stored workload. The pairs must be equal.

use crate::support::engines::{ENGINES, assert_same, by_forward_search, workload};

#[test]
fn naive_matcher_and_percolator_find_the_stored_pairs() {
    let (scenario, expected) = workload();
    assert_eq!((scenario.tenders.len(), scenario.alerts.len()), (200, 2000));
    assert!(expected.len() > 2000);
    for (name, engine) in [ENGINES[0], ENGINES[1], ENGINES[2]] {
        assert_same(name, &scenario, &engine(&scenario), &expected);
    }
}

/// Fewer alerts, because each one is a search.
#[test]
fn the_forward_search_finds_the_stored_pairs() {
    let (mut scenario, mut expected) = workload();
    scenario.alerts.truncate(300);
    let last = scenario.alerts[299].0;
    expected.retain(|(alert, _)| *alert <= last);
    assert!(expected.len() > 300);
    assert_same("forward search", &scenario, &by_forward_search(&scenario), &expected);
}
