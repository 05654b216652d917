//! Every engine against the stored workload's pairs, exactly.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod support;

use support::{ENGINES, assert_same, workload};

#[test]
fn every_engine_finds_the_workloads_pairs() {
    let (meeting, expected) = workload();
    assert_eq!((meeting.tenders.len(), meeting.alerts.len()), (200, 2000));
    assert!(expected.len() > 2000);
    for (name, engine) in ENGINES {
        assert_same(name, &meeting, &engine(&meeting), &expected);
    }
}
