//! Responses to guests that are kept in memory for a moment.

use crate::{
    support::{Client, TestPortal},
    tenders::store,
};
use axum::http::Method;
use serde_json::{Value, json};
use tender_model::{tender::Tender, vocabulary::TenderStatus};

/// Starts a portal that keeps responses for longer than a test takes.
async fn start_portal() -> TestPortal {
    TestPortal::start_with(&["--guest-cache-ms", "60000"]).await
}

async fn publish(portal: &TestPortal, title: &str) -> String {
    let mut tender = Tender { title: title.into(), status: TenderStatus::Published, ..Tender::default() };
    tender.organization.contact_person.phone = Some("011 212 3456".into());
    let id = store(portal, tender, None).await;
    portal.wait_until_indexed().await;
    id.to_string()
}

async fn suppliers(client: &Client) -> i64 {
    client.get("/tenders/stats").await.expect(200)["data"]["supplierCount"].as_i64().unwrap()
}

fn titles(listing: &Value) -> Vec<&str> {
    let tenders = listing["data"]["tenders"].as_array().unwrap();
    tenders.iter().map(|tender| tender["title"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn responses_are_kept_for_guests_until_the_index_changes() {
    let portal = start_portal().await;
    let guest = portal.guest();
    let before = suppliers(&guest).await;
    let nimal = portal.user("nimal", "supplier").await;
    // A user gets the current count, and a guest the kept one.
    assert_eq!(suppliers(&nimal).await, before + 1);
    assert_eq!(suppliers(&guest).await, before);
    assert_eq!(titles(&guest.get("/tenders").await.expect(200)), Vec::<&str>::new());
    publish(&portal, "Repair of a bridge").await;
    assert_eq!(titles(&guest.get("/tenders").await.expect(200)), ["Repair of a bridge"]);
    assert_eq!(suppliers(&guest).await, before + 1);
}

#[tokio::test]
async fn response_to_a_user_is_never_sent_to_a_guest_or_another_user() {
    let portal = start_portal().await;
    let id = publish(&portal, "Repair of a bridge").await;
    let nimal = portal.subscriber("nimal", "supplier", Some("professional")).await;
    nimal.put(&format!("/saved/tenders/{id}"), &json!({})).await.expect(200);
    let kamala = portal.user("kamala", "supplier").await;
    let saved = async |client: &Client| client.get("/tenders").await.expect(200)["data"]["saved"].clone();
    for _ in 0..2 {
        assert_eq!(saved(&nimal).await, json!([id]));
        assert_eq!(saved(&kamala).await, json!([]));
        assert_eq!(saved(&portal.guest()).await, json!([]));
    }
    // A token that has ended gets its own response too.
    nimal.post("/auth/logout", &json!({})).await.expect(200);
    nimal.get("/tenders").await.expect_error(401);
    assert_eq!(saved(&portal.guest()).await, json!([]));
}

#[tokio::test]
async fn each_guest_gets_an_own_request_id_and_language() {
    let portal = start_portal().await;
    let guest = portal.guest();
    let path = "/tenders?kinds=sale";
    let mut seen = Vec::new();
    for language in ["en", "si"] {
        let request = guest.request(Method::GET, path).header("accept-language", language);
        let refused = guest.send(request, Method::GET, path).await.expect(403);
        seen.push((refused["message"].clone(), refused["requestId"].clone()));
    }
    assert_ne!(seen[0].0, seen[1].0, "the message is translated");
    assert_ne!(seen[0].1, seen[1].1);
    let ids = [guest.get("/tenders").await, guest.get("/tenders").await];
    let [first, second] = ids.map(|reply| {
        assert_eq!(reply.header("cache-control"), "no-store");
        reply.header("x-request-id").to_owned()
    });
    assert!(!first.is_empty() && first != second);
}

#[tokio::test]
async fn kept_responses_count_for_the_limits() {
    let settings = ["--guest-cache-ms", "60000", "--rate-limit-factor", "1"];
    let portal = TestPortal::start_with(&settings).await;
    let guest = portal.guest();
    for _ in 0..300 {
        guest.get("/tenders/stats").await.expect(200);
    }
    guest.get("/tenders/stats").await.expect_error(429);
}
