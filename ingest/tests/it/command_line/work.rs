//! Tests `work` with the real program and a mock portal that hands out a page.

use super::support::{created, ingest, output_text, page, report};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead, BufReader},
    process::{Command, Output, Stdio},
    time::Duration,
};
use wiremock::{
    Mock, MockServer, Request, ResponseTemplate,
    matchers::{header, method, path, path_regex, query_param},
};

const LEASE: &str = "/api/ingest/leases/01939999-0000-7000-8000-000000000009";

fn ok(data: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({"success": true, "data": data}))
}

/// A mock portal that hands out the only page of a file, once. The file arrives after a delay.
async fn page_portal(bytes: &[u8], delay: Duration) -> MockServer {
    page_portal_with_boxes(bytes, delay, json!([])).await
}

/// A mock portal as [`page_portal`], of which people have decided about boxes of the page.
async fn page_portal_with_boxes(bytes: &[u8], delay: Duration, boxes: Value) -> MockServer {
    let server = MockServer::start().await;
    let task = json!({
        "lease": LEASE.rsplit('/').next(), "until": "2026-11-20T12:00:00+05:30", "fileName": "daily ලංකා_p2.pdf",
        "fileHash": hex::encode(Sha256::digest(bytes)), "fileSize": bytes.len(), "number": 1,
        "publication": "Daily Lanka", "date": "2026-11-20", "boxes": boxes,
    });
    let take = || Mock::given(method("POST")).and(path("/api/ingest/leases"));
    let take_with_token = take().and(header("authorization", "Bearer secret"));
    take_with_token.respond_with(ok(json!({"page": task}))).up_to_n_times(1).mount(&server).await;
    take().respond_with(ok(json!({"page": null}))).mount(&server).await;
    let file = ResponseTemplate::new(200).set_body_bytes(bytes).set_delay(delay);
    Mock::given(method("GET")).and(path(format!("{LEASE}/file"))).respond_with(file).mount(&server).await;
    let notices = || Mock::given(method("PUT")).and(path_regex("^/api/ingest/notices/[0-9a-f]{32}$"));
    let held = notices().and(query_param("hold", "true"));
    held.respond_with(ok(json!({"outcome": "review"}))).mount(&server).await;
    notices().respond_with(created()).mount(&server).await;
    for verb in ["PUT", "DELETE"] {
        let calls = Mock::given(method(verb)).and(path_regex(format!("^{LEASE}")));
        calls.respond_with(ok(json!({}))).mount(&server).await;
    }
    server
}

fn work(server: &MockServer, arguments: &[&str]) -> Command {
    let uri = server.uri();
    let mut command = ingest(&["work", "--portal", &uri, "--name", "desk", "--jobs", "2"]);
    command.args(arguments).env("INGEST_TOKEN", "secret");
    command
}

