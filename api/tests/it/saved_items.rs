//! Saved tenders, saved searches, and feeds.

use crate::support::{Client, TestPortal, publishing::store_sample_tender};
use axum::http::{Method, header};
use serde_json::{Value, json};
use tender_model::vocabulary::Visibility;
use uuid::Uuid;

fn listed_titles(list: &Value) -> Vec<&str> {
    list["data"]["tenders"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tender| tender["title"].as_str().unwrap())
        .collect()
}

async fn save_search(client: &Client, name: &str, query: &str) -> Value {
    let form = json!({"name": name, "query": query});
    client.post("/saved/searches", &form).await.expect(201)["data"]["search"].clone()
}

/// Returns the path of a saved search's feed, without `/api`.
fn feed_path(search: &Value) -> String {
    search["feedUrl"].as_str().unwrap().split_once("/api").unwrap().1.to_owned()
}

#[tokio::test]
async fn saved_tenders_require_a_plan_and_belong_to_one_user() {
    let portal = TestPortal::start().await;
    let (road, chairs) = (
        store_sample_tender(&portal, "Road", |_| {}).await,
        store_sample_tender(&portal, "Chairs", |_| {}).await,
    );
    let nothing = json!({});
    let nimal = portal.subscriber("nimal", "supplier", Some("professional")).await;
    for id in [road, road, chairs] {
        portal.advance(1);
        nimal.put(&format!("/saved/tenders/{id}"), &nothing).await.expect(200);
    }
    let kept = nimal.get("/saved/tenders").await.expect(200);
    assert_eq!(
        (listed_titles(&kept), &kept["data"]["pagination"]["totalCount"]),
        (vec!["Chairs", "Road"], &json!(2))
    );
    let second = nimal.get("/saved/tenders?page=2&limit=1").await.expect(200);
    assert_eq!(listed_titles(&second), ["Road"]);
    portal.wait_until_indexed().await;
    let list = nimal.get("/tenders?search=road").await.expect(200);
    assert_eq!(list["data"]["saved"], json!([road]));
    assert_eq!(nimal.get(&format!("/tenders/{road}")).await.expect(200)["data"]["isSaved"], true);

    // Other users can't see or remove these saved tenders, and guests can't save any.
    let kamala = portal.user("kamala", "buyer").await;
    let refused = kamala.put(&format!("/saved/tenders/{road}"), &nothing).await.expect(403);
    assert_eq!((&refused["code"], &refused["plan"]), (&json!("plan"), &json!("professional")));
    kamala.delete(&format!("/saved/tenders/{road}")).await.expect(200);
    assert_eq!(listed_titles(&kamala.get("/saved/tenders").await.expect(200)), Vec::<&str>::new());
    assert_eq!(kamala.get(&format!("/tenders/{road}")).await.expect(200)["data"]["isSaved"], false);
    portal.guest().put(&format!("/saved/tenders/{road}"), &nothing).await.expect_error(401);
    nimal.put(&format!("/saved/tenders/{}", Uuid::nil()), &nothing).await.expect_error(404);
    nimal.put("/saved/tenders/x", &nothing).await.expect_error(422);

    for _ in 0..2 {
        nimal.delete(&format!("/saved/tenders/{chairs}")).await.expect(200);
    }
    assert_eq!(listed_titles(&nimal.get("/saved/tenders").await.expect(200)), ["Road"]);
}

#[tokio::test]
async fn saved_tenders_can_be_listed_by_closing_and_tell_what_the_company_may_bid_for() {
    let portal = TestPortal::start().await;
    let nimal = portal.subscriber("nimal", "supplier", Some("professional")).await;
    for (title, closing) in [
        ("Undated", None),
        ("Later", Some("2026-12-24T14:00:00+05:30")),
        ("Long closed", Some("2026-11-01T14:00:00+05:30")),
        ("Sooner", Some("2026-12-01T14:00:00+05:30")),
        ("Just closed", Some("2026-11-19T14:00:00+05:30")),
    ] {
        let id = store_sample_tender(&portal, title, |tender| {
            tender.dates.closing = closing.map(|closing| closing.parse().unwrap());
            let asked = (title == "Later").then(|| json!({"grade": "C1", "field": "Buildings"}));
            tender.cida = asked.map(|asked| serde_json::from_value(asked).unwrap()).into_iter().collect();
        })
        .await;
        portal.advance(1);
        nimal.put(&format!("/saved/tenders/{id}"), &json!({})).await.expect(200);
    }
    let by_closing = nimal.get("/saved/tenders?sort=closing").await.expect(200);
    assert_eq!(listed_titles(&by_closing), ["Sooner", "Later", "Undated", "Just closed", "Long closed"]);
    assert_eq!(by_closing["data"].get("bidAnswers"), None, "the profile is empty");
    let second = nimal.get("/saved/tenders?sort=closing&page=2&limit=2").await.expect(200);
    assert_eq!(listed_titles(&second), ["Undated", "Just closed"]);
    let newest = nimal.get("/saved/tenders?limit=1&sort=saved").await.expect(200);
    assert_eq!(listed_titles(&newest), ["Just closed"]);
    nimal.get("/saved/tenders?sort=title").await.expect_error(422);

    let company = json!({"cida": [{"grade": "C5", "field": "Buildings"}]});
    nimal.put("/company", &json!({"company": company, "version": 0})).await.expect(200);
    let told =
        nimal.get("/saved/tenders?sort=closing&limit=2").await.expect(200)["data"]["bidAnswers"].clone();
    assert_eq!((&told[0]["answer"], &told[1]["answer"]), (&json!("not-stated"), &json!("missing")));
    assert!(told[1]["first"].is_object(), "the missing requirement is told: {told}");
}

