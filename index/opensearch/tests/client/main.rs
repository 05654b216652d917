//! How the client behaves when nodes fail: it asks another one, never takes a part of an answer for the
//! whole, never waits without a limit, and says what is wrong.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod server;
mod tls;

use index::{IndexError, ListingRequest, LogPosition, NodeCounts, SearchEngine};
use opensearch_engine::{ClusterConfig, OpenSearchEngine};
use rstest::rstest;
use serde_json::{Value, json};
use server::{FakeNode, Received, Reply};
use std::{
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

const SEARCH_TIMEOUT: Duration = Duration::from_millis(600);

fn config(nodes: &[&FakeNode]) -> ClusterConfig {
    ClusterConfig {
        nodes: nodes.iter().map(|node| node.address.clone()).collect(),
        index: "tenders".to_owned(),
        credentials: None,
        certificates: None,
        shards: 1,
        replicas: 1,
        search_timeout: SEARCH_TIMEOUT,
        write_timeout: SEARCH_TIMEOUT,
    }
}

fn engine(nodes: &[&FakeNode]) -> OpenSearchEngine {
    OpenSearchEngine::new(config(nodes)).unwrap()
}

fn now() -> Moment {
    Moment::new("2026-03-02T06:00:00Z".parse().unwrap())
}

/// The answer of a whole cluster to every search: nothing is found.
fn nothing(_: &Received) -> Reply {
    Reply::Json(200, found(&json!({"failed": 0})))
}

fn found(shards: &Value) -> Value {
    json!({"_shards": shards, "timed_out": false, "hits": {"total": {"value": 0}, "hits": []}, "aggregations": {}})
}

/// A search that needs one request.
fn total(engine: &OpenSearchEngine) -> Result<usize, IndexError> {
    engine.stats(now()).map(|stats| stats.total)
}

fn is_unavailable<T>(result: &Result<T, IndexError>) -> bool {
    matches!(result, Err(IndexError::Unavailable(_)))
}

#[rstest]
#[case::closes_connections(Reply::Close)]
#[case::breaks_off(Reply::BreakOff)]
#[case::hangs(Reply::Hang)]
#[case::has_no_master(Reply::Json(503, json!({"error": "cluster_manager_not_discovered"})))]
#[case::is_not_a_node(Reply::Text(200, "<html>hello</html>".to_owned()))]
#[case::has_too_much_to_do(Reply::Json(429, json!({"error": "rejected"})))]
fn another_node_answers_for_one_that(#[case] reply: Reply) {
    let bad = FakeNode::start(move |_| reply.clone());
    let good = FakeNode::start(nothing);
    let mut config = config(&[&bad, &good]);
    config.search_timeout = Duration::from_secs(6);
    let engine = OpenSearchEngine::new(config).unwrap();
    for _ in 0..6 {
        assert_eq!(total(&engine).unwrap(), 0);
    }
    assert_eq!(good.received_lines().len(), 6);
}

#[test]
fn a_node_that_hangs_costs_one_search_the_time() {
    let hung = FakeNode::start(|_| Reply::Hang);
    let good = FakeNode::start(nothing);
    let engine = engine(&[&hung, &good]);
    for _ in 0..50 {
        total(&engine).unwrap();
    }
    assert_eq!(hung.received_lines().len(), 1);
    assert_eq!(engine.nodes(), Some(NodeCounts { working: 1, failed: 1, unanswered: 0 }));
}

#[test]
fn a_failed_node_is_asked_again_only_after_it_answers_a_probe() {
    let node = FakeNode::start(|_| Reply::Close);
    let engine = engine(&[&node]);
    assert!(is_unavailable(&total(&engine)));
    let searches = node.received_lines().len();
    for _ in 0..5 {
        assert!(is_unavailable(&total(&engine)));
    }
    assert_eq!(node.received_lines().len(), searches, "only probes reach a node that failed");
    assert_eq!(engine.nodes(), Some(NodeCounts { working: 0, failed: 1, unanswered: 6 }));
    node.answer(nothing);
    assert_eq!(total(&engine).unwrap(), 0);
    assert_eq!(engine.nodes(), Some(NodeCounts { working: 1, failed: 0, unanswered: 6 }));
}

#[test]
fn a_hung_cluster_does_not_hold_up_every_search() {
    let node = FakeNode::start(|_| Reply::Hang);
    let engine = engine(&[&node]);
    assert!(is_unavailable(&total(&engine)));
    // The threads share the answers to a few short requests, and none searches.
    let searches = node.received_lines().len();
    thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| assert!(is_unavailable(&total(&engine))));
        }
    });
    assert_eq!(node.received_lines().len(), searches);
    let probes = node.received().len() - searches;
    assert!(probes < 10, "20 searches sent {probes} probes");
}

