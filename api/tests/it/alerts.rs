//! Alerts: creating, toggling, testing, previewing and deleting them, their mails, and statistics.

use crate::{
    support::{
        Client, TestPortal,
        mailbox::{find_mail, mails, text as text_of, token},
        wait_for,
    },
    tenders::store,
};
use api::storage::changes;
use axum::http::Method;
use jiff::SignedDuration;
use serde_json::{Value, json};
use std::time::Duration;
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

const PLAN_REQUIRED: &str = "You don't have permission to access email alerts. Please ensure you have an active Professional or Enterprise subscription.";

/// Creates a Professional subscriber with a confirmed address.
pub async fn create_subscriber(portal: &TestPortal, name: &str) -> Client {
    portal.subscriber(name, "supplier", Some("professional")).await
}

pub async fn publish_tender(portal: &TestPortal, title: &str) -> Uuid {
    let mut tender = Tender {
        title: title.into(),
        status: TenderStatus::Published,
        published_at: Some(portal.state.clock.moment()),
        ..Tender::default()
    };
    tender.organization.name = "Department of Works".into();
    tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
    store(portal, tender, None).await
}

/// Waits until the matcher has processed all changes so far.
pub async fn wait_until_matched(portal: &TestPortal) {
    let head = changes::head(&portal.state.db).await.unwrap().position;
    let mut matcher = portal.state.progress.matcher.subscribe();
    let reached = matcher.wait_for(|job| job.position >= head);
    tokio::time::timeout(Duration::from_secs(20), reached).await.unwrap().unwrap();
}

pub async fn save_alert(client: &Client, form: Value) -> Value {
    client.post("/alerts", &form).await.expect(201)["data"]["alert"].clone()
}

fn bridge_alert() -> Value {
    json!({"name": "Bridges", "keywords": [{"term": "bridge"}]})
}

async fn patch(client: &Client, path: &str) -> Value {
    client.send(client.request(Method::PATCH, path), Method::PATCH, path).await.expect(200)
}

pub async fn match_titles(client: &Client, alert: &Value) -> Vec<String> {
    let id = alert["_id"].as_str().unwrap();
    let found = client.get(&format!("/alerts/{id}/matches")).await.expect(200);
    let found = found["data"]["matches"].as_array().unwrap().clone();
    found.iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn alert_can_be_created_read_updated_toggled_and_deleted() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let alert = save_alert(
        &owner,
        json!({
            "name": " Bridges ", "description": "In the South",
            "keywords": [{"term": "bridge", "matchType": "exact"}, {"term": "පාලම"}],
            "categories": ["Construction", "it"], "organizationTypes": ["government"],
            "locations": {"provinces": ["Southern"], "districts": ["Galle"], "cities": ["Weligama"]},
            "estimatedValue": {"min": 1.5, "max": 20, "currency": "USD"},
            "emailSettings": {"frequency": "daily", "dailySummaryTime": "07:30"},
            "advancedFilters": {"excludeKeywords": ["paint"], "maxDaysUntilClosing": 30, "includedPriorities": ["high"]},
        }),
    )
    .await;
    assert_eq!(
        (&alert["name"], &alert["id"], &alert["isActive"]),
        (&json!("Bridges"), &alert["_id"], &json!(true))
    );
    assert_eq!(
        alert["emailSettings"],
        json!({"enabled": true, "frequency": "daily", "customEmail": null, "dailySummaryTime": "07:30"})
    );
    assert_eq!(alert["estimatedValue"], json!({"min": 1.5, "max": 20.0, "currency": "USD"}));
    assert_eq!(alert["categories"], json!(["Construction", "it"]));
    assert_eq!(alert["stats"], json!({"totalMatches": 0, "emailsSent": 0, "lastMatchedAt": null}));
    let path = format!("/alerts/{}", alert["_id"].as_str().unwrap());
    assert_eq!(owner.get(&path).await.expect(200)["data"]["alert"], alert);
    let list = owner.get("/alerts").await.expect(200);
    assert_eq!((&list["data"]["count"], &list["data"]["alerts"]), (&json!(1), &json!([alert])));

    let off = patch(&owner, &format!("{path}/toggle")).await;
    assert_eq!(
        (&off["message"], &off["data"]["alert"]["isActive"]),
        (&json!("Alert deactivated successfully!"), &json!(false))
    );
    // Toggling keeps the query, and an update does not activate the alert.
    assert_eq!(off["data"]["alert"]["keywords"], alert["keywords"]);
    let updated = owner.put(&path, &bridge_alert()).await.expect(200);
    assert_eq!(updated["message"], "Alert configuration updated successfully!");
    assert_eq!(
        (&updated["data"]["alert"]["isActive"], &updated["data"]["alert"]["description"]),
        (&json!(false), &Value::Null)
    );
    let on = patch(&owner, &format!("{path}/toggle")).await;
    assert_eq!(
        (&on["message"], &on["data"]["alert"]["isActive"]),
        (&json!("Alert activated successfully!"), &json!(true))
    );
    assert_eq!(owner.delete(&path).await.expect(200)["message"], "Alert configuration deleted successfully!");
    owner.get(&path).await.expect_error(404);
    assert_eq!(owner.get("/alerts").await.expect(200)["data"]["count"], 0);
}

