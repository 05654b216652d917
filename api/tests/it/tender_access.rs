//! What each user may see: visibility, archive, quotas, and clips.

use crate::{
    support::{Client, TestPortal},
    tenders::store,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use tender_model::{
    tender::Tender,
    vocabulary::{TenderStatus, Visibility},
};
use uuid::Uuid;

/// Returns a tender whose title states its visibility and publication time.
fn tender(visibility: Visibility, published: &str) -> Tender {
    let mut tender = Tender {
        title: format!("{visibility} {published}"),
        status: TenderStatus::Published,
        visibility,
        published_at: Some(published.parse().unwrap()),
        description: "Secret.".into(),
        ..Tender::default()
    };
    tender.organization.name = "Department of Buildings".into();
    tender.organization.contact_person.phone = Some("011 212 3456".into());
    tender.dates.closing = Some("2026-12-20T14:00:00+05:30".parse().unwrap());
    tender
}

const YESTERDAY: &str = "2026-11-19T09:00:00+05:30";
const MONTHS_AGO: &str = "2026-08-01T09:00:00+05:30";
const YEARS_AGO: &str = "2024-01-01T09:00:00+05:30";

/// Returns `open` for each title, or the reason why the tender is locked and the plan that unlocks
/// it. Checks that listing and details agree.
async fn visible_tenders(client: &Client) -> BTreeMap<String, String> {
    let list = client.get("/tenders?limit=50").await.expect(200);
    let mut visible = BTreeMap::new();
    for listed in list["data"]["tenders"].as_array().unwrap() {
        let access = match listed.get("locked") {
            None => "open".to_owned(),
            Some(locked) => {
                format!("{} {}", locked["reason"].as_str().unwrap(), locked["plan"].as_str().unwrap())
            }
        };
        let details = client.get(&format!("/tenders/{}", listed["_id"].as_str().unwrap())).await;
        if access == "open" {
            assert_eq!(details.expect(200)["data"]["tender"]["description"], "Secret.");
        } else {
            let refused = details.expect(403);
            assert_eq!(&refused["tender"], listed, "listing and details have the same stub");
            assert_eq!(refused["plan"], listed["locked"]["plan"]);
            assert!(!refused.to_string().contains("Secret"), "{refused}");
        }
        visible.insert(listed["title"].as_str().unwrap().to_owned(), access);
    }
    visible
}

#[tokio::test]
async fn plan_visibility_is_the_same_in_listing_and_details() {
    let portal = TestPortal::start().await;
    let owner = portal.user("owner", "supplier").await;
    let owner_id: Uuid =
        owner.get("/auth/me").await.expect(200)["data"]["user"]["_id"].as_str().unwrap().parse().unwrap();
    for visibility in [Visibility::Public, Visibility::Registered, Visibility::Premium] {
        for published in [YESTERDAY, MONTHS_AGO, YEARS_AGO] {
            store(&portal, tender(visibility, published), Some(owner_id)).await;
        }
    }
    portal.wait_until_indexed().await;
    let expected = |rows: [[&str; 3]; 3]| -> BTreeMap<String, String> {
        let visibilities = ["public", "registered", "premium"];
        let named = visibilities.iter().zip(rows).flat_map(|(visibility, row)| {
            [YESTERDAY, MONTHS_AGO, YEARS_AGO]
                .into_iter()
                .zip(row)
                .map(move |(at, access)| (format!("{visibility} {at}"), access.to_owned()))
        });
        named.collect()
    };
    let (month, year) = ("archive professional", "archive enterprise");
    assert_eq!(
        visible_tenders(&portal.guest()).await,
        expected([
            ["open", month, year],
            ["visibility free", "visibility professional", "visibility enterprise"],
            ["visibility professional", "visibility professional", "visibility enterprise"],
        ])
    );
    for (name, plan) in [("free", None), ("basic", Some("basic"))] {
        let reader = portal.subscriber(name, "buyer", plan).await;
        assert_eq!(
            visible_tenders(&reader).await,
            expected([
                ["open", month, year],
                ["open", month, year],
                ["visibility professional", "visibility professional", "visibility enterprise"],
            ]),
            "{name}"
        );
    }
    let professional = portal.subscriber("professional", "buyer", Some("professional")).await;
    assert_eq!(visible_tenders(&professional).await, expected([["open", "open", year]; 3]));
    let enterprise = portal.subscriber("enterprise", "buyer", Some("enterprise")).await;
    let everything = expected([["open"; 3]; 3]);
    assert_eq!(visible_tenders(&enterprise).await, everything);
    assert_eq!(visible_tenders(&owner).await, everything, "own tenders are never locked");
}

#[tokio::test]
async fn search_finds_locked_tenders_by_public_fields_only() {
    let portal = TestPortal::start().await;
    store(&portal, tender(Visibility::Premium, YESTERDAY), None).await;
    portal.wait_until_indexed().await;
    let guest = portal.guest();
    let list = guest.get("/tenders").await.expect(200);
    let stub = list["data"]["tenders"][0].as_object().unwrap();
    assert_eq!(stub.keys().collect::<Vec<_>>(), ["_id", "dates", "locked", "organization", "title"]);
    assert_eq!(stub["organization"], json!({"name": "Department of Buildings"}));
    let count = |reply: Value| reply["data"]["pagination"]["totalCount"].as_u64().unwrap();
    assert_eq!(count(guest.get("/tenders?search=buildings").await.expect(200)), 1);
    assert_eq!(count(guest.get("/tenders?search=secret").await.expect(200)), 0);
    let stats = guest.get("/tenders/stats").await.expect(200);
    assert_eq!(stats["data"]["totalTenders"], 1, "locked tenders are counted");
}

#[tokio::test]
async fn free_plan_opens_ten_tenders_a_month() {
    let portal = TestPortal::start().await;
    let mut paths = Vec::new();
    for nth in 0..12 {
        let id = store(
            &portal,
            Tender { title: format!("T{nth}"), ..tender(Visibility::Public, YESTERDAY) },
            None,
        )
        .await;
        paths.push(format!("/tenders/{id}"));
    }
    let reader = portal.user("reader", "buyer").await;
    for path in paths[..9].iter().chain(&paths[..9]) {
        reader.get(path).await.expect(200);
    }
    // Two requests compete for the last tender that the plan allows.
    let (one, other) = tokio::join!(reader.get(&paths[9]), reader.get(&paths[10]));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 403]);
    let refused = reader.get(&paths[11]).await;
    assert_eq!(
        refused.expect_error(403),
        "You have opened the 10 tenders that your plan includes this month"
    );
    assert_eq!((&refused.json()["code"], &refused.json()["plan"]), (&json!("quota"), &json!("basic")));
    reader.get(&paths[0]).await.expect(200);
    let seen = portal.user("other", "buyer").await.get(&paths[0]).await.expect(200);
    assert_eq!(seen["data"]["tender"]["statistics"]["views"], 2);
    portal.advance(11 * 24 * 3600);
    portal.sign_in("reader").await.get(&paths[11]).await.expect(200);
}

