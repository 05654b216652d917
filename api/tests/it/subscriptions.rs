//! Plans, subscriptions and usage, and the messages for invalid requests.

use crate::{support::TestPortal, tenders::store};
use axum::http::Method;
use serde_json::{Value, json};
use tender_model::{tender::Tender, vocabulary::TenderStatus};

#[tokio::test]
async fn plans_are_public() {
    let portal = TestPortal::start().await;
    let reply = portal.guest().get("/subscriptions/plans").await.expect(200);
    let plans = reply["data"]["plans"].as_array().unwrap();
    let prices: Vec<_> =
        plans.iter().map(|plan| (plan["name"].clone(), plan["price"]["monthly"].clone())).collect();
    assert_eq!(
        prices,
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
    let with = |feature: &str| -> Vec<&str> {
        let including = plans.iter().filter(|plan| plan["features"][feature] == true);
        including.filter_map(|plan| plan["name"].as_str()).collect()
    };
    let included: [(&str, &[&str]); 6] = [
        ("documents", &["professional", "enterprise"]),
        ("savedTenders", &["professional", "enterprise"]),
        ("emailAlerts", &["professional", "enterprise"]),
        ("weeklySummary", &["basic"]),
        ("directAlerts", &["enterprise"]),
        ("accountManager", &["enterprise"]),
    ];
    for (feature, names) in included {
        assert_eq!(with(feature), names, "{feature}");
    }
    let users: Vec<_> = plans.iter().map(|plan| &plan["features"]["maxUsers"]).collect();
    assert_eq!(users, [1, 1, 1, 5]);
}

#[tokio::test]
async fn usage_counts_from_the_subscription_start() {
    let portal = TestPortal::start().await;
    let free = portal.user("free", "buyer").await;
    free.get("/subscriptions/user/current").await.expect_error(404);
    assert_eq!(free.get("/subscriptions/user/usage").await.expect(200)["data"]["usage"]["tenderViews"], 0);
    portal.guest().get("/subscriptions/user/usage").await.expect_error(401);

    let user = portal.subscriber("nimal", "supplier", Some("professional")).await;
    let mut tender = Tender { title: "Roof".into(), status: TenderStatus::Published, ..Tender::default() };
    tender.published_at = Some(portal.state.clock.moment());
    let id = store(&portal, tender, None).await;
    for _ in 0..2 {
        user.get(&format!("/tenders/{id}")).await.expect(200);
    }
    let held = user.get("/subscriptions/user/current").await.expect(200)["data"]["subscription"].clone();
    assert_eq!(
        (&held["plan"], &held["status"], &held["billingCycle"]),
        (&json!("professional"), &json!("active"), &json!("monthly"))
    );
    // A subscription that the operator gave is not renewed.
    assert_eq!((&held["nextBillingDate"], &held["autoRenew"]), (&Value::Null, &json!(false)));
    assert_eq!((&held["isGiven"], &held["holdsUntil"]), (&json!(true), &held["endDate"]));
    assert_eq!(
        (&held["usage"]["tenderViews"], &held["usage"]["currentPeriodStart"]),
        (&json!(1), &held["startDate"])
    );

    // A month later, the count of opened tenders starts again at zero.
    portal.advance(32 * 24 * 3600);
    let user = portal.sign_in("nimal").await;
    let usage = user.get("/subscriptions/user/usage").await.expect(200)["data"]["usage"].clone();
    assert_eq!(usage["tenderViews"], 0);
    assert_eq!(usage["currentPeriodStart"], held["usage"]["currentPeriodEnd"]);
    portal.advance(400 * 24 * 3600);
    portal.sign_in("nimal").await.get("/subscriptions/user/current").await.expect_error(404);
}

#[tokio::test]
async fn invalid_requests_get_messages_in_plain_words() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    for (method, path) in [
        (Method::POST, "/subscriptions/create-checkout-session"),
        (Method::POST, "/subscriptions/user/subscribe"),
        (Method::PUT, "/subscriptions/user/update"),
    ] {
        let request = user.request(method.clone(), path).json(&json!({}));
        let refused = user.send(request, method.clone(), path).await;
        assert_eq!(refused.expect_error(422), "planId is missing");
        assert_eq!(refused.json()["errors"][0]["field"], "planId");
        let request = user.request(method.clone(), path).json(&json!({"planId": 7}));
        assert_eq!(user.send(request, method, path).await.expect_error(422), "planId must be text");
    }
    for (query, message) in [
        ("page=x", "page must be a whole number"),
        ("isLive=maybe", "isLive must be true or false"),
        ("sort=up", "sort must be one of: best, newest, closing, value"),
        ("colour=red", "There is no field colour"),
        ("page=1&page=2", "page is given twice"),
    ] {
        assert_eq!(portal.guest().get(&format!("/tenders?{query}")).await.expect_error(422), message);
    }
    let request = user.request(Method::POST, "/tenders").header("content-type", "application/json").body("{");
    let refused = user.send(request, Method::POST, "/tenders").await;
    assert_eq!(refused.expect_error(400), "The body is not valid JSON: line 1, column 1");
}