#[rstest]
#[case::no_shard_failed(json!({"failed": 0}), true)]
#[case::a_shard_failed(json!({"failed": 1, "failures": [{"reason": "no copy"}]}), false)]
#[case::nothing_is_said(json!({}), false)]
fn a_part_of_the_index_is_no_answer(#[case] shards: Value, #[case] is_answer: bool) {
    let node = FakeNode::start(move |_| Reply::Json(200, found(&shards)));
    let result = total(&engine(&[&node]));
    assert_eq!(result.is_ok(), is_answer);
    assert!(is_answer || is_unavailable(&result));
}

#[test]
fn an_answer_without_end_is_refused() {
    let node = FakeNode::start(|_| Reply::Endless);
    let mut config = config(&[&node]);
    config.search_timeout = Duration::from_secs(30);
    let result = total(&OpenSearchEngine::new(config).unwrap());
    assert!(matches!(result, Err(IndexError::Refused(_))), "{result:?}");
}

#[test]
fn a_refused_search_is_no_failure_of_the_node() {
    let node = FakeNode::start(|_| Reply::Json(400, json!({"error": "parsing_exception"})));
    let engine = engine(&[&node]);
    for _ in 0..2 {
        let result = total(&engine);
        assert!(matches!(&result, Err(IndexError::Refused(reason)) if reason.contains("parsing_exception")));
    }
    assert_eq!(node.received().len(), 2);
}

#[test]
fn rubbish_of_a_node_is_an_error() {
    for rubbish in [json!(null), json!([]), json!({"hits": 3}), json!({"_shards": {"failed": "0"}})] {
        let shown = rubbish.to_string();
        let node = FakeNode::start(move |_| Reply::Json(200, rubbish.clone()));
        let engine = engine(&[&node]);
        assert!(engine.listing(&ListingRequest::default(), now()).is_err(), "{shown}");
        assert!(engine.scan(&mut |_| {}).is_err(), "{shown}");
    }
}

#[rstest]
#[case::missing_answers(json!([]), true)]
#[case::a_missing_shard(json!([found(&json!({"failed": 0})), found(&json!({"failed": 1}))]), true)]
#[case::a_missing_index(json!([found(&json!({"failed": 0})), {"error": {}, "status": 404}]), true)]
#[case::too_much_to_do(json!([found(&json!({"failed": 0})), {"error": {}, "status": 429}]), true)]
#[case::a_refused_search(json!([found(&json!({"failed": 0})), {"error": {}, "status": 400}]), false)]
#[case::rubbish(json!([3, null]), true)]
fn one_failed_search_of_several_is_no_answer(#[case] responses: Value, #[case] unavailable: bool) {
    let node = FakeNode::start(move |request| match request.line.contains("_msearch") {
        true => Reply::Json(200, json!({"responses": responses})),
        false => nothing(request),
    });
    let result = engine(&[&node]).listing(&ListingRequest::default(), now());
    assert_eq!(is_unavailable(&result), unavailable, "{:?}", result.err());
    assert!(unavailable || matches!(result, Err(IndexError::Refused(_))));
}

#[test]
fn without_an_index_there_is_no_position_and_no_index_is_created() {
    let node = FakeNode::start(|_| Reply::Json(404, json!({"error": "alias missing"})));
    let engine = engine(&[&node]);
    assert!(!engine.refresh().unwrap());
    assert_eq!(engine.position(), None);
    assert!(is_unavailable(&total(&engine)));
    assert!(node.received_lines().iter().all(|line| !line.starts_with("PUT")));
}

#[test]
fn credentials_are_sent_and_never_shown() {
    let node = FakeNode::start(|_| Reply::Close);
    let mut config = config(&[&node]);
    config.credentials = Some(("portal".to_owned(), "secret".to_owned()));
    let error = total(&OpenSearchEngine::new(config).unwrap()).unwrap_err().to_string();
    assert!(!error.contains("secret"), "{error}");
    assert_eq!(node.received()[0].authorization.as_deref(), Some("Basic cG9ydGFsOnNlY3JldA=="));
}

