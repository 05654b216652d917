//! The confidence line: what falls under it is neither published nor indexed.

use crate::support::{batch, created, ingest, portal, received, report, said};
use std::path::Path;

fn indexed(directory: &Path) -> usize {
    let catalogue = index::Catalogue::open(directory).unwrap();
    let request = index::ListingRequest { limit: 10, ..Default::default() };
    catalogue.listing(&request, "2026-11-20T09:00:00+05:30".parse().unwrap()).unwrap().total
}

#[tokio::test(flavor = "multi_thread")]
async fn what_falls_under_the_line_waits_and_is_told() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let (index, notices) = (out.path().join("index"), out.path().join("notices"));
    let server = portal(created()).await;
    let run = |line: &str| {
        ingest(&["run", pages.path().to_str().unwrap(), "--out", notices.to_str().unwrap(), "--json"])
            .args(["--publish", &server.uri(), "--token", "t", "--index", index.to_str().unwrap()])
            .args(["--confidence-line", line])
            .output()
            .unwrap()
    };
    let strict = run("0.93");
    assert_eq!(strict.status.code(), Some(0), "who waits has not failed: {}", said(&strict));
    let told = report(&strict);
    let waiting = told["needingReview"].as_u64().unwrap();
    assert!(0 < waiting && waiting < 16, "the page has notices on both sides of the line: {told}");
    assert_eq!(told["published"]["held"], waiting);
    assert_eq!(told["published"]["created"], 16 - waiting);
    let reasons = told["doubts"].as_object().unwrap();
    assert!(
        reasons.keys().all(|reason| reason.ends_with("doubtful") || reason.ends_with("missing")),
        "{told}"
    );
    assert!(reasons.values().filter_map(serde_json::Value::as_u64).sum::<u64>() >= waiting, "{told}");
    assert_eq!(received(&server).await.len() as u64, 16 - waiting);
    assert_eq!(indexed(&index) as u64, 16 - waiting);

    // Publishing alone keeps to the line that was drawn, even where everything is sent again.
    let all = ingest(&["publish", notices.to_str().unwrap(), "--publish", &server.uri(), "--token", "t"])
        .args(["--all", "--json"])
        .output()
        .unwrap();
    assert_eq!(report(&all)["published"]["held"], waiting, "{}", said(&all));
    assert_eq!(received(&server).await.len() as u64, 2 * (16 - waiting));

    // Another line needs no other reading.
    let open = run("0");
    assert_eq!((&report(&open)["unchanged"], &report(&open)["needingReview"]), (&1.into(), &0.into()));
    assert_eq!(report(&open)["published"]["created"], waiting, "{}", said(&open));
    assert_eq!(indexed(&index), 16);
}

#[test]
fn a_line_is_a_share() {
    for line in ["1.1", "-0.1", "high", "NaN", ""] {
        let output =
            ingest(&["run", "x", "--out", "y", &format!("--confidence-line={line}")]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{line}");
        assert!(said(&output).contains("a number from 0 to 1"), "{}", said(&output));
    }
}

#[test]
fn the_notices_of_the_demonstration_that_wait_are_held() {
    let notices = crate::support::read_notices();
    let output = ingest(&["publish", notices.path().to_str().unwrap(), "--json"])
        .args(["--publish", "http://127.0.0.1:1", "--token", "t"])
        .output()
        .unwrap();
    let told = report(&output);
    assert_eq!((&told["needingReview"], &told["published"]["held"]), (&21.into(), &21.into()), "{told}");
    assert_eq!(told["published"]["unsent"], 33, "{told}");
}