#[tokio::test]
async fn alerts_require_a_plan_with_alerts() {
    let portal = TestPortal::start().await;
    for plan in [None, Some("basic")] {
        let caller = portal.subscriber(plan.unwrap_or("free"), "supplier", plan).await;
        for reply in [
            caller.get("/alerts").await,
            caller.get("/alerts/stats").await,
            caller.post("/alerts", &bridge_alert()).await,
            caller.post("/alerts/preview", &bridge_alert()).await,
        ] {
            assert_eq!(reply.expect_error(403), PLAN_REQUIRED);
            assert_eq!(
                (&reply.json()["code"], &reply.json()["plan"]),
                (&json!("plan"), &json!("professional"))
            );
        }
    }
    portal.guest().get("/alerts").await.expect_error(401);
    let buyer = portal.subscriber("buyer", "buyer", Some("enterprise")).await;
    let alert = save_alert(&buyer, bridge_alert()).await;
    // After the plan has expired, the alert is locked.
    portal.advance(366 * 24 * 3600);
    let buyer = portal.sign_in("buyer").await;
    assert_eq!(
        buyer.get(&format!("/alerts/{}", alert["_id"].as_str().unwrap())).await.expect_error(403),
        PLAN_REQUIRED
    );
}

#[tokio::test]
async fn invalid_alert_reports_field_errors_and_saves_nothing() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let reply = owner.post("/alerts", &json!({"name": "", "keywords": [{"term": ""}]})).await;
    assert_eq!(reply.expect_error(422), "Alert name is required");
    let fields: Vec<Value> =
        reply.json()["errors"].as_array().unwrap().iter().map(|e| e["field"].clone()).collect();
    assert_eq!(fields, ["name", "keywords[0].term"]);
    for rubbish in [
        json!({"name": "x", "keywords": "bridge"}),
        json!({"name": "x", "keywords": [{"term": "a", "matchType": "regex"}]}),
        json!({"name": "x", "keywords": [{"term": "a"}], "emailSettings": {"frequency": "hourly"}}),
        json!({"name": "x", "keywords": [{"term": "a"}], "estimatedValue": {"min": 1e300}}),
        json!({"name": "x", "keywords": [{"term": "a"}], "categories": ["no such"]}),
        json!([]),
    ] {
        owner.post("/alerts", &rubbish).await.expect_error(422);
    }
    assert_eq!(owner.get("/alerts").await.expect(200)["data"]["count"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn active_alert_matches_later_tenders() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    publish_tender(&portal, "Bridge before").await;
    let alert = save_alert(&owner, bridge_alert()).await;
    let path = format!("/alerts/{}", alert["_id"].as_str().unwrap());
    let first = publish_tender(&portal, "Bridge one").await;
    wait_until_matched(&portal).await;
    patch(&owner, &format!("{path}/toggle")).await;
    publish_tender(&portal, "Bridge two").await;
    patch(&owner, &format!("{path}/toggle")).await;
    portal.advance(1);
    publish_tender(&portal, "Bridge three").await;
    wait_until_matched(&portal).await;
    owner.put(&path, &json!({"name": "Roads", "keywords": [{"term": "road"}]})).await.expect(200);
    publish_tender(&portal, "Bridge four").await;
    wait_until_matched(&portal).await;
    assert_eq!(match_titles(&owner, &alert).await, ["Bridge three", "Bridge one"]);

    // The user marks a match as irrelevant and removes the mark again.
    let mark = format!("{path}/matches/{first}/irrelevance");
    let is_marked = async || {
        let found = owner.get(&format!("{path}/matches")).await.expect(200);
        found["data"]["matches"][1]["isIrrelevant"].clone()
    };
    let put = owner.request(Method::PUT, &mark);
    owner.send(put, Method::PUT, &mark).await.expect(200);
    assert_eq!(is_marked().await, true);
    owner.delete(&mark).await.expect(200);
    assert_eq!(is_marked().await, false);
    let found = owner.get(&format!("{path}/matches?limit=1")).await.expect(200);
    assert_eq!(found["data"]["pagination"]["totalCount"], 2);
    let passage = &found["data"]["matches"][0]["passage"];
    assert_eq!(passage, &json!({"before": "", "hit": "Bridge", "after": " three"}));

    let stats = owner.get("/alerts/stats").await.expect(200)["data"].clone();
    assert_eq!(
        (&stats["totalAlerts"], &stats["activeAlerts"], &stats["totalMatches"]),
        (&json!(1), &json!(1), &json!(2))
    );
    assert_eq!(stats["alertsByFrequency"], json!({"immediate": 1, "daily": 0, "weekly": 0}));
    assert_eq!(stats["recentMatches"][0]["alertName"], "Roads");
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_inside_a_word_come_last_and_each_says_whether_the_company_may_bid() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let owner = create_subscriber(&portal, "nimal").await;
    save_alert(&owner, bridge_alert()).await;
    for title in ["Bridge 1", "Abridged report"] {
        publish_tender(&portal, title).await;
        wait_until_matched(&portal).await;
        portal.advance(1);
    }
    let matches = async || owner.get("/alerts/matches").await.expect(200)["data"]["matches"].clone();
    let found = matches().await;
    assert_eq!((&found[0]["title"], &found[1]["title"]), (&json!("Bridge 1"), &json!("Abridged report")));
    assert_eq!(found[0]["bidAnswer"], Value::Null, "the profile is empty");
    let company = json!({"cida": [{"grade": "C5", "field": "Buildings"}]});
    owner.put("/company", &json!({"company": company, "version": 0})).await.expect(200);
    assert_eq!(matches().await[0]["bidAnswer"], json!({"answer": "not-stated"}));
}

#[tokio::test(flavor = "multi_thread")]
async fn newest_matches_of_all_alerts_are_listed_with_open_tenders_only() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let owner = create_subscriber(&portal, "nimal").await;
    let other = create_subscriber(&portal, "kamala").await;
    let alert = save_alert(&owner, bridge_alert()).await;
    save_alert(&owner, json!({"name": "Hatton", "keywords": [{"term": "hatton"}]})).await;
    let mut ids = Vec::new();
    for nth in 1..=7 {
        ids.push(publish_tender(&portal, &format!("Bridge {nth}")).await);
        wait_until_matched(&portal).await;
        portal.advance(1);
    }
    publish_tender(&portal, "Bridge at Hatton").await;
    wait_until_matched(&portal).await;
    let titles = async |client: &Client| {
        let found = client.get("/alerts/matches").await.expect(200)["data"]["matches"].clone();
        let titles =
            found.as_array().unwrap().iter().map(|found| found["title"].as_str().unwrap().to_owned());
        titles.collect::<Vec<_>>()
    };
    // A tender that two alerts match is listed once.
    let expected = ["Bridge at Hatton", "Bridge 7", "Bridge 6", "Bridge 5", "Bridge 4"];
    assert_eq!(titles(&owner).await, expected);
    let found = owner.get("/alerts/matches").await.expect(200)["data"]["matches"][1].clone();
    assert_eq!(
        (&found["alertId"], &found["alertName"], &found["organization"]),
        (&alert["_id"], &json!("Bridges"), &json!("Department of Works"))
    );
    let irrelevant = format!("/alerts/{}/matches/{}/irrelevance", alert["_id"].as_str().unwrap(), ids[6]);
    let put = owner.request(Method::PUT, &irrelevant);
    owner.send(put, Method::PUT, &irrelevant).await.expect(200);
    assert_eq!(titles(&owner).await[1..], ["Bridge 6", "Bridge 5", "Bridge 4", "Bridge 3"]);
    // What the user has saved, or the team has on its board, is no news.
    owner.put(&format!("/saved/tenders/{}", ids[5]), &json!({})).await.expect(200);
    owner.post("/bids", &json!({"tenderId": ids[4]})).await.expect(201);
    assert_eq!(titles(&owner).await[1..], ["Bridge 4", "Bridge 3", "Bridge 2", "Bridge 1"]);
    assert!(titles(&other).await.is_empty());
    portal.guest().get("/alerts/matches").await.expect_error(401);
    let free = portal.user("sunil", "supplier").await;
    assert_eq!(free.get("/alerts/matches").await.expect_error(403), PLAN_REQUIRED);
    // A tender that has closed is left out.
    portal.advance(1);
    let mut closing = Tender {
        title: "Bridge soon".into(),
        status: TenderStatus::Published,
        published_at: Some(portal.state.clock.moment()),
        ..Tender::default()
    };
    closing.dates.closing = Some(Moment::new(portal.state.clock.now() + SignedDuration::from_mins(30)));
    store(&portal, closing, None).await;
    wait_until_matched(&portal).await;
    assert_eq!(titles(&owner).await[0], "Bridge soon");
    portal.advance(31 * 60);
    assert_eq!(titles(&owner).await[0], "Bridge at Hatton");
}

