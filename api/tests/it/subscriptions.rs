//! What is sold, held and used.

use crate::{support::TestPortal, tenders::store};
use index::{tender::Tender, vocabulary::TenderStatus};
use serde_json::{Value, json};

#[tokio::test]
async fn anybody_may_see_what_is_sold() {
    let portal = TestPortal::start().await;
    let reply = portal.guest().get("/subscriptions/plans").await.expect(200);
    let plans = reply["data"]["plans"].as_array().unwrap();
    let told: Vec<_> =
        plans.iter().map(|plan| (plan["name"].clone(), plan["price"]["monthly"].clone())).collect();
    assert_eq!(
        told,
        [
            (json!("free"), json!(0)),
            (json!("basic"), json!(2000)),
            (json!("professional"), json!(5000)),
            (json!("enterprise"), json!(10000)),
        ]
    );
    assert_eq!(plans[3]["features"]["maxTenderViews"], -1);
    assert_eq!((&plans[2]["archiveDays"], &plans[3]["archiveDays"]), (&json!(365), &Value::Null));
    assert_eq!(plans[1]["price"]["yearly"], 20000);
}

#[tokio::test]
async fn what_is_held_and_used_is_counted_from_the_day_it_began() {
    let portal = TestPortal::start().await;
    let free = portal.user("free", "buyer").await;
    free.get("/subscriptions/user/current").await.refused(404);
    assert_eq!(free.get("/subscriptions/user/usage").await.expect(200)["data"]["usage"]["tenderViews"], 0);
    portal.guest().get("/subscriptions/user/usage").await.refused(401);

    let reader = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let mut tender = Tender { title: "Roof".into(), status: TenderStatus::Published, ..Tender::default() };
    tender.published_at = Some(portal.state.clock.moment());
    let id = store(&portal, tender, None).await;
    for _ in 0..2 {
        reader.get(&format!("/tenders/{id}")).await.expect(200);
    }
    let held = reader.get("/subscriptions/user/current").await.expect(200)["data"]["subscription"].clone();
    assert_eq!(
        (&held["plan"], &held["status"], &held["billingCycle"]),
        (&json!("professional"), &json!("active"), &json!("monthly"))
    );
    // Given by the operator: nobody renews it.
    assert_eq!((&held["nextBillingDate"], &held["autoRenew"]), (&Value::Null, &json!(false)));
    assert_eq!((&held["isGiven"], &held["holdsUntil"]), (&json!(true), &held["endDate"]));
    assert_eq!(
        (&held["usage"]["tenderViews"], &held["usage"]["currentPeriodStart"]),
        (&json!(1), &held["startDate"])
    );

    // A month later all counts begin anew.
    portal.pass(32 * 24 * 3600);
    let reader = portal.signed_in("nimal").await;
    let usage = reader.get("/subscriptions/user/usage").await.expect(200)["data"]["usage"].clone();
    assert_eq!(usage["tenderViews"], 0);
    assert_eq!(usage["currentPeriodStart"], held["usage"]["currentPeriodEnd"]);
    portal.pass(400 * 24 * 3600);
    portal.signed_in("nimal").await.get("/subscriptions/user/current").await.refused(404);
}
