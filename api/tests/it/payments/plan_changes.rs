//! Plan changes, cancellation and resumption, and two paid checkouts of one user.

use super::is_true;
use crate::support::{
    mailbox::{confirm_address, find_mail},
    payments::{
        GOOD_CARD, buy_plan, current_subscription, list_invoices, pass_days, pay_by_card, request_page,
        start_checkout, start_portal,
    },
    wait_for,
};
use serde_json::{Value, json};

#[tokio::test]
async fn upgrade_starts_at_once_with_a_credit() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "basic").await;
    let basic = current_subscription(&user).await;
    let user = pass_days(&portal, 15, "nimal").await;
    let quote =
        user.get("/subscriptions/user/quote?plan=professional").await.expect(200)["data"]["quote"].clone();
    assert_eq!(
        (&quote["effect"], &quote["price"], &quote["credit"], &quote["firstPayment"]),
        (&json!("now"), &json!(5000.0), &json!(1000.0), &json!(4000.0))
    );
    let pending = user.put("/subscriptions/user/update", &json!({"plan": "professional"})).await.expect(200);
    let pending = &pending["data"]["subscription"];
    assert_eq!((&pending["firstPayment"], &pending["credit"]), (&json!(4000.0), &json!(1000.0)));
    // Nothing changes before payment.
    assert_eq!(current_subscription(&user).await["_id"], basic["_id"]);
    let url = pending["checkoutUrl"].as_str().unwrap();
    let (_, _, page) = request_page(&portal, url, None).await;
    assert!(page.contains("LKR 4,000.00") && page.contains("Then LKR 5,000.00"), "{page}");
    pay_by_card(&portal, url, GOOD_CARD).await;
    let professional = current_subscription(&user).await;
    assert_eq!(
        (&professional["plan"], &professional["startDate"]),
        (&json!("professional"), &json!("2026-12-05T12:00:00+05:30"))
    );
    let invoice = list_invoices(&user).await[0].clone();
    let lines: Vec<_> = invoice["lines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (&line["kind"], &line["plan"], &line["amount"]))
        .collect();
    assert_eq!(
        lines,
        [
            (&json!("plan"), &json!("professional"), &json!(5000.0)),
            (&json!("credit"), &json!("basic"), &json!(-1000.0))
        ]
    );
    assert_eq!(invoice["total"], 4000.0);
    wait_for(
        &portal.state.db,
        "select count(*) = 1 from sandbox_agreement where state = 'ended' and price_cents = 200000",
    )
    .await;
    // The next charge is the full price.
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(list_invoices(&user).await[0]["total"], 5000.0);
}

#[tokio::test]
async fn downgrade_starts_at_the_period_end() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let message = user
        .post("/subscriptions/create-checkout-session", &json!({"planId": "basic"}))
        .await
        .expect_error(409);
    assert!(message.contains("nothing to pay now"), "{message}");
    let changed = user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    let changed = &changed["data"]["subscription"];
    assert_eq!((&changed["plan"], &changed["status"]), (&json!("professional"), &json!("active")));
    assert_eq!(
        changed["next"],
        json!({"plan": "basic", "billingCycle": "monthly", "price": 2000.0, "byHand": false})
    );
    // The downgrade is undone and requested again.
    let kept = user.post("/subscriptions/user/keep", &json!({})).await.expect(200);
    assert_eq!(kept["data"]["subscription"]["next"], Value::Null);
    user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    let user = pass_days(&portal, 31, "nimal").await;
    let basic = current_subscription(&user).await;
    assert_eq!(
        (&basic["plan"], &basic["price"], &basic["next"]),
        (&json!("basic"), &json!(2000.0), &Value::Null)
    );
    assert_eq!(list_invoices(&user).await[0]["total"], 2000.0);
    // A change to yearly billing takes effect at once. A change to monthly billing takes effect at
    // the end of the period.
    let wish = json!({"plan": "basic", "billingCycle": "yearly"});
    let pending = user.put("/subscriptions/user/update", &wish).await.expect(200);
    pay_by_card(&portal, pending["data"]["subscription"]["checkoutUrl"].as_str().unwrap(), GOOD_CARD).await;
    let yearly = current_subscription(&user).await;
    assert_eq!(
        (&yearly["billingCycle"], &yearly["endDate"]),
        (&json!("yearly"), &json!("2027-12-21T12:00:00+05:30"))
    );
    let changed = user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    assert_eq!(changed["data"]["subscription"]["next"]["billingCycle"], "monthly");
    let user = pass_days(&portal, 365, "nimal").await;
    let monthly = current_subscription(&user).await;
    assert_eq!(
        (&monthly["billingCycle"], &monthly["endDate"]),
        (&json!("monthly"), &json!("2028-01-21T12:00:00+05:30"))
    );
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], "2028-02-21T12:00:00+05:30");
}

