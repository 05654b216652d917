//! The calendar of deadlines, and the feed that calendar programs read.

use crate::{
    bid_checklist::{add, revise, row, stated_tender, tick},
    bids::place,
    support::{Client, TestPortal, publishing::store_sample_tender},
};
use serde_json::{Value, json};
use uuid::Uuid;

async fn open_tender(portal: &TestPortal, title: &str, closing: &str) -> Uuid {
    store_sample_tender(portal, title, |tender| {
        tender.organization.name = "Department of Buildings".into();
        tender.published_at = "2026-11-19T09:00:00+05:30".parse().ok();
        tender.dates.closing = closing.parse().ok();
    })
    .await
}

/// The path of a user's calendar below /api.
async fn feed_path(client: &Client) -> String {
    let address = client.put("/calendar/address", &json!({})).await.expect(200);
    let url = address["data"]["feedUrl"].as_str().unwrap().to_owned();
    url.split_once("/api").unwrap().1.to_owned()
}

/// The events of a calendar, read by another parser than the library that writes it.
async fn events(portal: &TestPortal, path: &str) -> Vec<(String, String)> {
    let reply = portal.guest().get(path).await;
    assert_eq!((reply.status.as_u16(), reply.header("content-type")), (200, "text/calendar; charset=utf-8"));
    let text = reply.text();
    let calendar = ical::IcalParser::new(text.as_bytes()).next().unwrap().unwrap();
    let value = |event: &ical::parser::ical::component::IcalEvent, name: &str| {
        let found = event.properties.iter().find(|property| property.name == name);
        found.and_then(|property| property.value.clone()).unwrap_or_default()
    };
    calendar.events.iter().map(|event| (value(event, "SUMMARY"), value(event, "UID"))).collect()
}

#[tokio::test]
async fn a_feed_has_the_deadlines_of_bids_and_saved_tenders() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let none = user.get("/calendar/address").await.expect(200)["data"].clone();
    assert_eq!((&none["feedUrl"], &none["isIncluded"]), (&Value::Null, &json!(true)));
    let bid = open_tender(&portal, "Roof repairs", "2026-12-20T14:00:00+05:30").await;
    let saved = open_tender(&portal, "Supply of chairs", "2026-12-22T14:00:00+05:30").await;
    open_tender(&portal, "Neither", "2026-12-23T14:00:00+05:30").await;
    let added = user.post("/bids", &json!({"tenderId": bid})).await.expect(201);
    user.put(&format!("/saved/tenders/{saved}"), &json!({})).await.expect(200);
    let path = feed_path(&user).await;
    let first = events(&portal, &path).await;
    let titles: Vec<&str> = first.iter().map(|(title, _)| title.as_str()).collect();
    assert_eq!(titles, ["Bids close: Roof repairs", "Bids close: Supply of chairs"]);
    // A program that has this version gets no second copy.
    let tag = portal.guest().get(&path).await.header("etag").to_owned();
    let guest = portal.guest();
    let request = guest.request(axum::http::Method::GET, &path).header("if-none-match", tag);
    assert_eq!(guest.send(request, axum::http::Method::GET, &path).await.status, 304);
    // A dropped bid is no deadline, even if the tender is saved, too. The others keep their ids.
    user.put(&format!("/saved/tenders/{bid}"), &json!({})).await.expect(200);
    let bid_path = format!("/bids/{}/place", added["data"]["bid"]["_id"].as_str().unwrap());
    user.put(&bid_path, &json!({"version": 1, "stage": "dropped"})).await.expect(200);
    assert_eq!(events(&portal, &path).await, &first[1..]);
}

#[tokio::test]
async fn bought_documents_leave_the_feed_until_their_sale_changes() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let tender = stated_tender(&portal, |_| ()).await;
    let bid = add(&user, tender).await;
    let path = feed_path(&user).await;
    let count = async || events(&portal, &path).await.len();
    assert_eq!(count().await, 2, "the sale and the closing");
    tick(&user, &bid, &row(&user, &bid, "buy-documents").await, true).await;
    assert_eq!(count().await, 1);
    revise(&portal, tender, |tender| {
        tender.document_fee.as_mut().unwrap().sale_until = "2026-12-18".parse().ok();
    })
    .await;
    assert_eq!(count().await, 2);
}

#[tokio::test]
async fn the_address_of_a_feed_can_be_renewed_and_revoked() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let old = feed_path(&user).await;
    let new = feed_path(&user).await;
    assert_ne!(old, new);
    portal.guest().get(&old).await.expect_error(404);
    assert!(events(&portal, &new).await.is_empty());
    // Who sets a new password can withdraw the address.
    let form = json!({"currentPassword": "secret-of-theirs", "newPassword": "another secret of theirs",
        "withdrawAccess": true});
    user.put("/auth/change-password", &form).await.expect(200);
    portal.guest().get(&new).await.expect_error(404);
    let newest = feed_path(&user).await;
    let revoked = user.delete("/calendar/address").await.expect(200)["data"].clone();
    assert_eq!(revoked["feedUrl"], Value::Null);
    portal.guest().get(&newest).await.expect_error(404);
    for wrong in ["x.ics", "%00.ics", &"a".repeat(43)] {
        portal.guest().get(&format!("/feeds/calendar/{wrong}")).await.expect_error(404);
    }
}

