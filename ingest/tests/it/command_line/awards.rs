//! Tests `awards` with the real program and a mock portal.

use super::support::{ingest, output_text};
use serde_json::{Value, json};
use std::{fs, path::Path, process::Output};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{header, method, path},
};

const AWARD: &str = "- The proposal made by the Minister of Roads to award the contract to M/s One Ltd. for a sum of \
    Rs. 5 million, was approved by the Cabinet.";

fn line(key: &str, details: &str) -> String {
    let decision = json!({"key": key, "title": "A bridge", "date_str": "2018-01-02", "decision_num": 1,
        "source_url": "https://cabinet.example/1", "decision_details": details});
    format!("{decision}\n")
}

/// A file with an award, a decision without an award, and a line that is no decision.
fn decisions(folder: &Path) -> String {
    let file = folder.join("decisions.jsonl");
    let lines = [line("a-1", AWARD), line("a-2", "- Bids are to be invited."), "no decision\n".to_owned()];
    fs::write(&file, lines.concat()).unwrap();
    file.to_str().unwrap().to_owned()
}

async fn run(arguments: &[&str]) -> Output {
    let mut command = ingest(arguments);
    command.env("INGEST_TOKEN", "secret");
    tokio::task::spawn_blocking(move || command.output().unwrap()).await.unwrap()
}

async fn portal(answer: ResponseTemplate, times: u64) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/api/ingest/awards"))
        .and(header("authorization", "Bearer secret"))
        .respond_with(answer)
        .expect(times)
        .mount(&server)
        .await;
    server
}

#[tokio::test]
async fn awards_are_written_and_published() {
    let folder = tempfile::tempdir().unwrap();
    let file = decisions(folder.path());
    let answer = json!({"success": true, "data": {"outcome": "created"}});
    let server = portal(ResponseTemplate::new(201).set_body_json(answer), 1).await;
    let out = folder.path().join("out");
    let arguments = ["awards", &file, "--publish", &server.uri(), "--out", out.to_str().unwrap()];
    let output = run(&arguments).await;
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(1), "a line was not read: {text}");
    for part in [
        "line 3: the line is not a decision",
        "2 decisions: 1 award in 1 decision, 1 without an award",
        "published: 1 new, 0 changed, 0 unchanged; 0 not published",
        "1 line not read",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    let sent: Value = server.received_requests().await.unwrap()[0].body_json().unwrap();
    let written: Value =
        serde_json::from_str(&fs::read_to_string(out.join("awards.jsonl")).unwrap()).unwrap();
    assert_eq!(sent, written);
    assert_eq!(sent["awards"][0]["winners"][0]["name"], "One Ltd");
    assert_eq!(sent["awards"][0]["amounts"][0]["amount"], 5e6);
    assert_eq!(sent["body"]["name"], "Ministry of Roads");
}

#[tokio::test]
async fn a_dry_run_writes_and_publishes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = decisions(folder.path());
    let server = portal(ResponseTemplate::new(500), 0).await;
    let out = folder.path().join("out");
    let arguments =
        ["awards", &file, "--publish", &server.uri(), "--out", out.to_str().unwrap(), "--dry-run"];
    let output = run(&arguments).await;
    let text = output_text(&output);
    assert!(text.contains("1 award in 1 decision") && !text.contains("published"), "{text}");
    assert!(!out.exists());
}

#[tokio::test]
async fn a_refused_decision_is_reported_and_a_refused_token_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = decisions(folder.path());
    let refusal =
        ResponseTemplate::new(422).set_body_json(json!({"success": false, "message": "key is wrong"}));
    let server = portal(refusal, 1).await;
    let output = run(&["awards", &file, "--publish", &server.uri()]).await;
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("key is wrong") && text.contains("1 not published"), "{text}");

    let server = portal(ResponseTemplate::new(403), 1).await;
    let output = run(&["awards", &file, "--publish", &server.uri()]).await;
    assert_eq!(output.status.code(), Some(2), "{}", output_text(&output));
    assert!(output_text(&output).contains("refuses the token"));

    let missing = run(&["awards", "no-such-file"]).await;
    assert_eq!(missing.status.code(), Some(2));
    assert!(output_text(&missing).contains("there is no such file"));
}