#[test]
fn certificates_that_are_none_are_refused() {
    let node = FakeNode::start(nothing);
    let mut config = config(&[&node]);
    let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    config.certificates = Some(pem.as_bytes().to_vec());
    assert!(OpenSearchEngine::new(config).is_err());
}

/// The answers of a cluster with an empty index, except to requests whose path has `path`.
fn cluster_with(path: &'static str, reply: Reply) -> impl Fn(&Received) -> Reply + Send + Sync {
    move |request| match request.line.as_str() {
        line if line.contains(path) => reply.clone(),
        line if line.contains("_alias/") => Reply::Json(200, json!({"tenders-000001": {}})),
        line if line.contains("_aliases") => Reply::Json(200, json!({"acknowledged": true})),
        line if line.contains("_refresh") => Reply::Json(200, json!({"_shards": {"failed": 0}})),
        line if line.contains("_bulk") => Reply::Json(200, json!({"items": [{"index": {"status": 201}}]})),
        _ => Reply::Json(201, json!({})),
    }
}

fn remove_one(engine: &OpenSearchEngine) -> Result<(), IndexError> {
    let mut writer = engine.writer()?;
    writer.remove(Uuid::nil(), 7)?;
    writer.commit(LogPosition { position: 7, change_id: Uuid::nil() })
}

