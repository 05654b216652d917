//! What publishers do with tenders of their own: make, publish, edit, withdraw, delete.

use crate::support::{Client, TestPortal};
use axum::http::Method;
use serde_json::{Value, json};
use uuid::Uuid;

/// A whole form.
fn form(title: &str, status: &str) -> Value {
    json!({
        "title": title, "description": "Two hundred chairs.", "referenceNo": "S/1", "category": "Furniture", "status": status,
        "organization": {"name": "Abans"}, "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-01"},
    })
}

async fn create(client: &Client, title: &str, status: &str) -> Value {
    client.post("/tenders", &form(title, status)).await.expect(201)["data"]["tender"].clone()
}

fn path(tender: &Value) -> String {
    format!("/tenders/{}", tender["_id"].as_str().unwrap())
}

async fn listed(portal: &TestPortal) -> Vec<String> {
    portal.indexed().await;
    let list = portal.guest().get("/tenders").await.expect(200);
    let titles = list["data"]["tenders"].as_array().unwrap().iter();
    titles.map(|tender| tender["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_draft_takes_its_defaults_from_its_publisher_and_may_have_gaps() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft =
        supplier.post("/tenders", &json!({"status": "draft"})).await.expect(201)["data"]["tender"].clone();
    assert_eq!((&draft["status"], &draft["priority"]), (&json!("draft"), &json!("medium")));
    assert_eq!((&draft["visibility"], &draft["organization"]["type"]), (&json!("public"), &json!("private")));
    assert_eq!(draft["organization"]["contactPerson"]["name"], "nimal Perera");
    assert_eq!(draft["organization"]["contactPerson"]["email"], "nimal@example.lk");
    assert_eq!(draft["dates"]["published"], "2026-11-20T00:00:00+05:30");
    assert_eq!(listed(&portal).await, Vec::<String>::new());
    portal.guest().get(&path(&draft)).await.refused(404);
    let refused = supplier.put(&path(&draft), &json!({"status": "published"})).await;
    assert_eq!(refused.refused(422), "Title is required");
}

#[tokio::test]
async fn a_tender_goes_from_draft_to_the_listing_and_out_of_it() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft = create(&supplier, "Chairs", "draft").await;
    assert_eq!(draft.get("publishedAt"), None);
    portal.pass(60);
    let published = supplier.put(&path(&draft), &json!({"status": "published"})).await.expect(200);
    assert_eq!(published["data"]["tender"]["publishedAt"], "2026-11-20T12:01:00+05:30");
    // The answer waited for the index.
    assert_eq!(listed(&portal).await, ["Chairs"]);
    portal.pass(60);
    let edit = json!({"title": "Chairs and tables", "dates": {"closing": "2026-12-15"}});
    supplier.put(&path(&draft), &edit).await.expect(200);
    let seen = portal.guest().get(&path(&draft)).await.expect(200)["data"]["tender"].clone();
    let changes: Vec<_> =
        seen["changes"].as_array().unwrap().iter().map(|c| (&c["field"], &c["from"], &c["to"])).collect();
    assert_eq!(changes.len(), 2, "{changes:?}");
    assert!(changes.contains(&(&json!("title"), &json!("Chairs"), &json!("Chairs and tables"))));
    assert_eq!(seen["publishedAt"], "2026-11-20T12:01:00+05:30", "an edit is no new publication");
    assert_eq!(supplier.delete(&path(&draft)).await.expect(200)["message"], "Tender withdrawn");
    assert_eq!(listed(&portal).await, Vec::<String>::new());
    portal.guest().get(&path(&draft)).await.refused(404);
    supplier.get(&path(&draft)).await.expect(200);
    assert_eq!(
        supplier.put(&path(&draft), &json!({"status": "published"})).await.refused(409),
        "A withdrawn tender cannot become published"
    );
}

#[tokio::test]
async fn a_draft_is_deleted_for_good_and_what_was_closed_stays() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let draft = create(&supplier, "Draft", "draft").await;
    assert_eq!(supplier.delete(&path(&draft)).await.expect(200)["message"], "Tender deleted");
    supplier.get(&path(&draft)).await.refused(404);
    supplier.delete(&path(&draft)).await.refused(404);
    let closed = create(&supplier, "Closed", "published").await;
    supplier.put(&path(&closed), &json!({"status": "closed"})).await.expect(200);
    supplier.delete(&path(&closed)).await.refused(409);
    supplier.put(&path(&closed), &json!({"status": "published"})).await.refused(409);
    assert_eq!(listed(&portal).await, ["Closed"]);
}