#[tokio::test]
async fn withdrawn_saved_tenders_are_hidden_and_locked_ones_show_a_stub() {
    let portal = TestPortal::start().await;
    let supplier = portal.user("ruwan", "supplier").await;
    let form = json!({"title": "Chairs", "description": "Many.", "referenceNo": "S/1", "category": "Furniture",
        "status": "published", "organization": {"name": "Abans"}, "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2026-12-01"}});
    let made = supplier.post("/tenders", &form).await.expect(201);
    let chairs = made["data"]["tender"]["_id"].as_str().unwrap().to_owned();
    let locked =
        store_sample_tender(&portal, "Bridge", |tender| tender.visibility = Visibility::Premium).await;
    let nimal = portal.subscriber("nimal", "supplier", Some("professional")).await;
    for id in [chairs.clone(), locked.to_string()] {
        nimal.put(&format!("/saved/tenders/{id}"), &json!({})).await.expect(200);
    }
    supplier.delete(&format!("/tenders/{chairs}")).await.expect(200);
    assert_eq!(listed_titles(&nimal.get("/saved/tenders").await.expect(200)), ["Bridge"]);
    // After the plan ends, the tender is still listed, but locked.
    portal.advance(366 * 24 * 3600);
    let nimal = portal.sign_in("nimal").await;
    let kept = nimal.get("/saved/tenders").await.expect(200);
    assert_eq!(kept["data"]["tenders"][0]["locked"]["reason"], "visibility");
    assert_eq!(kept["data"]["tenders"][0].get("referenceNo"), None);
    nimal.delete(&format!("/saved/tenders/{locked}")).await.expect(200);
}

#[tokio::test]
async fn saved_searches_are_limited_by_plan() {
    let portal = TestPortal::start().await;
    let nimal = portal.user("nimal", "supplier").await;
    let first =
        save_search(&nimal, " Roads ", "page=3&search=road%20works&isLive=true&limit=50&category=").await;
    assert_eq!((&first["name"], &first["query"]), (&json!("Roads"), &json!("isLive=true&search=road+works")));
    for nth in 2..=3 {
        save_search(&nimal, &format!("Number {nth}"), "").await;
    }
    let form = json!({"name": "One more", "query": ""});
    let refused = nimal.post("/saved/searches", &form).await.expect(403);
    assert_eq!((&refused["code"], &refused["plan"]), (&json!("quota"), &json!("basic")));
    assert_eq!(refused["message"], "You have saved the 3 searches that your plan includes");
    let path = format!("/saved/searches/{}", first["_id"].as_str().unwrap());
    nimal.delete(&path).await.expect(200);
    nimal.delete(&path).await.expect_error(404);
    // Of several parallel requests, only one saves the last search that the plan allows.
    let at_once = futures::future::join_all((0..6).map(|_| nimal.post("/saved/searches", &form))).await;
    assert_eq!(at_once.iter().filter(|reply| reply.status == 201).count(), 1);
    let list = nimal.get("/saved/searches").await.expect(200);
    assert_eq!((list["data"]["searches"].as_array().unwrap().len(), &list["data"]["quota"]), (3, &json!(3)));

    let unlimited = portal.subscriber("kamala", "supplier", Some("enterprise")).await;
    assert_eq!(unlimited.get("/saved/searches").await.expect(200)["data"]["quota"], Value::Null);
    save_search(&unlimited, "Matara", "districts=Matara|Galle&minValue=2.5").await;
}

