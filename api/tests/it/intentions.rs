//! Intentions to bid: counted once per user, for readable open tenders.

use crate::{support::TestPortal, tenders::store};
use serde_json::{Value, json};
use tender_model::{
    tender::Tender,
    vocabulary::{TenderStatus, Visibility},
};
use uuid::Uuid;

/// Stores a tender with this change. Returns the path of the intention to bid for it.
async fn store_tender(portal: &TestPortal, change: impl FnOnce(&mut Tender)) -> String {
    let mut tender = Tender {
        title: "Supply of chairs".into(),
        status: TenderStatus::Published,
        published_at: "2026-11-19T09:00:00+05:30".parse().ok(),
        ..Tender::default()
    };
    tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
    change(&mut tender);
    let id = store(portal, tender, None).await;
    format!("/tenders/{id}/intention")
}

#[tokio::test]
async fn intention_counts_once_and_can_be_withdrawn() {
    let portal = TestPortal::start().await;
    let path = store_tender(&portal, |_| {}).await;
    let details = path.trim_end_matches("/intention").to_owned();
    let (nimal, kamala) = (portal.user("nimal", "supplier").await, portal.user("kamala", "buyer").await);
    let intention_state = |reply: &Value| {
        (reply["data"]["intends"].clone(), reply["data"]["statistics"]["applications"].clone())
    };
    for _ in 0..2 {
        assert_eq!(intention_state(&nimal.put(&path, &json!({})).await.expect(200)), (json!(true), json!(1)));
    }
    // Parallel requests count once.
    let nothing = json!({});
    let at_once = (0..8).map(|_| kamala.put(&path, &nothing));
    for reply in futures::future::join_all(at_once).await {
        reply.expect(200);
    }
    let seen = nimal.get(&details).await.expect(200);
    assert_eq!(
        (&seen["data"]["intends"], &seen["data"]["tender"]["statistics"]["applications"]),
        (&json!(true), &json!(2))
    );
    let guest = portal.guest().get(&details).await.expect(200);
    assert_eq!(
        (&guest["data"]["intends"], &guest["data"]["tender"]["statistics"]["applications"]),
        (&json!(false), &json!(2))
    );
    for _ in 0..2 {
        assert_eq!(intention_state(&nimal.delete(&path).await.expect(200)), (json!(false), json!(1)));
    }
    assert_eq!(nimal.get(&details).await.expect(200)["data"]["intends"], json!(false));
}

#[tokio::test]
async fn intention_requires_a_readable_open_tender() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let open = store_tender(&portal, |_| {}).await;
    portal.guest().put(&open, &json!({})).await.expect_error(401);
    portal.guest().delete(&open).await.expect_error(401);
    let premium = store_tender(&portal, |tender| tender.visibility = Visibility::Premium).await;
    assert_eq!(user.put(&premium, &json!({})).await.expect(403)["code"], "visibility");
    let draft = store_tender(&portal, |tender| tender.status = TenderStatus::Draft).await;
    user.put(&draft, &json!({})).await.expect_error(404);
    let closed =
        store_tender(&portal, |tender| tender.dates.closing = "2026-11-20T11:00:00+05:30".parse().ok()).await;
    user.put(&closed, &json!({})).await.expect_error(409);
    user.put(&format!("/tenders/{}/intention", Uuid::nil()), &json!({})).await.expect_error(404);
    user.put("/tenders/x/intention", &json!({})).await.expect_error(422);
}

#[tokio::test]
async fn intention_requires_a_verified_address() {
    let portal = TestPortal::start().await;
    let path = store_tender(&portal, |_| {}).await;
    let newcomer = portal.unconfirmed_user("nimal", "supplier").await;
    let refused = newcomer.put(&path, &json!({})).await;
    assert_eq!(
        refused.expect_error(403),
        "Please confirm your email address before you say that you intend to bid"
    );
    assert_eq!(refused.json()["code"], "unverified");
    newcomer.delete(&path).await.expect(200);
}
