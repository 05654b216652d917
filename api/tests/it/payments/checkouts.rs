//! Checkouts: payment, decline, 3-D Secure, expiry, and their limits.

use super::{is_true, verify_session};
use crate::support::{
    TestPortal,
    mailbox::{confirm_address, find_mail},
    payments::{
        CHALLENGED_CARD, DAY, DECLINED_CARD, GOOD_CARD, current_subscription, list_invoices, pass_days,
        pay_by_card, request_page, session_id_in, start_checkout, start_portal,
    },
    wait_for,
};
use api::storage;
use serde_json::{Value, json};

#[tokio::test]
async fn test_card_payment_starts_the_plan() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    let pending = user.post("/subscriptions/user/subscribe", &json!({"plan": "premium"})).await.expect(200);
    let pending = &pending["data"]["subscription"];
    assert_eq!((&pending["plan"], &pending["status"]), (&json!("professional"), &json!("pending")));
    assert_eq!((&pending["firstPayment"], &pending["credit"]), (&json!(5000.0), &json!(0.0)));
    let url = pending["checkoutUrl"].as_str().unwrap().to_owned();
    user.get("/subscriptions/user/current").await.expect_error(404);
    // A repeated request returns the same checkout.
    assert_eq!(start_checkout(&user, "professional").await, url);

    let (status, _, page) = request_page(&portal, &url, None).await;
    assert_eq!(status, 200);
    for words in ["This is a test.", "Professional, monthly", "LKR 5,000.00", "Card number", "Expiry", "CVC"]
    {
        assert!(page.contains(words), "{words} is not in {page}");
    }
    let session = url.rsplit('/').next().unwrap().to_owned();
    let early = verify_session(&user, &session).await.expect(200);
    assert_eq!(
        (&early["success"], &early["message"]),
        (&json!(false), &json!("Your payment has not been confirmed yet"))
    );
    let (status, _, page) = pay_by_card(&portal, &url, DECLINED_CARD).await;
    assert!(status == 422 && page.contains("Your card was declined."), "{page}");
    user.get("/subscriptions/user/current").await.expect_error(404);

    let (status, location, _) = pay_by_card(&portal, &url, GOOD_CARD).await;
    assert_eq!(status, 303);
    assert_eq!(session_id_in(&location), session);
    let now = verify_session(&user, &session).await.expect(200);
    assert_eq!((&now["success"], &now["message"]), (&json!(true), &json!("Your subscription is active")));
    let held = current_subscription(&user).await;
    assert_eq!((&held["plan"], &held["status"]), (&json!("professional"), &json!("active")));
    assert_eq!(held["endDate"], "2026-12-20T12:00:00+05:30");
    assert_eq!((&held["nextBillingDate"], &held["price"]), (&held["endDate"], &json!(5000.0)));
    assert_eq!(
        user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"]["plan"],
        "professional"
    );

    let invoices = list_invoices(&user).await;
    assert_eq!(invoices.len(), 1);
    let invoice = &invoices[0];
    assert_eq!((&invoice["number"], &invoice["total"]), (&json!("INV-2026-000001"), &json!(5000.0)));
    assert_eq!((&invoice["vat"], &invoice["vatRate"]), (&json!(0.0), &Value::Null));
    assert_eq!(invoice["seller"]["name"], "Serendib Tenders (Pvt) Ltd");
    assert_eq!(invoice["buyer"]["email"], "nimal@example.lk");
    assert_eq!(invoice["lines"].as_array().unwrap().len(), 1);
    let id = invoice["_id"].as_str().unwrap();
    assert_eq!(
        &user.get(&format!("/subscriptions/invoices/{id}")).await.expect(200)["data"]["invoice"],
        invoice
    );
    let mail = find_mail(&portal, "nimal@example.lk", "INV-2026-000001").await;
    assert!(mail.contains(&format!("/account/invoices/{id}")) && mail.contains("LKR 5,000.00"), "{mail}");

    // After the payment nothing is left to pay, and the plan cannot be bought again.
    let (_, _, page) = request_page(&portal, &url, None).await;
    assert!(page.contains("nothing left to pay here"), "{page}");
    assert_eq!(pay_by_card(&portal, &url, GOOD_CARD).await.0, 303);
    let again = user.post("/subscriptions/user/subscribe", &json!({"plan": "professional"})).await;
    assert_eq!(again.expect_error(409), "You already have this plan");
    assert_eq!(list_invoices(&user).await.len(), 1);
}