#[tokio::test]
async fn invalid_search_is_refused() {
    let portal = TestPortal::start().await;
    let nimal = portal.user("nimal", "supplier").await;
    for (name, query, status, message) in [
        ("", "", 422, "Name is required"),
        (" \u{7} ", "", 422, "Name must not contain control characters"),
        ("  ", "", 422, "Name is required"),
        (&*"x".repeat(101), "", 422, "Name must be at most 100 characters"),
        ("a", "shape=round", 422, "There is no field shape"),
        ("a", "isLive=maybe", 422, "isLive"),
        ("a", "isLive=true&isClosed=true", 422, "at most one"),
        ("a", "kinds=sale", 403, "Professional"),
        ("a", &*"search=x&".repeat(2000), 400, "query string"),
    ] {
        let refused = nimal.post("/saved/searches", &json!({"name": name, "query": query})).await;
        let error = refused.expect_error(status);
        assert!(error.contains(message), "{name} {query}: {error}");
    }
    nimal.post("/saved/searches", &json!({"name": "a"})).await.expect_error(422);
    nimal.post("/saved/searches", &json!({"name": "a", "query": "", "userId": "x"})).await.expect_error(422);
}

#[tokio::test]
async fn feed_shows_what_its_owner_sees() {
    let portal = TestPortal::start().await;
    store_sample_tender(&portal, "Road & <bridge> works\u{1}", |tender| {
        tender.description = "Carpet \"A12\" ]]> & more".into();
        tender.reference_no = Some("RDA/1".into());
    })
    .await;
    store_sample_tender(&portal, "Road for subscribers", |tender| {
        tender.visibility = Visibility::Premium;
        tender.reference_no = Some("SECRET/1".into());
        tender.published_at = "2026-11-20T09:00:00+05:30".parse().ok();
    })
    .await;
    store_sample_tender(&portal, "Chairs", |_| {}).await;
    portal.wait_until_indexed().await;
    let nimal = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let search = save_search(&nimal, "My <roads>", "search=road").await;
    let path = feed_path(&search);
    let guest = portal.guest();
    let feed = guest.get(&path).await;
    assert_eq!(
        (feed.status.as_u16(), feed.header("content-type")),
        (200, "application/atom+xml; charset=utf-8")
    );
    let text = feed.text();
    for part in [
        "<title>My &#60;roads&#62;</title>",
        "<title>Road &#38; &#60;bridge&#62; works</title>",
        "<summary>Closes Sun 20 Dec 2026, 2.00 p.m. · Reference RDA/1 · Carpet &#34;A12&#34; ]]&#62; &#38; more</summary>",
        "Reference SECRET/1<",
        "<name>Department of Works</name>",
        "<updated>2026-11-20T09:00:00+05:30</updated>",
        "/tenders?search=road\"",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(!text.contains("Chairs") && !text.contains('\u{1}'), "{text}");
    assert!(text.find("Road for subscribers") < text.find("bridge"), "the newest tender is first");

    // A request for unchanged content gets 304.
    let request = guest.request(Method::GET, &path).header(header::IF_NONE_MATCH, feed.header("etag"));
    assert_eq!(guest.send(request, Method::GET, &path).await.status, 304);

    // The public feed shows what guests see: locked tenders without their reference.
    let open = guest.get("/feeds/tenders?search=road&page=2&isLive=true").await.text();
    assert!(open.contains("Road for subscribers") && !open.contains("SECRET/1"), "{open}");
    assert!(open.contains("/tenders?search=road&#38;page=2&#38;show=live\""), "{open}");
    guest.get("/feeds/tenders?kinds=sale").await.expect_error(403);
    guest.get("/feeds/tenders?shape=round").await.expect_error(422);

    // A new URL invalidates the old one. A deleted search has no feed.
    let own = format!("/saved/searches/{}", search["_id"].as_str().unwrap());
    let changed = nimal.put(&own, &json!({"renewFeed": true, "name": "Roads"})).await.expect(200);
    let renewed = feed_path(&changed["data"]["search"]);
    assert_ne!(renewed, path);
    guest.get(&path).await.expect_error(404);
    assert!(guest.get(&renewed).await.text().contains("<title>Roads</title>"));
    let kamala = portal.user("kamala", "supplier").await;
    kamala.put(&own, &json!({"name": "Mine"})).await.expect_error(404);
    kamala.delete(&own).await.expect_error(404);
    nimal.delete(&own).await.expect(200);
    guest.get(&renewed).await.expect_error(404);
    for rubbish in ["x", "%00", &"a".repeat(43), &"a".repeat(4000)] {
        guest.get(&format!("/feeds/saved/{rubbish}")).await.expect_error(404);
    }
}
