//! Tests the confidence threshold (`--confidence-line`). Fields below the threshold are published
//! as doubtful. With `--hold-doubtful`, notices with doubtful key fields wait for review at the portal.

use super::support::{batch, created, ingest, output_text, portal, received_paths, report};
use std::path::Path;

fn count_indexed(directory: &Path) -> usize {
    let store = index::IndexStore::open(directory).unwrap();
    let request = index::ListingRequest { limit: 10, ..Default::default() };
    store.listing(&request, "2026-11-20T09:00:00+05:30".parse().unwrap()).unwrap().total
}

/// The tenders in the requests that the mock portal received.
async fn sent_tenders(server: &wiremock::MockServer) -> Vec<tender_model::tender::Tender> {
    let requests = server.received_requests().await.unwrap();
    let body = |request: &wiremock::Request| String::from_utf8_lossy(&request.body).into_owned();
    let notice = |body: String| {
        // The notice has LF line ends, and the multipart form has CRLF line ends.
        let start = body.find("---\n").unwrap();
        let end = start + body[start..].find("\r\n--").unwrap();
        ingest::markdown::read(&body[start..end]).unwrap()
    };
    let is_notice = |request: &&wiremock::Request| request.url.path().contains("/notices/");
    requests.iter().filter(is_notice).map(body).map(notice).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn doubtful_fields_are_published_with_a_mark() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let notices = out.path().join("notices");
    let server = portal(created()).await;
    let run = |threshold: &str| {
        ingest(&["run", pages.path().to_str().unwrap(), "--out", notices.to_str().unwrap(), "--json"])
            .args(["--publish", &server.uri(), "--token", "t", "--confidence-line", threshold])
            .output()
            .unwrap()
    };
    let strict = run("0.93");
    let outcome = report(&strict);
    assert_eq!(
        (&outcome["needingReview"], &outcome["published"]["created"]),
        (&0.into(), &16.into()),
        "{outcome}"
    );
    let doubtful = outcome["doubtful"].as_u64().unwrap();
    assert!(0 < doubtful && doubtful < 16, "the page has notices on both sides of the threshold: {outcome}");
    let fields = outcome["doubtfulFields"].as_object().unwrap();
    assert!(
        fields.keys().all(|field| field.ends_with("doubtful") || field.ends_with("missing")),
        "{outcome}"
    );
    let marked = sent_tenders(&server).await;
    let is_marked = |tender: &&tender_model::tender::Tender| tender.has_uncertain_key_field();
    assert_eq!(marked.iter().filter(is_marked).count() as u64, doubtful);
    assert!(marked.iter().all(|tender| tender.field_states.is_some()));

    // With another threshold, pages are not read again. Notices whose fields become certain are
    // sent again.
    server.reset().await;
    wiremock::Mock::given(wiremock::matchers::method("PUT")).respond_with(created()).mount(&server).await;
    let open = report(&run("0"));
    assert_eq!((&open["unchanged"], &open["doubtful"]), (&1.into(), &0.into()), "{open}");
    let settled = sent_tenders(&server).await;
    assert!(settled.len() as u64 >= doubtful, "{}", settled.len());
    assert!(settled.iter().all(|tender| !tender.has_uncertain_key_field()));
}

#[tokio::test(flavor = "multi_thread")]
async fn hold_doubtful_holds_back_doubtful_notices() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let (index, notices) = (out.path().join("index"), out.path().join("notices"));
    let server = portal(created()).await;
    let run = |threshold: &str| {
        ingest(&["run", pages.path().to_str().unwrap(), "--out", notices.to_str().unwrap(), "--json"])
            .args(["--publish", &server.uri(), "--token", "t", "--index", index.to_str().unwrap()])
            .args(["--hold-doubtful", "--confidence-line", threshold])
            .output()
            .unwrap()
    };
    let strict = run("0.93");
    assert_eq!(strict.status.code(), Some(0), "held notices are not a failure: {}", output_text(&strict));
    let outcome = report(&strict);
    let waiting = outcome["needingReview"].as_u64().unwrap();
    assert!(0 < waiting && waiting < 16, "the page has notices on both sides of the threshold: {outcome}");
    assert_eq!((&outcome["published"]["held"], &outcome["published"]["created"]), (&0.into(), &16.into()));
    assert_eq!(held_count(&server).await, waiting);
    let reasons = outcome["doubts"].as_object().unwrap();
    assert!(
        reasons.keys().all(|reason| reason.ends_with("doubtful") || reason.ends_with("missing")),
        "{outcome}"
    );
    assert!(reasons.values().filter_map(serde_json::Value::as_u64).sum::<u64>() >= waiting, "{outcome}");
    assert_eq!(received_paths(&server).await.len(), 16);
    assert_eq!(count_indexed(&index) as u64, 16 - waiting);

    // With `publish --all`, the same notices wait as with the run.
    let all = ingest(&["publish", notices.to_str().unwrap(), "--publish", &server.uri(), "--token", "t"])
        .args(["--all", "--json"])
        .output()
        .unwrap();
    assert_eq!(report(&all)["published"]["created"], 16, "{}", output_text(&all));
    assert_eq!(held_count(&server).await, 2 * waiting);

    // With another threshold, pages are not read again.
    let open = run("0");
    assert_eq!((&report(&open)["unchanged"], &report(&open)["needingReview"]), (&1.into(), &0.into()));
    // A notice that was sent before is sent again if one of its doubtful fields is certain now.
    assert!(report(&open)["published"]["created"].as_u64() >= Some(waiting), "{}", output_text(&open));
    assert_eq!(count_indexed(&index), 16);
}

/// The number of received notices that wait for review.
async fn held_count(server: &wiremock::MockServer) -> u64 {
    let requests = server.received_requests().await.unwrap();
    requests.iter().filter(|request| request.url.query() == Some("hold=true")).count() as u64
}

#[test]
fn the_confidence_threshold_is_between_0_and_1() {
    for threshold in ["1.1", "-0.1", "high", "NaN", ""] {
        let output =
            ingest(&["run", "x", "--out", "y", &format!("--confidence-line={threshold}")]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{threshold}");
        assert!(output_text(&output).contains("a number from 0 to 1"), "{}", output_text(&output));
    }
}

#[test]
fn publish_holds_back_no_notice_of_the_fixtures() {
    let notices = super::support::copy_notices();
    let output = ingest(&["publish", notices.path().to_str().unwrap(), "--json"])
        .args(["--publish", "http://127.0.0.1:1", "--token", "t"])
        .output()
        .unwrap();
    let outcome = report(&output);
    assert_eq!(
        (&outcome["needingReview"], &outcome["published"]["held"]),
        (&0.into(), &0.into()),
        "{outcome}"
    );
    assert_eq!(outcome["published"]["unsent"], 54, "{outcome}");
}