#[test]
fn a_change_is_committed_with_its_position_as_version() {
    let node = FakeNode::start(cluster_with("nothing", Reply::Close));
    let engine = engine(&[&node]);
    remove_one(&engine).unwrap();
    assert_eq!(engine.position().map(|at| at.position), Some(7));
    let bulk = node.received().into_iter().find(|request| request.line.contains("_bulk")).unwrap();
    assert!(bulk.body.contains(r#""version":7"#) && bulk.body.contains(r#""version_type":"external""#));
    let position = node.received_lines().into_iter().find(|line| line.starts_with("PUT")).unwrap();
    assert!(position.contains("version=7&version_type=external_gte"), "{position}");
}

#[rstest]
#[case::a_document_is_not_stored("_bulk", Reply::Json(200, json!({"items": [{"index": {"status": 503}}]})), true)]
#[case::a_bulk_request_has_no_answer("_bulk", Reply::Hang, true)]
#[case::a_shard_is_not_refreshed("_refresh", Reply::Json(200, json!({"_shards": {"failed": 1}})), true)]
#[case::a_document_is_invalid("_bulk", Reply::Json(200, json!({"items": [{"index": {"status": 400}}]})), false)]
#[case::another_writer_is_ahead("/_doc/", Reply::Json(409, json!({"error": "conflict"})), false)]
#[case::the_index_is_replaced("_alias/", Reply::Json(200, json!({"tenders-000002": {}})), false)]
fn the_position_stays_if(#[case] path: &'static str, #[case] reply: Reply, #[case] unavailable: bool) {
    let good = FakeNode::start(cluster_with("nothing", Reply::Close));
    let engine = engine(&[&good]);
    remove_one(&engine).unwrap();
    good.answer(cluster_with(path, reply));
    let mut writer = engine.writer().unwrap();
    let result = writer
        .remove(Uuid::nil(), 8)
        .and_then(|()| writer.commit(LogPosition { position: 8, change_id: Uuid::nil() }));
    assert!(result.is_err());
    assert_eq!(is_unavailable(&result), unavailable, "{result:?}");
    assert_eq!(engine.position().map(|at| at.position), Some(7));
}

#[test]
fn a_change_that_is_older_than_the_stored_one_is_no_error() {
    let late = Reply::Json(200, json!({"items": [{"index": {"status": 409}}]}));
    let node = FakeNode::start(cluster_with("_bulk", late));
    remove_one(&engine(&[&node])).unwrap();
}

/// The answers of a cluster without an index, of which the first two bulk requests fail.
fn cluster_that_builds() -> impl Fn(&Received) -> Reply + Send + Sync {
    let bulks = AtomicUsize::new(0);
    let others = cluster_with("_alias/", Reply::Json(404, json!({})));
    move |request| {
        let is_bulk = request.line.contains("_bulk");
        match is_bulk && bulks.fetch_add(1, Ordering::Relaxed) < 2 {
            true => Reply::Json(429, json!({"error": "rejected"})),
            false => others(request),
        }
    }
}

#[test]
fn a_rebuild_goes_on_after_a_busy_moment() {
    let node = FakeNode::start(cluster_that_builds());
    let engine = engine(&[&node]);
    let mut rebuild = engine.rebuild().unwrap();
    rebuild.remove(Uuid::nil(), 7).unwrap();
    rebuild.publish(LogPosition { position: 7, change_id: Uuid::nil() }).unwrap();
    let lines = node.received_lines();
    assert_eq!(lines.iter().filter(|line| line.contains("_bulk")).count(), 3);
    assert!(lines.iter().all(|line| !line.starts_with("DELETE")), "{lines:?}");
    assert_eq!(engine.position().map(|at| at.position), Some(7));
}

#[test]
fn an_index_that_was_created_without_an_answer_is_filled() {
    let creations = AtomicUsize::new(0);
    let others = cluster_that_builds();
    let node = FakeNode::start(move |request| {
        let is_creation = request.line.starts_with("PUT") && !request.line.contains("/_doc/");
        match is_creation.then(|| creations.fetch_add(1, Ordering::Relaxed)) {
            Some(0) => Reply::Hang,
            Some(_) => Reply::Json(
                400,
                json!({"error": {"type": "resource_already_exists_exception"}, "status": 400}),
            ),
            None => others(request),
        }
    });
    let engine = engine(&[&node, &node]);
    let rebuild = engine.rebuild().unwrap();
    rebuild.publish(LogPosition { position: 7, change_id: Uuid::nil() }).unwrap();
    assert_eq!(engine.position().map(|at| at.position), Some(7));
    let lines = node.received_lines();
    let created: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("PUT") && !line.contains("/_doc/")).collect();
    assert_eq!(created.len(), 2, "{lines:?}");
    assert_eq!(created[0], created[1]);
}

#[rstest]
#[case::the_index_has_vanished(Reply::Json(404, json!({"error": "no such index"})))]
#[case::a_node_has_not_taken_it(Reply::Json(200, json!({"acknowledged": false})))]
fn an_index_is_published_only_if_all_nodes_take_it(#[case] reply: Reply) {
    let node = FakeNode::start(cluster_with("_aliases", reply));
    let engine = engine(&[&node]);
    let rebuild = engine.rebuild().unwrap();
    assert!(rebuild.publish(LogPosition { position: 7, change_id: Uuid::nil() }).is_err());
    assert_eq!(engine.position(), None);
}

/// The answers of a cluster that makes a change of the alias without confirming it.
fn cluster_that_does_not_confirm() -> impl Fn(&Received) -> Reply + Send + Sync {
    let current = Mutex::new("tenders-000000".to_owned());
    let others = cluster_with("_aliases", Reply::Json(200, json!({"acknowledged": false})));
    move |request| {
        let mut current = current.lock().unwrap();
        if request.line.contains("_aliases") {
            let actions: Value = serde_json::from_str(&request.body).unwrap();
            *current = actions["actions"][1]["add"]["index"].as_str().unwrap().to_owned();
        }
        match request.line.contains("_alias/") {
            true => Reply::Json(200, json!({current.as_str(): {}})),
            false => others(request),
        }
    }
}

#[test]
fn an_index_that_became_current_without_a_confirmation_stays() {
    let node = FakeNode::start(cluster_that_does_not_confirm());
    let engine = engine(&[&node]);
    let rebuild = engine.rebuild().unwrap();
    rebuild.publish(LogPosition { position: 7, change_id: Uuid::nil() }).unwrap();
    assert_eq!(engine.position().map(|at| at.position), Some(7));
    let lines = node.received_lines();
    let deleted: Vec<&String> = lines.iter().filter(|line| line.starts_with("DELETE")).collect();
    assert_eq!(deleted, ["DELETE /tenders-000000"], "only the index before");
}

#[test]
fn another_copy_answers_a_listing_whose_copy_hangs() {
    let script = |request: &Received| match request.line.as_str() {
        line if line.contains("preference=") && !line.contains("=_local") => Reply::Hang,
        line if line.contains("_msearch") => {
            let answers = vec![found(&json!({"failed": 0})); request.body.lines().count() / 2];
            Reply::Json(200, json!({"responses": answers}))
        }
        _ => nothing(request),
    };
    let (first, second) = (FakeNode::start(script), FakeNode::start(script));
    let mut config = config(&[&first, &second]);
    config.search_timeout = Duration::from_secs(3);
    let engine = OpenSearchEngine::new(config).unwrap();
    assert_eq!(engine.listing(&ListingRequest::default(), now()).unwrap().total, 0);
    // Both nodes answer by themselves.
    assert_eq!(engine.nodes(), Some(NodeCounts { working: 2, failed: 0, unanswered: 0 }));
}