async fn output(mut command: Command) -> Output {
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

async fn requests(server: &MockServer, verb: &str, ending: &str) -> Vec<Request> {
    let all = server.received_requests().await.unwrap();
    all.into_iter()
        .filter(|request| request.method.as_str() == verb && request.url.path().ends_with(ending))
        .collect()
}

/// The result of the page, which the worker has sent.
async fn sent_reading(server: &MockServer) -> Value {
    let sent = requests(server, "PUT", "/result").await;
    assert_eq!(sent.len(), 1);
    let body = String::from_utf8_lossy(&sent[0].body);
    assert!(body.contains("name=\"picture\"") && body.contains("image/jpeg"));
    let start = body.find("{\"publication\"").unwrap();
    serde_json::from_str(body[start..].split("\r\n").next().unwrap()).unwrap()
}

fn keys(reading: &Value, outcomes: &[&str]) -> BTreeSet<String> {
    let blocks = reading["blocks"].as_array().unwrap().iter();
    let fitting = blocks.filter(|block| outcomes.contains(&block["outcome"].as_str().unwrap()));
    fitting.map(|block| block["key"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_read_published_and_reported_as_by_run() {
    let bytes = fs::read(page()).unwrap();
    let server = page_portal(&bytes, Duration::ZERO).await;
    let done =
        output(work(&server, &["--once", "--json", "--hold-doubtful", "--confidence-line", "0.93"])).await;
    assert!(done.status.success(), "{}", output_text(&done));
    assert_eq!(report(&done), json!({"event": "report", "read": 1, "failed": 0}));
    let reading = sent_reading(&server).await;
    assert_eq!(
        (&reading["publication"], &reading["date"], &reading["pageCount"]),
        (&json!("Daily Lanka"), &json!("2026-11-20"), &json!(1))
    );
    let beats = requests(&server, "PUT", LEASE).await;
    assert_eq!(serde_json::from_slice::<Value>(&beats[0].body).unwrap(), json!({"pageCount": 1}));

    let published: BTreeSet<String> = server
        .received_requests()
        .await
        .unwrap()
        .iter()
        .filter(|request| request.url.query().is_none())
        .filter_map(|request| request.url.path().strip_prefix("/api/ingest/notices/").map(str::to_owned))
        .collect();
    assert_eq!(published, keys(&reading, &["tender", "doubtful"]));
    let waiting = keys(&reading, &["waits"]);
    assert!(!waiting.is_empty() && published.is_disjoint(&waiting), "a waiting notice is held");
    let others = reading["blocks"].as_array().unwrap().iter().filter(|block| block["key"].is_null());
    assert!(others.clone().count() > 0 && others.clone().all(|block| block["title"].is_null()));

    // `run` gives the notices of this page the same keys.
    let out = tempfile::tempdir().unwrap();
    let (file, folder) = (page(), out.path().to_owned());
    let run =
        move || ingest(&["run", file.to_str().unwrap(), "--out", folder.to_str().unwrap()]).output().unwrap();
    let run = tokio::task::spawn_blocking(run).await.unwrap();
    assert!(run.status.success(), "{}", output_text(&run));
    let read = ingest::batch::records(out.path()).unwrap();
    let by_run: BTreeSet<String> = read[0].1.notices.iter().map(|notice| notice.key.clone()).collect();
    assert_eq!(by_run, published.union(&waiting).cloned().collect());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_cannot_be_read_is_reported_as_failed() {
    let server = page_portal(b"%PDF-1.7 broken", Duration::ZERO).await;
    let done = output(work(&server, &["--once"])).await;
    assert_eq!(done.status.code(), Some(1), "{}", output_text(&done));
    assert!(output_text(&done).contains("0 read, 1 failed"), "{}", output_text(&done));
    let failures = requests(&server, "PUT", "/failure").await;
    let reason = serde_json::from_slice::<Value>(&failures[0].body).unwrap()["reason"].clone();
    assert!(reason.as_str().is_some_and(|reason| reason.starts_with("daily ලංකා_p2.pdf")), "{reason}");
    assert!(requests(&server, "PUT", "/result").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_worker_gives_its_page_back() {
    let server = page_portal(&fs::read(page()).unwrap(), Duration::from_secs(60)).await;
    let mut child = work(&server, &[]).stderr(Stdio::null()).spawn().unwrap();
    let started = std::time::Instant::now();
    while requests(&server, "GET", "/file").await.is_empty() {
        assert!(started.elapsed() < Duration::from_secs(30), "the page is not taken");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let ended = tokio::task::spawn_blocking(move || child.wait().unwrap()).await.unwrap();
    assert!(ended.success(), "{ended}");
    assert_eq!(requests(&server, "DELETE", LEASE).await.len(), 1);
    assert!(started.elapsed() < Duration::from_secs(30), "the worker does not wait for the page");
}

/// The text is news, so neither an organisation that invites bids nor a closing date can be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_drawn_notice_without_a_key_field_waits() {
    let bytes = fs::read(page()).unwrap();
    let area = json!([0.5015, 0.0389, 0.153, 0.1888]);
    let drawn = json!([{"box": area, "decision": "notice"}]);
    let server = page_portal_with_boxes(&bytes, Duration::ZERO, drawn).await;
    let done = output(work(&server, &["--once"])).await;
    assert!(done.status.success(), "{}", output_text(&done));
    let reading = sent_reading(&server).await;
    let mut blocks = reading["blocks"].as_array().unwrap().iter();
    let block = blocks.find(|block| block["box"] == area).unwrap();
    assert_eq!(block["outcome"], "waits", "{block}");
    let sent = requests(&server, "PUT", block["key"].as_str().unwrap()).await;
    assert_eq!(sent.iter().map(|request| request.url.query()).collect::<Vec<_>>(), [Some("hold=true")]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_ends_if_the_portal_refuses_its_token() {
    let server = MockServer::start().await;
    let refusal = json!({"success": false, "message": "This operator token was revoked"});
    let refused = ResponseTemplate::new(401).set_body_json(refusal);
    Mock::given(method("POST")).respond_with(refused).expect(1..=2).mount(&server).await;
    let done = output(work(&server, &[])).await;
    let text = output_text(&done);
    // systemd does not restart the worker after this status.
    assert_eq!(done.status.code(), Some(77), "{text}");
    assert!(text.contains("refuses the token (401: This operator token was revoked)"), "{text}");
    assert!(text.contains("`api admin token create NAME`"), "{text}");
    let unit = include_str!("../../../../api/package/systemd/serendib-ingest.service");
    assert!(unit.contains("\nRestartPreventExitStatus=2 77\n"));
}

#[tokio::test(flavor = "multi_thread")]
#[expect(clippy::disallowed_methods, reason = "the program under test reads the wall clock")]
async fn a_token_that_expires_soon_is_told_once() {
    let now = jiff::Timestamp::now();
    for (days, is_told) in [(13, true), (15, false)] {
        let server = MockServer::start().await;
        let expires_at = now + jiff::SignedDuration::from_hours(days * 24);
        let none = ok(json!({"page": null, "tokenExpiresAt": expires_at.to_string()}));
        Mock::given(method("POST")).respond_with(none).mount(&server).await;
        let text = output_text(&output(work(&server, &["--once"])).await);
        let count = text.matches("the portal refuses the token from ").count();
        assert_eq!(count, usize::from(is_told), "{days} days: {text}");
    }
}

#[test]
fn wrong_usage_of_work_is_refused_with_a_reason() {
    for (arguments, expected) in [
        (vec!["work"], "--portal"),
        (vec!["work", "--portal", "http://localhost:1"], "needs an operator's token"),
        (vec!["work", "--portal", "localhost:1", "--token", "t"], "is not the address of a portal"),
    ] {
        let output = ingest(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", output_text(&output));
        assert!(output_text(&output).contains(expected), "{arguments:?}: {}", output_text(&output));
    }
    let output = ingest(&["work", "--portal", "localhost:1", "--extractor", "openai"])
        .env_remove("OPENAI_API_KEY")
        .output()
        .unwrap();
    for expected in ["set OPENAI_API_KEY", "is not the address of a portal", "needs an operator's token"] {
        assert!(output_text(&output).contains(expected), "{expected}: {}", output_text(&output));
    }
}

#[test]
fn settings_of_work_are_checked_before_a_page_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ingest.env");
    let path = file.to_str().unwrap();
    let work = ["work", "--portal", "localhost:1", "--settings", path];
    fs::write(&file, "INGEST_TOKN=secret\nOPENAI_MODEL=m\n").unwrap();
    let output = ingest(&work).env("INGEST_TOKEN_FILE", "/nowhere/token").output().unwrap();
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("INGEST_TOKN (line 1 of") && text.contains("did you mean INGEST_TOKEN?"), "{text}");
    assert!(text.contains("INGEST_TOKEN_FILE (--token-file): /nowhere/token cannot be read"), "{text}");

    fs::write(&file, "INGEST_TOKEN=secret\n").unwrap();
    let output = ingest(&work).env("OPENAI_MODLE", "m").output().unwrap();
    let text = output_text(&output);
    assert!(text.contains("OPENAI_MODLE is not a setting; did you mean OPENAI_MODEL?"), "{text}");
    assert!(text.contains("is not the address of a portal"), "{text}");

    let template = ingest(&["settings", "--template"]).output().unwrap().stdout;
    let template = String::from_utf8(template).unwrap();
    assert!(template.contains("\n#OPENAI_API_KEY=sk-0000\n"), "{template}");
    let settings: Vec<&str> = template.lines().filter_map(|line| line.strip_prefix('#')).collect();
    let settings: Vec<&str> = settings.into_iter().filter(|line| !line.starts_with(' ')).collect();
    fs::write(&file, settings.join("\n")).unwrap();
    let output = ingest(&["settings", "check", path]).output().unwrap();
    assert!(output.status.success(), "{}", output_text(&output));
}

#[test]
fn token_without_tls_is_told() {
    let work = ["work", "--once", "--portal", "http://portal.invalid:1", "--token", "t", "--name", "x"];
    let mut child = ingest(&work).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(line.starts_with("warning: the operator's token goes to the portal without TLS"), "{line}");
}