#[tokio::test]
async fn a_feed_needs_the_professional_plan_and_an_unlocked_account() {
    let portal = TestPortal::start().await;
    let basic = portal.subscriber("kamala", "supplier", Some("basic")).await;
    let refused = basic.put("/calendar/address", &json!({})).await;
    assert_eq!(
        refused.expect_error(403),
        "The calendar feed is part of the Professional and Enterprise plans"
    );
    assert_eq!(refused.json()["plan"], "professional");
    let user = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let path = feed_path(&user).await;
    sqlx::query("update subscription set plan = 'basic'").execute(&portal.state.db).await.unwrap();
    portal.guest().get(&path).await.expect_error(403);
    sqlx::query("update subscription set plan = 'professional'").execute(&portal.state.db).await.unwrap();
    let lock = "update users set locked_at = now(), lock_reason = 'x' where email = 'nimal@example.lk'";
    sqlx::query(lock).execute(&portal.state.db).await.unwrap();
    portal.guest().get(&path).await.expect_error(404);
}

#[tokio::test]
async fn the_calendar_of_some_days_has_their_deadlines_and_holidays() {
    let portal = TestPortal::start().await;
    portal.guest().get("/calendar?from=2026-12-01&to=2026-12-31").await.expect_error(401);
    let user = portal.user("nimal", "supplier").await;
    let tender = open_tender(&portal, "Roof repairs", "2026-12-24T14:00:00+05:30").await;
    let added = user.post("/bids", &json!({"tenderId": tender})).await.expect(201);
    let month = user.get("/calendar?from=2026-12-01&to=2026-12-31").await.expect(200)["data"].clone();
    assert_eq!(
        month["entries"],
        json!([{
            "tenderId": tender, "title": "Roof repairs", "organization": "Department of Buildings", "kind": "closing",
            "at": "2026-12-24T14:00:00+05:30", "hasHour": true, "isDoubtful": false, "isCancelled": false,
            "bidId": added["data"]["bid"]["_id"], "stage": "considering",
        }])
    );
    assert_eq!(month["tasks"], json!([]));
    let bid = added["data"]["bid"]["_id"].as_str().unwrap();
    let task = json!({"title": "Price the roof", "due": "2026-12-15"});
    let with_task = user.post(&format!("/bids/{bid}/tasks"), &task).await.expect(201);
    let undated = json!({"title": "Ask for a ladder"});
    user.post(&format!("/bids/{bid}/tasks"), &undated).await.expect(201);
    let tasks = async |from: &str, to: &str| {
        user.get(&format!("/calendar?from={from}&to={to}")).await.expect(200)["data"]["tasks"].clone()
    };
    let due = tasks("2026-12-01", "2026-12-31").await;
    assert_eq!(
        due,
        json!([{
            "_id": due[0]["_id"], "title": "Price the roof", "due": "2026-12-15", "assignee": null, "bidId": bid, "stage": "considering",
            "tenderId": tender, "tenderTitle": "Roof repairs", "organization": "Department of Buildings",
        }])
    );
    assert_eq!(tasks("2026-12-16", "2026-12-31").await, json!([]));
    // After the delivery, tasks such as the opening are left. Nothing is left of a dropped bid.
    for (stage, is_listed) in [("submitted", true), ("dropped", false), ("considering", true)] {
        place(&user, &format!("/bids/{bid}"), stage, None).await;
        assert_eq!(tasks("2026-12-01", "2026-12-31").await != json!([]), is_listed, "{stage}");
    }
    let stranger = portal.user("kamala", "supplier").await;
    let foreign = stranger.get("/calendar?from=2026-12-01&to=2026-12-31").await.expect(200);
    assert_eq!(foreign["data"]["tasks"], json!([]));
    let done = json!({"title": "Price the roof", "due": "2026-12-15", "isDone": true});
    let id = due[0]["_id"].as_str().unwrap();
    assert!(with_task.to_string().contains(id));
    user.put(&format!("/bids/{bid}/tasks/{id}"), &done).await.expect(200);
    assert_eq!(tasks("2026-12-01", "2026-12-31").await, json!([]));
    assert_eq!(
        month["holidays"][0],
        json!({"day": "2026-12-23", "name": "Unduvap Full Moon Poya Day", "isPoya": true})
    );
    let public = "/calendar/holidays?from=2026-12-01&to=2026-12-31";
    assert_eq!(portal.guest().get(public).await.expect(200)["data"]["holidays"], month["holidays"]);
    let earlier = user.get("/calendar?from=2026-12-01&to=2026-12-23").await.expect(200)["data"].clone();
    assert_eq!(earlier["entries"], json!([]));
    for (query, field) in [
        ("from=2026-12-01", "to"),
        ("from=2026-12-02&to=2026-12-01", "to"),
        ("from=2026-12-01&to=2027-02-01", "to"),
        ("from=yesterday&to=2026-12-01", "from"),
        ("from=2100-12-31&to=9999-12-31", "to"),
    ] {
        for path in ["/calendar", "/calendar/holidays"] {
            let refused = user.get(&format!("{path}?{query}")).await.expect(422);
            assert_eq!(refused["errors"][0]["field"], field, "{path}?{query}");
        }
    }
}