#[tokio::test(flavor = "multi_thread")]
async fn deleted_alert_drops_collected_matches() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let owner = create_subscriber(&portal, "nimal").await;
    let (gone, kept) = (
        save_alert(&owner, bridge_alert()).await,
        save_alert(&owner, json!({"name": "Kept", "keywords": [{"term": "bridge"}]})).await,
    );
    publish_tender(&portal, "Bridge at Hatton").await;
    wait_until_matched(&portal).await;
    owner.delete(&format!("/alerts/{}", gone["_id"].as_str().unwrap())).await.expect(200);
    portal.advance(60);
    let text = find_mail(&portal, "nimal@example.lk", "Bridge at Hatton").await;
    assert!(text.contains("“Kept”"), "{text}");
    let all = mails(&portal, "nimal@example.lk", 1).await;
    assert!(!all.iter().any(|mail| text_of(mail).contains("“Bridges”")));
    // A mail may arrive before it is recorded as sent.
    wait_for(&portal.state.db, "select count(*) = 1 from delivery where kind = 'alerts' and state = 'sent'")
        .await;
    let path = format!("/alerts/{}", kept["_id"].as_str().unwrap());
    let stats = owner.get(&path).await.expect(200)["data"]["alert"]["stats"].clone();
    assert_eq!((&stats["totalMatches"], &stats["emailsSent"]), (&json!(1), &json!(1)));
}