#[tokio::test]
async fn only_suppliers_publish_and_only_owners_change() {
    let portal = TestPortal::start().await;
    let (owner, other) = (portal.user("owner", "supplier").await, portal.user("other", "supplier").await);
    let buyer = portal.user("buyer", "buyer").await;
    assert_eq!(
        buyer.post("/tenders", &form("T", "draft")).await.refused(403),
        "Only suppliers can publish tenders"
    );
    portal.guest().post("/tenders", &form("T", "draft")).await.refused(401);
    let (draft, public) =
        (create(&owner, "Draft", "draft").await, create(&owner, "Public", "published").await);
    for client in [&other, &buyer] {
        client.put(&path(&draft), &json!({"title": "Mine"})).await.refused(404);
        client.delete(&path(&draft)).await.refused(404);
        client.put(&path(&public), &json!({"title": "Mine"})).await.refused(403);
        client.delete(&path(&public)).await.refused(403);
    }
    portal.guest().put(&path(&public), &json!({})).await.refused(401);
    portal.guest().delete(&path(&public)).await.refused(401);
    owner.put(&format!("/tenders/{}", Uuid::from_u128(9)), &json!({})).await.refused(404);
}

#[tokio::test]
async fn the_first_failure_is_the_specifications() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let refused = supplier.post("/tenders", &json!({"status": "published"})).await;
    assert_eq!(refused.refused(422), "Title is required");
    // The organisation is the publisher's, who has no company.
    assert_eq!(refused.json()["errors"].as_array().unwrap().len(), 8);
    let mut late = form("T", "published");
    late["dates"]["closing"] = json!("2026-11-20");
    assert_eq!(supplier.post("/tenders", &late).await.refused(422), "Closing date must be in the future");
    for status in ["closed", "withdrawn", "gone"] {
        supplier.post("/tenders", &form("T", status)).await.refused(422);
    }
    for rubbish in [json!([]), json!({"tags": "x"}), json!({"organization": 7}), json!(null)] {
        supplier.post("/tenders", &rubbish).await.refused(422);
    }
}

#[tokio::test]
async fn a_form_sent_twice_makes_one_tender() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    let send = |key: &str| {
        let request = supplier.request(Method::POST, "/tenders").header("Idempotency-Key", key);
        supplier.send(request.json(&form("Once", "published")), Method::POST, "/tenders")
    };
    let key = Uuid::from_u128(5).to_string();
    let (one, other) = tokio::join!(send(&key), send(&key));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    assert_eq!(one.json()["data"]["tender"]["_id"], other.json()["data"]["tender"]["_id"]);
    assert_eq!(listed(&portal).await, ["Once"]);
    send("rubbish").await.refused(422);
}

#[tokio::test]
async fn a_months_quota_cannot_be_overdrawn_and_begins_anew() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("nimal", "supplier").await;
    for nth in 0..2 {
        create(&supplier, &format!("T{nth}"), "published").await;
    }
    let draft = create(&supplier, "Draft", "draft").await;
    // Two at once, one place left.
    let (draft_path, publishing, last) =
        (path(&draft), json!({"status": "published"}), form("Last", "published"));
    let (one, other) = tokio::join!(supplier.put(&draft_path, &publishing), supplier.post("/tenders", &last));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert!(statuses == [200, 403] || statuses == [201, 403], "{statuses:?}");
    let refused = supplier.post("/tenders", &form("More", "published")).await;
    assert_eq!(refused.refused(403), "You have published the 3 tenders that your plan includes this month");
    assert_eq!((&refused.json()["code"], &refused.json()["plan"]), (&json!("quota"), &json!("basic")));
    create(&supplier, "Another draft", "draft").await;
    assert_eq!(listed(&portal).await.len(), 3);
    portal.pass(11 * 24 * 3600);
    let mut later = form("December", "published");
    later["dates"]["closing"] = json!("2027-01-01");
    let (renewed, fresh) = (portal.signed_in("nimal").await, later);
    renewed.post("/tenders", &fresh).await.expect(201);
}
