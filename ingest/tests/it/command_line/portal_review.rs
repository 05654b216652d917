//! Tests `review --portal` with the real program and a mock portal.

use super::support::{ingest, output_text, with_lines};
use serde_json::{Value, json};
use std::process::Output;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{body_json, header, method, path},
};

const TENDER: &str = "01939999-0000-7000-8000-000000000007";

fn ok(data: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({"success": true, "data": data}))
}

fn notice(key: &str, doubt: &str) -> Value {
    json!({"key": key, "version": "v1", "reason": "notice", "doubt": doubt, "tender": null, "alerts": 3, "mistakes": [],
        "candidates": [{"tender": TENDER, "title": "Chairs", "likeness": 0.75}],
        "notice": {"_id": "00000000-0000-0000-0000-000000000000", "title": "Office chairs\u{1b}[31m", "status": "draft",
            "fieldStates": {"referenceNo": "doubtful"}, "fullTextMarkdown": "Bids are invited"}})
}

/// A portal that gives out these notices one after the other.
async fn portal(notices: &[Value]) -> MockServer {
    let server = MockServer::start().await;
    let claim = || {
        Mock::given(method("POST"))
            .and(path("/api/operate/review/claims"))
            .and(header("authorization", "Bearer secret"))
    };
    for notice in notices {
        claim().respond_with(ok(json!({"notices": [notice]}))).up_to_n_times(1).mount(&server).await;
    }
    claim().respond_with(ok(json!({"notices": []}))).mount(&server).await;
    let release = Mock::given(method("DELETE")).and(path("/api/operate/review/claims"));
    release.respond_with(ResponseTemplate::new(204)).expect(1).mount(&server).await;
    server
}

async fn review(server: &MockServer, lines: &'static str) -> Output {
    let mut command = ingest(&["review", "--portal", &server.uri()]);
    command.env("INGEST_TOKEN", "secret");
    tokio::task::spawn_blocking(move || with_lines(&mut command, lines)).await.unwrap()
}

#[tokio::test]
async fn notices_of_a_portal_are_decided_with_their_version() {
    let server =
        portal(&[notice("a1", "doubtful-fields"), notice("b2", "alike"), notice("c3", "doubtful-fields")])
            .await;
    for (key, decision) in [
        ("a1", json!({"decision": "accept", "version": "v1", "fields": {"referenceNo": "K/1"}})),
        ("b2", json!({"decision": "source", "version": "v1", "tender": TENDER})),
        (
            "c3",
            json!({"decision": "reject", "version": "v1", "reason": "an advertisement", "isNoNotice": true}),
        ),
    ] {
        let decide = Mock::given(method("POST"))
            .and(path(format!("/api/operate/review/{key}")))
            .and(body_json(decision));
        decide.respond_with(ok(json!({"_id": TENDER, "outcome": "created"}))).expect(1).mount(&server).await;
    }
    let reviewed =
        review(&server, "edit referenceNo=K/1\naccept\nsame 1\nno-notice an advertisement\n").await;
    let text = output_text(&reviewed);
    assert!(reviewed.status.success() && text.contains("3 notices decided"), "{text}");
    assert!(text.contains("?  referenceNo") && text.contains("75% alike"), "doubts are marked: {text}");
    assert!(!text.contains('\u{1b}'), "control characters of a notice do not reach the terminal");
}

#[tokio::test]
async fn refused_decision_ends_a_script_and_gives_the_notice_back() {
    let server = portal(&[notice("a1", "doubtful-fields")]).await;
    let refusal = json!({"success": false, "message": "The notice has changed. Look at it again"});
    Mock::given(method("POST"))
        .and(path("/api/operate/review/a1"))
        .respond_with(ResponseTemplate::new(409).set_body_json(refusal))
        .expect(1)
        .mount(&server)
        .await;
    let reviewed = review(&server, "accept\naccept\n").await;
    let text = output_text(&reviewed);
    assert_eq!(reviewed.status.code(), Some(1), "{text}");
    assert!(text.contains("Look at it again") && text.contains("0 notices decided"), "{text}");
    for wrong in ["same 2\n", "same x\n", "edit reference\n", "edit nothing=1\n", "dance\n"] {
        let server = portal(&[notice("a1", "alike")]).await;
        assert_eq!(review(&server, wrong).await.status.code(), Some(1), "{wrong}");
    }
}

#[tokio::test]
async fn script_for_an_empty_queue_can_only_undo() {
    let server = portal(&[]).await;
    let undo = Mock::given(method("POST")).and(path("/api/operate/review/undo"));
    undo.respond_with(ok(json!({"notice": notice("a1", "alike")}))).expect(1).mount(&server).await;
    let skip = Mock::given(method("POST")).and(path("/api/operate/review/a1/skip"));
    skip.respond_with(ok(json!({}))).expect(1).mount(&server).await;
    let reviewed = review(&server, "undo\nskip\naccept\n").await;
    let text = output_text(&reviewed);
    assert!(reviewed.status.success() && text.contains("Office chairs"), "{text}");
    assert!(
        text.ends_with(
            "nothing waits for review\nno notice is left: the following commands are ignored\n0 notices decided\n"
        ),
        "{text}"
    );
}

#[tokio::test]
async fn either_a_folder_or_a_portal_is_reviewed() {
    for arguments in [&["review"][..], &["review", "notices", "--portal", "http://localhost:1"]] {
        let refused = ingest(arguments).env("INGEST_TOKEN", "secret").output().unwrap();
        assert_eq!(refused.status.code(), Some(2), "{}", output_text(&refused));
    }
}
