//! The moderation of tenders by administrators. This module has what several of these tests need.

mod audit_log;
mod first_publication;
mod takedowns;

use crate::{
    operate::waiting_work,
    support::{Client, TestPortal},
};
use serde_json::{Value, json};

/// Starts a portal that checks the first publications of new publishers.
async fn start_portal() -> TestPortal {
    TestPortal::start_with(&["--hold-first-publication", "true"]).await
}

fn id(tender: &Value) -> &str {
    tender["_id"].as_str().unwrap()
}

fn path(tender: &Value) -> String {
    format!("/tenders/{}", id(tender))
}

async fn listed_titles(portal: &TestPortal) -> Vec<String> {
    portal.wait_until_indexed().await;
    let list = portal.guest().get("/tenders").await.expect(200);
    let titles = list["data"]["tenders"].as_array().unwrap().iter();
    titles.map(|tender| tender["title"].as_str().unwrap().to_owned()).collect()
}

async fn waiting(admin: &Client) -> Vec<Value> {
    let list = admin.get("/operate/publications").await.expect(200);
    let count = waiting_work(admin, "publications").await;
    let waiting = list["data"]["publications"].as_array().unwrap().clone();
    assert_eq!(count, waiting.len() as i64);
    waiting
}

async fn approve(admin: &Client, publication: &Value) {
    let path = format!("/operate/publications/{}/approval", id(&publication["tender"]));
    admin.post(&path, &json!({"revision": publication["revision"]})).await.expect(200);
}

/// The tender as its owner sees it in the list of own tenders.
async fn own(client: &Client, tender: &Value) -> Value {
    let mine = client.get("/tenders/user/my-tenders").await.expect(200)["data"]["tenders"].clone();
    let found = mine.as_array().unwrap().iter().find(|mine| mine["_id"] == tender["_id"]);
    found.cloned().unwrap_or_default()
}