#[tokio::test]
async fn guest_opens_three_tenders_a_month() {
    let portal = TestPortal::start_with(&["--guest-details-a-day", "8"]).await;
    let mut paths = Vec::new();
    for nth in 0..5 {
        let id = store(
            &portal,
            Tender { title: format!("T{nth}"), ..tender(Visibility::Public, YESTERDAY) },
            None,
        )
        .await;
        paths.push(format!("/tenders/{id}"));
    }
    let first = portal.guest().get(&paths[0]).await;
    first.expect(200);
    let cookie = first.header("set-cookie").split(';').next().unwrap().to_owned();
    assert!(first.header("set-cookie").contains("HttpOnly; SameSite=Lax"), "{}", first.header("set-cookie"));
    let browser = portal.guest().with_cookie(&cookie);
    for path in &paths[..3] {
        let reply = browser.get(path).await;
        reply.expect(200);
        assert_eq!(reply.header("set-cookie"), "");
    }
    let refused = browser.get(&paths[3]).await;
    assert_eq!((&refused.expect(403)["code"], &refused.json()["plan"]), (&json!("quota"), &json!("free")));
    // A forged cookie counts as a new guest.
    let forged = format!("guest={}.{}", Uuid::nil().simple(), cookie.rsplit('.').next().unwrap());
    let reply = portal.guest().with_cookie(&forged).get(&paths[3]).await;
    reply.expect(200);
    assert_ne!(reply.header("set-cookie"), "");
    // Requests without cookies are limited by IP address.
    for _ in 0..2 {
        portal.guest().get(&paths[4]).await.expect(200);
    }
    portal.guest().get(&paths[4]).await.expect_error(429);
    portal.user("reader", "buyer").await.get(&paths[4]).await.expect(200);
}

#[tokio::test]
async fn clip_url_is_signed_and_expires() {
    let portal = TestPortal::start().await;
    let operator = portal.operator().await;
    crate::ingest::publish_notice(&operator).await;
    portal.wait_until_indexed().await;
    let list = portal.guest().get("/tenders").await.expect(200);
    let listed = &list["data"]["tenders"][0];
    assert_eq!(listed["sources"][0].get("clipUrl"), None);
    let details =
        portal.guest().get(&format!("/tenders/{}", listed["_id"].as_str().unwrap())).await.expect(200);
    let address = details["data"]["tender"]["sources"][0]["clipUrl"].as_str().unwrap().to_owned();
    let get = async |address: &str| portal.guest().get(address.strip_prefix("/api").unwrap()).await;
    assert_eq!(get(&address).await.status, 200);
    let (bare, query) = address.split_once('?').unwrap();
    assert_eq!(get(bare).await.status, 422);
    assert_eq!(
        get(&format!("{bare}?until=99999999999&{}", query.split_once('&').unwrap().1)).await.status,
        404
    );
    assert_eq!(get(&address[..address.len() - 1]).await.status, 404);
    portal.advance(35 * 3600);
    assert_eq!(get(&address).await.status, 200);
    portal.advance(3600);
    assert_eq!(get(&address).await.status, 404);
}