#[tokio::test]
async fn cancelled_plan_stays_until_the_end_and_can_be_resumed() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    user.post("/subscriptions/user/cancel", &json!({})).await.expect_error(404);
    user.post("/subscriptions/user/keep", &json!({})).await.expect_error(404);
    buy_plan(&portal, &user, "professional").await;
    for (reason, status) in
        [(json!("x".repeat(501)), 422), (json!("a\u{0}b"), 422), (json!(7), 422), (json!("Too dear"), 200)]
    {
        let reply = user.post("/subscriptions/user/cancel", &json!({"reason": reason})).await;
        assert_eq!(reply.status, status, "{}", reply.text());
    }
    let cancelled = current_subscription(&user).await;
    assert_eq!((&cancelled["autoRenew"], &cancelled["nextBillingDate"]), (&json!(false), &Value::Null));
    find_mail(&portal, "nimal@example.lk", "You can use it until Sun 20 Dec 2026").await;
    let kept = user.post("/subscriptions/user/keep", &json!({})).await.expect(200);
    assert_eq!(kept["data"]["subscription"]["autoRenew"], true);
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(list_invoices(&user).await.len(), 2, "a resumed plan renews");
    // Changing to the free plan has the same effect as cancelling.
    let ends = user.put("/subscriptions/user/update", &json!({"plan": "free"})).await.expect(200);
    assert_eq!(ends["data"]["subscription"]["autoRenew"], false);
    // A cancelled plan can be cancelled again.
    user.post("/subscriptions/user/cancel", &json!({})).await.expect(200);
    let user = pass_days(&portal, 29, "nimal").await;
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    let user = pass_days(&portal, 2, "nimal").await;
    user.get("/subscriptions/user/current").await.expect_error(404);
    let user = pass_days(&portal, 60, "nimal").await;
    assert_eq!(list_invoices(&user).await.len(), 2, "a cancelled plan is not charged again");
}

#[tokio::test]
async fn two_paid_checkouts_become_one_subscription() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let (basic, professional) =
        (start_checkout(&user, "basic").await, start_checkout(&user, "professional").await);
    assert_ne!(basic, professional);
    pay_by_card(&portal, &basic, GOOD_CARD).await;
    pay_by_card(&portal, &professional, GOOD_CARD).await;
    let held = current_subscription(&user).await;
    // The unused LKR 2,000 of the first plan pay for 12 of the 30 days that cost LKR 5,000.
    assert_eq!(
        (&held["plan"], &held["endDate"]),
        (&json!("professional"), &json!("2027-01-02T12:00:00+05:30"))
    );
    assert_eq!(list_invoices(&user).await.len(), 2);
    assert!(is_true(&portal, "select count(*) = 1 from subscription where status = 'active'").await);
    wait_for(&portal.state.db, "select count(*) = 1 from sandbox_agreement where state = 'ended'").await;
    // The provider charges one month after the payment. The charge adds a month to the end.
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], "2027-02-02T12:00:00+05:30");
}