#[tokio::test(flavor = "multi_thread")]
async fn custom_alert_address_requires_confirmation() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let owner = create_subscriber(&portal, "nimal").await;
    let mut form = bridge_alert();
    form["emailSettings"] = json!({"customEmail": "Office@Perera.lk"});
    let alert = save_alert(&owner, form).await;
    assert_eq!(alert["paused"], "unconfirmed-address");
    let path = format!("/alerts/{}", alert["_id"].as_str().unwrap());
    let test = format!("{path}/send-test-email");
    assert!(owner.post(&test, &json!({})).await.expect_error(409).contains("Office@Perera.lk"));
    publish_tender(&portal, "Bridge before").await;
    wait_until_matched(&portal).await;

    let mail = find_mail(&portal, "Office@Perera.lk", "Confirm this address").await;
    portal.guest().post("/auth/verify-email", &json!({"token": token(&mail)})).await.expect(200);
    assert_eq!(owner.get(&path).await.expect(200)["data"]["alert"]["paused"], Value::Null);
    // Tenders of one second have no order.
    portal.advance(1);
    publish_tender(&portal, "Bridge after").await;
    wait_until_matched(&portal).await;
    assert_eq!(match_titles(&owner, &alert).await, ["Bridge after"]);
    portal.advance(60);
    find_mail(&portal, "Office@Perera.lk", "Bridge after").await;

    portal.wait_until_indexed().await;
    owner.post(&test, &json!({})).await.expect(200);
    let mail = find_mail(&portal, "Office@Perera.lk", "This is a test of your alert “Bridges”").await;
    assert!(
        mail.contains("It matches 2 of the tenders listed today. The newest is “Bridge after”"),
        "{mail}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn alert_test_and_preview_use_existing_tenders() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    for title in ["Bridge at Hatton", "Road to Galle", "Chairs"] {
        portal.advance(24 * 3600);
        publish_tender(&portal, title).await;
    }
    portal.wait_until_indexed().await;
    let owner_again = portal.sign_in("nimal").await;
    let alert = save_alert(&owner_again, bridge_alert()).await;
    let path = format!("/alerts/{}/test", alert["_id"].as_str().unwrap());
    let tried = owner_again.post(&path, &json!({})).await.expect(200);
    assert_eq!(tried["message"], "Found 1 matching tenders out of 3 tested.");
    let tried = owner_again.post(&format!("{path}?limit=1"), &json!({})).await.expect(200);
    assert_eq!(tried["data"], json!({"matchCount": 0, "totalTested": 1}));
    owner_again.post(&format!("{path}?limit=0"), &json!({})).await.expect_error(422);

    // The preview of an unsaved alert shows the matching text and the expected mails per week.
    let form =
        json!({"keywords": [{"term": "road"}, {"term": "bridge"}], "emailSettings": {"frequency": "daily"}});
    let preview = owner_again.post("/alerts/preview", &form).await.expect(200)["data"].clone();
    assert_eq!(
        (&preview["matchCount"], &preview["mailsAWeek"], &preview["noisiest"]),
        (&json!(2), &json!(2.0), &Value::Null)
    );
    let counts = preview["keywords"].as_array().unwrap().iter().map(|one| (&one["term"], &one["count"]));
    assert_eq!(counts.collect::<Vec<_>>(), [(&json!("road"), &json!(1)), (&json!("bridge"), &json!(1))]);
    assert_eq!(preview["matches"][0]["title"], "Road to Galle");
    assert_eq!(preview["matches"][0]["passage"], json!({"before": "", "hit": "Road", "after": " to Galle"}));
    let nothing =
        owner_again.post("/alerts/preview", &json!({"keywords": [{"term": "zebra"}]})).await.expect(200);
    assert_eq!((&nothing["data"]["matchCount"], &nothing["data"]["mailsAWeek"]), (&json!(0), &json!(0.0)));
    drop(owner);
}

