//! Traces that the real server sends to a collector.

use crate::support::{server::Server, smtp::Behaviour, stage::Stage};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::{KeyValue, any_value::Value},
    trace::v1::{Span, status::StatusCode},
};
use prost::Message;
use serde_json::json;
use std::time::{Duration, Instant};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, method, path},
};

const TRACE_ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/// Starts a collector.
async fn collector() -> MockServer {
    let collector = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/v1/traces"))
        .and(header("content-type", "application/x-protobuf"))
        .respond_with(ResponseTemplate::new(200))
        .mount(&collector)
        .await;
    collector
}

/// The spans that a collector received, and the attributes of their sender.
async fn received(collector: &MockServer) -> (Vec<Span>, Vec<KeyValue>) {
    let (mut spans, mut sender) = (Vec::new(), Vec::new());
    for request in collector.received_requests().await.unwrap() {
        let request = ExportTraceServiceRequest::decode(request.body.as_slice()).unwrap();
        for resource_spans in request.resource_spans {
            sender = resource_spans.resource.unwrap().attributes;
            spans.extend(resource_spans.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    (spans, sender)
}

fn attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let found = attributes.iter().find(|attribute| attribute.key == key)?;
    match found.value.as_ref()?.value.as_ref()? {
        Value::StringValue(text) => Some(text.clone()),
        Value::IntValue(number) => Some(number.to_string()),
        other => panic!("{key} is {other:?}"),
    }
}

fn named<'s>(spans: &'s [Span], name: &str) -> Vec<&'s Span> {
    spans.iter().filter(|span| span.name == name).collect()
}

async fn start(stage: &Stage, collector: &str, settings: &[&str]) -> Server {
    let settings = [&["--otlp-endpoint", collector, "--log", "debug"], settings].concat();
    Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &settings).await
}

#[tokio::test]
async fn requests_of_a_trusted_proxy_continue_its_trace() {
    let (stage, collector) = (Stage::new(Behaviour::Accept).await, collector().await);
    let settings =
        ["--trace-sample", "1", "--trusted-proxies", "127.0.0.1", "--otlp-service-name", "test-portal"];
    let server = start(&stage, &collector.uri(), &settings).await;
    let client = reqwest::Client::new();
    let searched = client.get(format!("{}/api/tenders?search=secret-words", server.base));
    assert_eq!(searched.header("traceparent", PARENT).send().await.unwrap().status(), 200);
    let missing = client.get(format!("{}/api/tenders/00000000-0000-7000-8000-000000000009", server.base));
    assert_eq!(missing.send().await.unwrap().status(), 404);
    let form = json!({"firstName": "Nimal", "lastName": "Perera", "email": "nimal@example.lk",
        "password": "secret-of-theirs", "role": "buyer"});
    let registered =
        client.post(format!("{}/api/auth/register", server.base)).json(&form).send().await.unwrap();
    assert_eq!(registered.status(), 201);
    stage.smtp.received(1).await;
    // The last spans are sent during the shutdown.
    assert!(server.stop().success());

    let (spans, sender) = received(&collector).await;
    assert_eq!(attribute(&sender, "service.name").as_deref(), Some("test-portal"));
    let [searched] = named(&spans, "GET /api/tenders")[..] else { panic!("{spans:#?}") };
    assert_eq!(attribute(&searched.attributes, "http.route").as_deref(), Some("/api/tenders"));
    assert_eq!(attribute(&searched.attributes, "http.response.status_code").as_deref(), Some("200"));
    assert_eq!(hex::encode(&searched.trace_id), TRACE_ID);
    assert_eq!(hex::encode(&searched.parent_span_id), "00f067aa0ba902b7");
    let searches = named(&spans, "search");
    let search = searches.iter().find(|span| span.trace_id == searched.trace_id).expect("a search");
    assert_eq!(search.parent_span_id, searched.span_id);
    assert_eq!(attribute(&search.attributes, "kind").as_deref(), Some("listing"));
    let [missing] = named(&spans, "GET /api/tenders/{id}")[..] else { panic!("{spans:#?}") };
    assert_eq!(attribute(&missing.attributes, "http.response.status_code").as_deref(), Some("404"));
    assert_ne!(missing.status.as_ref().map(|status| status.code()), Some(StatusCode::Error));
    let [sent] = named(&spans, "send")[..] else { panic!("{spans:#?}") };
    assert_eq!(attribute(&sent.attributes, "channel").as_deref(), Some("email"));
    let text = format!("{spans:?}");
    for secret in ["secret", "example.lk", "Nimal", "127.0.0.1", "000000000009"] {
        assert!(!text.contains(secret), "a span contains {secret}: {text}");
    }
    let log = std::fs::read_to_string(stage.data().join("server.log")).unwrap();
    assert!(!log.contains("otel."), "the log contains spans of traces");
}

#[tokio::test]
async fn trace_of_another_client_is_not_continued() {
    let (stage, collector) = (Stage::new(Behaviour::Accept).await, collector().await);
    let server = start(&stage, &collector.uri(), &["--trace-sample", "1"]).await;
    let request = reqwest::Client::new().get(format!("{}/api/tenders/stats", server.base));
    assert_eq!(request.header("traceparent", PARENT).send().await.unwrap().status(), 200);
    assert!(server.stop().success());
    let (spans, _) = received(&collector).await;
    let [stats] = named(&spans, "GET /api/tenders/stats")[..] else { panic!("{spans:#?}") };
    assert_ne!(hex::encode(&stats.trace_id), TRACE_ID);
    assert_eq!(stats.parent_span_id, Vec::<u8>::new());
}

#[tokio::test]
async fn without_sampling_only_the_traces_of_a_trusted_proxy_are_sent() {
    let (stage, collector) = (Stage::new(Behaviour::Accept).await, collector().await);
    let settings = ["--trace-sample", "0", "--trusted-proxies", "127.0.0.1"];
    let server = start(&stage, &collector.uri(), &settings).await;
    let client = reqwest::Client::new();
    for parent in [None, Some(PARENT)] {
        let request = client.get(format!("{}/api/tenders/stats", server.base));
        let request = match parent {
            Some(parent) => request.header("traceparent", parent),
            None => request,
        };
        assert_eq!(request.send().await.unwrap().status(), 200);
    }
    assert!(server.stop().success());
    let (spans, _) = received(&collector).await;
    assert!(!spans.is_empty());
    assert!(spans.iter().all(|span| hex::encode(&span.trace_id) == TRACE_ID), "{spans:#?}");
}

#[tokio::test]
async fn collector_that_does_not_answer_delays_neither_requests_nor_the_shutdown_for_long() {
    let stage = Stage::new(Behaviour::Accept).await;
    // It accepts connections, and never answers.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let server = start(&stage, &endpoint, &["--trace-sample", "1"]).await;
    let client = reqwest::Client::new();
    let began = Instant::now();
    // More requests than the queue has places.
    let url = format!("{}/livez", server.base);
    for _ in 0..30 {
        let calls = (0..100).map(|_| client.get(&url).send());
        for answer in futures::future::join_all(calls).await {
            assert_eq!(answer.unwrap().status(), 200);
        }
    }
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    let began = Instant::now();
    assert!(server.stop().success());
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
