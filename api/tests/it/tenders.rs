//! Tender details and a publisher's own list.

use crate::support::TestPortal;
use api::storage::{self, changes, tenders};
use serde_json::json;
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

/// Stores a tender under a new id, with or without an owner. Returns the id.
pub async fn store(portal: &TestPortal, tender: Tender, owner: Option<Uuid>) -> Uuid {
    let state = &portal.state;
    let tender = Tender { id: state.random.id(&state.clock), ..tender };
    let mut tx = storage::begin(&state.db).await.unwrap();
    let revision = tenders::insert(&mut tx, &tender, owner, state.clock.now()).await.unwrap();
    changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    tender.id
}

fn tender(title: &str, status: TenderStatus) -> Tender {
    let mut tender = Tender { title: title.into(), status, ..Tender::default() };
    tender.organization.name = "Department of Buildings".into();
    tender.organization.contact_person.phone = Some("011 212 3456".into());
    tender.dates.closing = Some("2026-11-20T14:00:00+05:30".parse().unwrap());
    tender.full_text_markdown = "Bids are invited.".into();
    tender
}

async fn user_id(client: &crate::support::Client) -> Uuid {
    let me = client.get("/auth/me").await.expect(200);
    me["data"]["user"]["_id"].as_str().unwrap().parse().unwrap()
}

#[tokio::test]
async fn tender_details_include_computed_fields() {
    let portal = TestPortal::start().await;
    let id = store(&portal, tender("Roof repairs", TenderStatus::Published), None).await;
    let path = format!("/tenders/{id}");
    let guest = portal.guest().get(&path).await.expect(200)["data"]["tender"].clone();
    assert_eq!(
        (&guest["title"], &guest["fullTextMarkdown"]),
        (&json!("Roof repairs"), &json!("Bids are invited."))
    );
    assert_eq!((&guest["isClosingToday"], &guest["isExpired"]), (&json!(true), &json!(false)));
    assert_eq!(guest["statistics"], json!({"views": 1, "downloads": 0, "applications": 0}));
    assert_eq!(guest["organization"]["contactPerson"], json!({}));
    let user = portal.user("nimal", "buyer").await.get(&path).await.expect(200);
    assert_eq!(user["data"]["tender"]["organization"]["contactPerson"]["phone"], "011 212 3456");
    portal.advance(2 * 3600 + 1);
    let later = portal.guest().get(&path).await.expect(200);
    assert_eq!(later["data"]["tender"]["isExpired"], true);
}

#[tokio::test]
async fn drafts_and_withdrawn_tenders_are_visible_to_owners_only() {
    let portal = TestPortal::start().await;
    let (owner, other) = (portal.user("owner", "supplier").await, portal.user("other", "supplier").await);
    let owner_id = user_id(&owner).await;
    for status in [TenderStatus::Draft, TenderStatus::Withdrawn] {
        let id = store(&portal, tender("Hidden", status), Some(owner_id)).await;
        let path = format!("/tenders/{id}");
        assert_eq!(portal.guest().get(&path).await.expect_error(404), "Tender not found");
        other.get(&path).await.expect_error(404);
        owner.get(&path).await.expect(200);
    }
}

#[tokio::test]
async fn unknown_tender_is_not_found() {
    let portal = TestPortal::start().await;
    portal.guest().get(&format!("/tenders/{}", Uuid::from_u128(7))).await.expect_error(404);
    for rubbish in ["x", "%00", "..%2f", "'%20or%20true"] {
        portal.guest().get(&format!("/tenders/{rubbish}")).await.expect_error(422);
    }
    let stale = portal.guest().with_token("rubbish");
    stale.get(&format!("/tenders/{}", Uuid::from_u128(7))).await.expect_error(401);
}

#[tokio::test]
async fn own_tenders_are_listed_newest_first() {
    let portal = TestPortal::start().await;
    let (owner, other) = (portal.user("owner", "supplier").await, portal.user("other", "supplier").await);
    let owner_id = user_id(&owner).await;
    for (title, status) in [
        ("First", TenderStatus::Published),
        ("Second", TenderStatus::Draft),
        ("Gone", TenderStatus::Withdrawn),
        ("Third", TenderStatus::Closed),
    ] {
        store(&portal, tender(title, status), Some(owner_id)).await;
        portal.advance(60);
    }
    let titles = |reply: &serde_json::Value| -> Vec<String> {
        reply["data"]["tenders"]
            .as_array()
            .unwrap()
            .iter()
            .map(|t| t["title"].as_str().unwrap().to_owned())
            .collect()
    };
    let all = owner.get("/tenders/user/my-tenders").await.expect(200);
    assert_eq!(titles(&all), ["Third", "Gone", "Second", "First"]);
    assert_eq!(all["data"]["items"], all["data"]["tenders"]);
    assert_eq!(all["data"]["counts"], json!({"all": 4, "live": 1, "draft": 1, "closed": 2}));
    let closed = owner.get("/tenders/user/my-tenders?isClosed=true").await.expect(200);
    assert_eq!(titles(&closed), ["Third", "Gone"]);
    let second = owner.get("/tenders/user/my-tenders?page=2&limit=3").await.expect(200);
    assert_eq!(titles(&second), ["First"]);
    assert_eq!(
        second["data"]["pagination"],
        json!({"current": 2, "total": 2, "totalCount": 4, "hasPrev": true, "hasNext": false})
    );
    let none = other.get("/tenders/user/my-tenders?page=9").await.expect(200);
    assert_eq!(none["data"]["pagination"]["totalCount"], 0);
    portal.guest().get("/tenders/user/my-tenders").await.expect_error(401);
    for rubbish in ["page=0", "page=x", "limit=51", "page=99999999999", "sort=up"] {
        owner.get(&format!("/tenders/user/my-tenders?{rubbish}")).await.expect_error(422);
    }
    portal.advance(3 * 3600);
    let later = portal.sign_in("owner").await.get("/tenders/user/my-tenders").await.expect(200);
    assert_eq!(later["data"]["counts"], json!({"all": 4, "live": 0, "draft": 1, "closed": 3}));
}