#[tokio::test]
async fn idempotency_key_prevents_a_second_alert() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let send = async |client: &Client, key: &str, form: &Value| {
        let request = client.request(Method::POST, "/alerts").header("idempotency-key", key).json(form);
        client.send(request, Method::POST, "/alerts").await
    };
    let key = Uuid::from_u128(7).to_string();
    // A double click sends two concurrent requests with the same key.
    let form = bridge_alert();
    let both = tokio::join!(send(&owner, &key, &form), send(&owner, &key, &form));
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 201]);
    assert_eq!(both.0.json(), both.1.json());
    assert_eq!(owner.get("/alerts").await.expect(200)["data"]["count"], 1);
    // Idempotency keys are per user. A request without a key always creates an alert.
    let other = create_subscriber(&portal, "kamala").await;
    send(&other, &key, &form).await.expect(201);
    save_alert(&owner, bridge_alert()).await;
    assert_eq!(owner.get("/alerts").await.expect(200)["data"]["count"], 2);

    let changed = json!({"name": "Bridges", "keywords": [{"term": "bridge", "matchType": "exact"}]});
    assert_eq!(
        send(&owner, &key, &changed).await.expect_error(422),
        "This alert was saved before you changed the form. Open it in the list to change it."
    );
    send(&owner, "seven", &form).await.expect_error(422);
    // The key of a refused request can be used again.
    let second = Uuid::from_u128(8).to_string();
    send(&owner, &second, &json!({"name": "Bridges"})).await.expect_error(422);
    send(&owner, &second, &form).await.expect(201);

    // The response to a repeated request has the alert's current version, not its first one.
    let made = both.0.json()["data"]["alert"]["_id"].as_str().unwrap().to_owned();
    owner
        .put(
            &format!("/alerts/{made}"),
            &json!({"name": "Bridges and piers", "keywords": [{"term": "pier"}]}),
        )
        .await
        .expect(200);
    assert_eq!(send(&owner, &key, &form).await.expect(200)["data"]["alert"]["name"], "Bridges and piers");
    owner.delete(&format!("/alerts/{made}")).await.expect(200);
    send(&owner, &key, &form).await.expect_error(404);
}

