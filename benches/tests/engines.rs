//! Compares every engine that needs no JVM with the stored pairs, and tests the errors of invalid
//! workloads.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use benches::{
    engine::{self, EngineName, MeasurementLimits},
    pairs,
    workload::{Workload, lines},
};
use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};
use tender_model::vocabulary::Rates;

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matching").join(name)
}

fn open(alerts: &Path, tenders: &Path, limits: (usize, usize)) -> anyhow::Result<Workload> {
    Workload::open((alerts, tenders), limits, ("2026-11-20T09:00:00+05:30".parse()?, Rates::default()))
}

/// Compares an engine's pairs for the first alerts and tenders with the pairs of an independent
/// implementation.
fn assert_expected_pairs(name: EngineName, variant: Option<&str>, limits: (usize, usize)) {
    let number = |id: &str| id[1..].parse::<usize>().unwrap();
    let expected: String = lines(&fixture("pairs.txt.gz"))
        .unwrap()
        .map(|line| line.unwrap().1)
        .filter(|line| {
            let (tender, alert) = line.split_once(' ').unwrap();
            number(alert) < limits.0 && number(tender) < limits.1
        })
        .map(|line| line + "\n")
        .collect();
    assert!(expected.lines().count() > 20);
    let workload = open(&fixture("alerts.jsonl.gz"), &fixture("tenders.jsonl.gz"), limits).unwrap();
    let one_round = MeasurementLimits { rounds: 1, timeout: Duration::ZERO };
    let measured = engine::run(name, variant, &workload, one_round).unwrap();
    assert_eq!(pairs::lines(&measured.pairs, &workload.tender_ids, &measured.alert_ids), expected);
    assert_eq!(measured.rounds[0].each.len(), limits.1);
}

#[test]
fn percolator_finds_the_expected_pairs() {
    assert_expected_pairs(EngineName::Ours, None, (2000, 200));
}

#[test]
fn plain_tantivy_finds_the_expected_pairs() {
    assert_expected_pairs(EngineName::Tantivy, None, (200, 20));
}

#[test]
fn postgres_finds_the_expected_pairs() {
    assert_expected_pairs(EngineName::Postgres, Some("scan"), (500, 40));
    assert_expected_pairs(EngineName::Postgres, Some("anchors"), (500, 40));
}

#[test]
fn file_errors_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.jsonl");
    let error = |workload: anyhow::Result<Workload>| format!("{:#}", workload.err().unwrap());
    fs::write(&path, "{\"_id\":\"t0\",\"title\":\"x\"}\n{\"title\":\"y\"}\n").unwrap();
    let alerts = fixture("alerts.jsonl.gz");
    let message = error(open(&alerts, &path, (1, 9)));
    assert!(message.contains("broken.jsonl line 2") && message.contains("_id"), "{message}");
    assert!(open(&alerts, &path, (1, 1)).is_ok());

    fs::write(&path, "").unwrap();
    assert!(error(open(&alerts, &path, (1, 1))).contains("contains no tender"));
    assert!(error(open(&alerts, &folder.path().join("none"), (1, 1))).contains("can't be read"));

    fs::write(&path, "{\"_id\":\"a0\",\"keywords\":[{\"term\":\"--\"}]}\n").unwrap();
    let workload = open(&path, &fixture("tenders.jsonl.gz"), (1, 1)).unwrap();
    let message = format!("{:#}", workload.alerts().unwrap().next().unwrap().err().unwrap());
    assert!(message.contains("line 1") && message.contains("no word"), "{message}");
}

#[test]
fn inactive_alert_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("alerts.jsonl");
    let alert =
        |id: &str, rest: &str| format!("{{\"_id\":\"{id}\",\"keywords\":[{{\"term\":\"a\"}}]{rest}}}\n");
    fs::write(&path, alert("a0", ",\"isActive\":false") + &alert("a1", "")).unwrap();
    let workload = open(&path, &fixture("tenders.jsonl.gz"), (9, 1)).unwrap();
    let ids: Vec<String> = workload.alerts().unwrap().map(|alert| alert.unwrap().id).collect();
    assert_eq!(ids, ["a1"]);
}