#[tokio::test]
async fn three_d_secure_can_succeed_or_fail() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = start_checkout(&user, "basic").await;
    let (_, challenge, _) = pay_by_card(&portal, &url, CHALLENGED_CARD).await;
    assert!(challenge.ends_with("/challenge"), "{challenge}");
    let (_, _, page) = request_page(&portal, &challenge, None).await;
    assert!(page.contains("3-D Secure") && page.contains("Complete") && page.contains("Fail"), "{page}");
    let (status, _, page) = request_page(&portal, &challenge, Some(&[("answer", "fail")])).await;
    assert!(status == 422 && page.contains("Nothing was charged."), "{page}");
    user.get("/subscriptions/user/current").await.expect_error(404);
    pay_by_card(&portal, &url, CHALLENGED_CARD).await;
    let (_, location, _) = request_page(&portal, &challenge, Some(&[("answer", "complete")])).await;
    assert!(verify_session(&user, &session_id_in(&location)).await.expect(200)["success"].as_bool().unwrap());
    assert_eq!(current_subscription(&user).await["plan"], "basic");
}

#[tokio::test]
async fn payments_are_off_without_a_provider() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    for path in ["/subscriptions/user/subscribe", "/subscriptions/create-checkout-session"] {
        let message = user.post(path, &json!({"plan": "basic"})).await.expect_error(503);
        assert!(message.starts_with("Payments are not set up"), "{message}");
        portal.guest().post(path, &json!({"plan": "basic"})).await.expect_error(401);
        for (wish, status) in [
            (json!({"plan": "gold"}), 422),
            (json!({"plan": ""}), 422),
            (json!({"plan": 7}), 422),
            (json!({}), 422),
            (json!({"plan": "basic", "billingCycle": "weekly"}), 422),
        ] {
            user.post(path, &wish).await.expect_error(status);
        }
    }
    portal.guest().post("/webhooks/sandbox", &json!({})).await.expect_error(404);
    assert_eq!(
        portal.guest().get_unchecked("/payments/sandbox/x").await.status,
        503,
        "there is no payment page"
    );
}

#[tokio::test]
async fn expired_checkout_still_accepts_a_late_payment() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = start_checkout(&user, "professional").await;
    let session = url.rsplit('/').next().unwrap().to_owned();
    let user_later = pass_days(&portal, 1, "nimal").await;
    wait_for(&portal.state.db, "select status = 'expired' from checkout").await;
    assert!(is_true(&portal, "select status = 'expired' from subscription").await);
    let response = verify_session(&user_later, &session).await.expect(200);
    assert_eq!(
        (&response["success"], &response["message"]),
        (&json!(false), &json!("This checkout was not paid. Nothing was charged."))
    );
    pay_by_card(&portal, &url, GOOD_CARD).await;
    assert_eq!(current_subscription(&user_later).await["status"], "active");
    drop(user);
}

#[tokio::test]
async fn expiring_checkout_waits_without_holding_locks() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    start_checkout(&user, "professional").await;
    // Recording a payment locks the payer, then the subscription, then the checkout.
    let mut recording = storage::begin(&portal.state.db).await.unwrap();
    for lock in ["select from users for update", "select from subscription for update"] {
        sqlx::query(lock).execute(&mut *recording).await.unwrap();
    }
    portal.advance(DAY);
    wait_for(
        &portal.state.db,
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')",
    )
    .await;
    sqlx::query("set local lock_timeout = '500ms'").execute(&mut *recording).await.unwrap();
    sqlx::query("select from checkout for update")
        .execute(&mut *recording)
        .await
        .expect("the checkout is locked");
    recording.rollback().await.unwrap();
    wait_for(&portal.state.db, "select status = 'expired' from checkout").await;
}

#[tokio::test]
async fn parallel_requests_for_one_plan_share_a_checkout() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let wish = json!({"planId": "professional", "billingCycle": "monthly"});
    let requests = (0..6).map(|_| user.post("/subscriptions/create-checkout-session", &wish));
    let replies = futures::future::join_all(requests).await;
    let sessions: std::collections::BTreeSet<String> =
        replies.iter().map(|reply| reply.expect(200)["data"].to_string()).collect();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
    assert!(is_true(&portal, "select count(*) = 1 from checkout").await);
    assert!(is_true(&portal, "select count(*) = 1 from sandbox_agreement").await);
}

#[tokio::test]
async fn checkouts_per_hour_are_limited() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let mut made = 0;
    for round in 0..5 {
        for plan in ["basic", "professional", "enterprise"] {
            for cycle in ["monthly", "yearly"] {
                let wish = json!({"planId": plan, "billingCycle": cycle});
                let reply = user.post("/subscriptions/create-checkout-session", &wish).await;
                if reply.status == 429 {
                    assert_eq!((round, made), (3, 20));
                    return;
                }
                reply.expect(200);
                made += 1;
            }
        }
        portal.advance(601);
    }
    panic!("{made} checkouts in an hour");
}