#[tokio::test]
async fn preview_offers_keyword_translations() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    for (term, languages) in [("bridge", ["si", "ta"]), ("පාලම", ["en", "ta"]), ("பாலம்", ["en", "si"])]
    {
        let form = json!({"keywords": [{"term": term}]});
        let offered =
            owner.post("/alerts/preview", &form).await.expect(200)["data"]["keywords"][0]["equivalents"]
                .clone();
        let offered = offered.as_array().unwrap();
        let mut found: Vec<&str> = offered.iter().map(|one| one["language"].as_str().unwrap()).collect();
        found.dedup();
        assert_eq!(found, languages, "{term}: {offered:?}");
        // Adding an offered equivalent as a keyword removes the offer.
        let mut keywords = vec![json!({"term": term})];
        keywords.extend(offered.iter().map(|one| one["keyword"].clone()));
        let taken = owner.post("/alerts/preview", &json!({"keywords": &keywords})).await.expect(200);
        for keyword in taken["data"]["keywords"].as_array().unwrap() {
            for again in keyword["equivalents"].as_array().unwrap() {
                assert!(!keywords.contains(&again["keyword"]), "{again} is a keyword already");
            }
        }
    }
}

#[tokio::test]
async fn previews_are_rate_limited_per_user() {
    let portal = TestPortal::start().await;
    let (owner, other) =
        (create_subscriber(&portal, "nimal").await, create_subscriber(&portal, "kamala").await);
    for _ in 0..portal.state.config.limits.previews_a_minute.get() {
        owner.post("/alerts/preview", &bridge_alert()).await.expect(200);
    }
    let refused = owner.post("/alerts/preview", &bridge_alert()).await;
    assert!(refused.headers.contains_key("retry-after"));
    refused.expect_error(429);
    // The limit applies only to previews, and separately to each user.
    save_alert(&owner, bridge_alert()).await;
    other.post("/alerts/preview", &bridge_alert()).await.expect(200);
    portal.advance(60);
    owner.post("/alerts/preview", &bridge_alert()).await.expect(200);
}

#[tokio::test(flavor = "multi_thread")]
async fn alert_statistics_count_by_day_and_week() {
    let portal = TestPortal::start().await;
    let owner = create_subscriber(&portal, "nimal").await;
    let empty = owner.get("/alerts/stats").await.expect(200)["data"]["history"].clone();
    assert_eq!(
        (&empty["days"].as_array().unwrap().len(), &empty["weeks"].as_array().unwrap().len()),
        (&90, &13)
    );
    assert_eq!(empty["alerts"], json!([]));

    let bridges = save_alert(&owner, bridge_alert()).await;
    let works = json!({"name": "Works", "keywords": [{"term": "bridge"}, {"term": "road"}]});
    let works = save_alert(&owner, works).await;
    for title in ["Bridge at Hatton", "Road to Galle"] {
        publish_tender(&portal, title).await;
    }
    wait_until_matched(&portal).await;
    portal.advance(60);
    find_mail(&portal, "nimal@example.lk", "Bridge at Hatton").await;
    find_mail(&portal, "nimal@example.lk", "Road to Galle").await;
    // A mail may arrive before it is recorded as sent.
    wait_for(
        &portal.state.db,
        "select count(*) > 0 and bool_and(state = 'sent') from delivery where kind = 'alerts'",
    )
    .await;
    let today = portal.state.clock.moment().day();

    let read = async || {
        let owner = portal.sign_in("nimal").await;
        owner.get("/alerts/stats").await.expect(200)["data"].clone()
    };
    let stats = read().await;
    let history = &stats["history"];
    assert_eq!(history["days"][89], json!({"day": today.to_string(), "matches": 3}));
    let sum = |list: &Value, key: &str| -> i64 {
        list.as_array().unwrap().iter().map(|one| one[key].as_i64().unwrap()).sum()
    };
    assert_eq!(sum(&history["days"], "matches"), 3);
    assert_eq!(sum(&history["weeks"], "mails"), history["weeks"][12]["mails"].as_i64().unwrap());
    assert!(history["weeks"][12]["mails"].as_i64().unwrap() >= 1, "{history}");
    assert_eq!(
        history["alerts"],
        json!([
            {"_id": works["_id"], "name": "Works", "matches": 2},
            {"_id": bridges["_id"], "name": "Bridges", "matches": 1},
        ])
    );
    // Two days later, the count is two days further back in the history. After 90 days it leaves
    // the history, but still counts in the total.
    portal.advance(2 * 24 * 3600);
    assert_eq!(read().await["history"]["days"][87], json!({"day": today.to_string(), "matches": 3}));
    portal.advance(88 * 24 * 3600);
    let later = read().await;
    assert_eq!((&later["totalMatches"], &later["history"]["alerts"]), (&json!(3), &json!([])));
    assert_eq!(sum(&later["history"]["days"], "matches"), 0);
}
