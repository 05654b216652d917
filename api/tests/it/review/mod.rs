//! The review queue. This module has the notices and the requests of these tests, which other tests
//! use as well.

mod claims;
mod decisions;
mod queueing;
mod undone_decisions;

use crate::{
    ingest::put_form,
    support::{Client, Reply, TestPortal},
};
use api::storage::tenders;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use std::fs;
use tender_model::vocabulary::TenderStatus;

/// A clip of the fixtures. Its box on the page is [`AREA`].
const CLIP: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/notices/daily-lanka/2026-11-20/p1-01.jpg");
const AREA: [f64; 4] = [0.7, 0.1, 0.2, 0.2];

/// A notice whose closing is doubtful, with another reading of it.
pub fn doubtful_notice(title: &str, extra: &str) -> String {
    format!(
        "---\ntitle: {title}\nkind: purchase\nlanguage: en\nreferenceNo: KMC/2027/{len}\norganization:\n  name: Kandy Municipal \
        Council\ndates:\n  closing: 2026-12-05T14:00:00+05:30\nsource:\n  publication: Daily Test\n  date: 2026-11-20\n  file: \
        p1.jpg\n  page: 1\n  box: [0.7, 0.1, 0.2, 0.2]\nconfidence:\n  title: 0.9\n  dates.closing: 0.6\nevidence:\n  \
        dates.closing:\n    text: 5th Dec\n    box: [0.72, 0.15, 0.05, 0.01]\notherReadings:\n  dates.closing:\n  - value: \
        2026-12-08T14:00:00+05:30\n    reader: classifier\n    confidence: 0.5\nfieldStates:\n  dates.closing: \
        doubtful\nneedsReview: true\n{extra}---\n\n{title}: sealed bids are invited.\n",
        len = title.len()
    )
}

pub fn key(number: u32) -> String {
    format!("{number:032x}")
}

pub fn form(notice: &str) -> Form {
    Form::new()
        .part("notice", Part::bytes(notice.as_bytes().to_vec()).mime_str("text/markdown").unwrap())
        .part("clip", Part::bytes(fs::read(CLIP).unwrap()).mime_str("image/jpeg").unwrap())
}

fn with_words(form: Form, words: &Value) -> Form {
    form.part("words", Part::bytes(words.to_string().into_bytes()).mime_str("application/json").unwrap())
}

/// Two lines of words, one in the upper and one in the lower half of the clip.
fn two_lines() -> Value {
    json!({
        "words": [
            {"text": "Lot", "line": 0, "box": [0.71, 0.12, 0.03, 0.01]},
            {"text": "one", "line": 0, "box": [0.75, 0.12, 0.03, 0.01]},
            {"text": "Lot", "line": 1, "box": [0.71, 0.25, 0.03, 0.01]},
            {"text": "two", "line": 1, "box": [0.75, 0.25, 0.03, 0.01]},
        ],
        "values": [{"kind": "amount", "value": "2", "first": 3, "last": 3}],
    })
}

pub async fn send(operator: &Client, number: u32, notice: &str) -> Value {
    let reply = put_form(operator, &key(number), with_words(form(notice), &two_lines())).await;
    assert!(reply.status.is_success(), "{}", reply.text());
    reply.json()["data"].clone()
}

pub async fn hold(operator: &Client, number: u32, notice: &str) -> Value {
    let reply = put_form(operator, &format!("{}?hold=true", key(number)), form(notice)).await;
    assert!(reply.status.is_success(), "{}", reply.text());
    reply.json()["data"].clone()
}

pub async fn reviewer(portal: &TestPortal, name: &str) -> Client {
    portal.user(name, "supplier").await;
    sqlx::query("update users set role = 'reviewer' where email = $1")
        .bind(format!("{name}@example.lk"))
        .execute(&portal.state.db)
        .await
        .unwrap();
    portal.sign_in(name).await
}

pub async fn claim(client: &Client, count: u32) -> Vec<Value> {
    let claimed = client.post("/operate/review/claims", &json!({"count": count})).await.expect(200);
    claimed["data"]["notices"].as_array().unwrap().clone()
}

async fn claimed_titles(client: &Client, count: u32) -> Vec<String> {
    let title = |notice: &Value| notice["notice"]["title"].as_str().unwrap().to_owned();
    claim(client, count).await.iter().map(title).collect()
}

pub async fn decide(client: &Client, number: u32, decision: Value) -> Reply {
    client.post(&format!("/operate/review/{}", key(number)), &decision).await
}

pub async fn undo(client: &Client) -> Reply {
    client.post("/operate/review/undo", &json!({})).await
}

async fn queue(client: &Client) -> Value {
    client.get("/operate/review").await.expect(200)["data"].clone()
}

async fn queued_keys(client: &Client) -> Vec<String> {
    let notices = queue(client).await["notices"].as_array().unwrap().clone();
    notices.iter().map(|notice| notice["key"].as_str().unwrap().to_owned()).collect()
}

async fn status_of(portal: &TestPortal, id: &Value) -> TenderStatus {
    let id = id.as_str().unwrap().parse().unwrap();
    tenders::current(&portal.state.db, id).await.unwrap().unwrap().tender.status
}

async fn last_audit(portal: &TestPortal) -> Value {
    let row: (String, Option<Value>, Option<Value>) =
        sqlx::query_as("select action, before, after from audit_entry order by id desc limit 1")
            .fetch_one(&portal.state.db)
            .await
            .unwrap();
    json!({"action": row.0, "before": row.1, "after": row.2})
}
