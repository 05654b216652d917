//! Subscriptions with the sandbox provider: payment, decline, 3-D Secure, renewal, grace period,
//! end, plan changes, cancellation and resumption.

use crate::support::{
    Client, Reply, TestPortal,
    mailbox::{confirm_address, find_mail},
    payments::{
        CHALLENGED_CARD, DAY, DECLINED_CARD, GOOD_CARD, LATER_DECLINED_CARD, buy_plan, current_subscription,
        list_invoices, pass_days, pay_by_card, request_page, session_id_in, start_checkout, start_portal,
    },
    wait_for,
};
use api::{
    clients::payments::{Provider, sandbox},
    domain::{
        money::Cents,
        payment::{Charge, PaymentEvent, PaymentEventKind},
    },
    services::billing::lifecycle,
};
use axum::http::Method;
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};
use uuid::Uuid;

async fn verify_session(user: &Client, session: &str) -> Reply {
    user.get(&format!("/subscriptions/verify-session/{session}")).await
}

async fn is_true(portal: &TestPortal, condition: &'static str) -> bool {
    sqlx::query_scalar(condition).fetch_one(&portal.state.db).await.unwrap()
}

/// Sends a sandbox event. Its signature states the time `at`.
pub async fn send_event(portal: &TestPortal, event: &PaymentEvent, at: Timestamp) -> Reply {
    send_signed(portal, serde_json::to_vec(event).unwrap(), at).await
}

/// Sends a signed body as a webhook of the sandbox. Its signature states the time `at`.
pub async fn send_signed(portal: &TestPortal, body: Vec<u8>, at: Timestamp) -> Reply {
    let Some(Provider::Sandbox(sandbox)) = portal.state.payments.as_deref() else { panic!("no sandbox") };
    let signature = sandbox.sign_webhook(&body, at)["sandbox-signature"].clone();
    let guest = portal.guest();
    let request = guest.request(Method::POST, "/webhooks/sandbox").header("sandbox-signature", signature);
    guest.send(request.body(body), Method::POST, "/webhooks/sandbox").await
}

/// Returns a sandbox event for a first payment or a renewal.
pub fn charge_event(
    portal: &TestPortal,
    id: &str,
    checkout: Uuid,
    amount: i64,
    currency: &str,
    is_first: bool,
) -> PaymentEvent {
    let charge =
        Charge { reference: format!("charge-{id}"), amount: Cents(amount), currency: currency.into() };
    let kind = if is_first {
        PaymentEventKind::Paid { charge, agreement: Some(format!("agreement-{checkout}")) }
    } else {
        PaymentEventKind::Renewed { charge }
    };
    PaymentEvent { id: id.into(), at: portal.state.clock.now(), checkout, kind }
}

/// Returns the id of the latest checkout.
pub async fn last_checkout(portal: &TestPortal) -> Uuid {
    let newest = "select id from checkout order by created_at desc, id desc limit 1";
    sqlx::query_scalar(newest).fetch_one(&portal.state.db).await.unwrap()
}

async fn event_outcomes(portal: &TestPortal) -> Vec<(String, String)> {
    sqlx::query_as("select event_id, outcome from payment_event order by event_id")
        .fetch_all(&portal.state.db)
        .await
        .unwrap()
}

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
async fn subscription_renews_monthly() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let begun = current_subscription(&user).await;
    let user = pass_days(&portal, 29, "nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], begun["endDate"]);
    let user = pass_days(&portal, 1, "nimal").await;
    let renewed = current_subscription(&user).await;
    assert_eq!((&renewed["_id"], &renewed["startDate"]), (&begun["_id"], &begun["startDate"]));
    assert_eq!(renewed["endDate"], "2027-01-20T12:00:00+05:30");
    assert_eq!(renewed["usage"]["currentPeriodStart"], begun["endDate"]);
    // The clock moves by three months at once, as after a long downtime.
    let user = pass_days(&portal, 31 + 31 + 28, "nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], "2027-04-20T12:00:00+05:30");
    let numbers: Vec<_> =
        list_invoices(&user).await.iter().map(|invoice| invoice["number"].clone()).collect();
    assert_eq!(
        numbers,
        ["INV-2027-000003", "INV-2027-000002", "INV-2027-000001", "INV-2026-000002", "INV-2026-000001"]
            .map(Value::from)
    );
}

#[tokio::test]
async fn unpaid_subscription_ends_after_the_grace_period() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    pay_by_card(&portal, &start_checkout(&user, "professional").await, LATER_DECLINED_CARD).await;
    let user = pass_days(&portal, 30, "nimal").await;
    let unpaid = current_subscription(&user).await;
    assert_eq!(
        (&unpaid["status"], &unpaid["unpaidSince"]),
        (&json!("active"), &json!("2026-12-20T12:00:00+05:30"))
    );
    assert_eq!(unpaid["holdsUntil"], "2026-12-27T12:00:00+05:30");
    let me = user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"].clone();
    assert_eq!((&me["plan"], &me["unpaidUntil"]), (&json!("professional"), &unpaid["holdsUntil"]));
    find_mail(&portal, "nimal@example.lk", "until Sun 27 Dec 2026. Please pay by then").await;
    // The sandbox retries the charge daily. The user gets a mail at the first failure, and another
    // one two days before the grace period ends.
    let user = pass_days(&portal, 5, "nimal").await;
    find_mail(&portal, "nimal@example.lk", "We have not received your payment").await;
    assert_eq!(current_subscription(&user).await["unpaidSince"], unpaid["unpaidSince"]);
    let user = pass_days(&portal, 2, "nimal").await;
    user.get("/subscriptions/user/current").await.expect_error(404);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"]["plan"], "free");
    find_mail(&portal, "nimal@example.lk", "Professional by the month has ended").await;
    // The card is not charged any more.
    wait_for(&portal.state.db, "select state = 'ended' from sandbox_agreement").await;
    let user = pass_days(&portal, 60, "nimal").await;
    assert_eq!(list_invoices(&user).await.len(), 1);
    let four_mails = "select count(*) = 4 from delivery where address = 'nimal@example.lk' and sealed_at >= '2026-11-20T12:00:00+05:30'
        and encode(content, 'escape') not like '%Subject: Confirm your e-mail address%'";
    assert!(
        is_true(&portal, four_mails).await,
        "the mails are the invoice, the failure, the warning and the end"
    );
}

#[tokio::test]
async fn grace_period_accepts_another_card() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    pay_by_card(&portal, &start_checkout(&user, "professional").await, LATER_DECLINED_CARD).await;
    let user = pass_days(&portal, 33, "nimal").await;
    let unpaid = current_subscription(&user).await;
    let quote =
        user.get("/subscriptions/user/quote?plan=professional").await.expect(200)["data"]["quote"].clone();
    assert_eq!((&quote["effect"], &quote["credit"]), (&json!("now"), &json!(0.0)));
    buy_plan(&portal, &user, "professional").await;
    let renewed = current_subscription(&user).await;
    assert_ne!(renewed["_id"], unpaid["_id"]);
    assert_eq!(
        (&renewed["unpaidSince"], &renewed["endDate"]),
        (&Value::Null, &json!("2027-01-23T12:00:00+05:30"))
    );
    wait_for(
        &portal.state.db,
        "select count(*) = 1 from sandbox_agreement where state = 'ended' and declines",
    )
    .await;
}

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

#[tokio::test]
async fn payment_events_are_idempotent_in_any_order() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    start_checkout(&user, "professional").await;
    let id = last_checkout(&portal).await;
    let begun = portal.state.clock.now();
    let paid = charge_event(&portal, "e1", id, 500_000, "LKR", true);
    let month = SignedDuration::from_hours(30 * 24);
    let renewal = |id: &str, months: i32| {
        let event = charge_event(&portal, id, paid.checkout, 500_000, "LKR", false);
        PaymentEvent { at: begun + month * months, ..event }
    };
    // All events arrive 80 days late.
    portal.advance(80 * DAY);
    let user = portal.sign_in("nimal").await;
    let now = portal.state.clock.now();
    // Signatures that are too old, too new or missing are refused.
    send_event(&portal, &paid, now - SignedDuration::from_secs(301)).await.expect_error(400);
    send_event(&portal, &paid, now + SignedDuration::from_secs(301)).await.expect_error(400);
    let unsigned = serde_json::to_value(&paid).unwrap();
    portal.guest().post("/webhooks/sandbox", &unsigned).await.expect_error(400);
    portal.guest().post("/webhooks/stripe", &unsigned).await.expect_error(404);
    assert_eq!(event_outcomes(&portal).await, []);
    // A renewal before the first payment is stored until the payment arrives.
    send_event(&portal, &renewal("e3", 2), now).await.expect(200);
    send_event(&portal, &renewal("e2", 1), now).await.expect(200);
    assert_eq!(
        event_outcomes(&portal).await,
        [("e2".into(), "unmatched".into()), ("e3".into(), "unmatched".into())]
    );
    user.get("/subscriptions/user/current").await.expect_error(404);
    for _ in 0..3 {
        send_event(&portal, &paid, now).await.expect(200);
    }
    assert_eq!(current_subscription(&user).await["endDate"], "2027-02-20T12:00:00+05:30");
    assert_eq!(list_invoices(&user).await.len(), 3);
    // An event with another id for a known charge changes nothing, nor does an older failure.
    let again = PaymentEvent { id: "e4".into(), ..renewal("e2", 1) };
    send_event(&portal, &again, now).await.expect(200);
    let late = PaymentEvent { id: "e5".into(), kind: PaymentEventKind::Failed, ..renewal("e5", 1) };
    send_event(&portal, &late, now).await.expect(200);
    assert_eq!(current_subscription(&user).await["unpaidSince"], Value::Null);
    assert_eq!(list_invoices(&user).await.len(), 3);
    // The same event arrives five times at once.
    portal.advance(11 * DAY);
    let (user, now) = (portal.sign_in("nimal").await, portal.state.clock.now());
    let at_once = renewal("e6", 3);
    let replies = futures::future::join_all((0..5).map(|_| send_event(&portal, &at_once, now))).await;
    assert!(replies.iter().all(|reply| reply.status == 200));
    assert_eq!(current_subscription(&user).await["endDate"], "2027-03-20T12:00:00+05:30");
    assert_eq!(list_invoices(&user).await.len(), 4);
}

#[tokio::test]
async fn plan_does_not_renew_if_the_end_of_its_agreement_arrives_before_the_payment() {
    let portal = start_portal().await;
    let mut stored = Vec::new();
    for (name, is_end_first) in [("nimal", false), ("kamala", true)] {
        let user = portal.user(name, "supplier").await;
        start_checkout(&user, "professional").await;
        let address = format!("{name}@example.lk");
        let checkout = "select c.id from checkout c join users u on u.id = c.user_id where u.email = $1";
        let checkout = sqlx::query_scalar(checkout).bind(&address).fetch_one(&portal.state.db).await.unwrap();
        let paid = charge_event(&portal, &format!("{name}-paid"), checkout, 500_000, "LKR", true);
        let ended =
            PaymentEvent { id: format!("{name}-ended"), kind: PaymentEventKind::Ended, ..paid.clone() };
        let events = if is_end_first { [ended, paid] } else { [paid, ended] };
        for event in &events {
            send_event(&portal, event, event.at).await.expect(200);
        }
        assert_eq!(current_subscription(&user).await["autoRenew"], false, "{name}");
        find_mail(&portal, &address, "is cancelled").await;
        let row: Value = sqlx::query_scalar(
            "select to_jsonb(s) - array['id', 'user_id', 'agreement'] from subscription s join users u on u.id = s.user_id
            where u.email = $1",
        )
        .bind(&address)
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
        stored.push(row);
    }
    assert_eq!(stored[0], stored[1]);
}

#[tokio::test]
async fn unexpected_payment_is_recorded_and_changes_no_plan() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let now = portal.state.clock.now();
    for (nth, (amount, currency)) in
        [(1, "LKR"), (500_001, "LKR"), (500_000, "USD"), (-500_000, "LKR")].into_iter().enumerate()
    {
        portal.advance(601);
        start_checkout(&user, "professional").await;
        let id = last_checkout(&portal).await;
        let event = charge_event(&portal, &format!("wrong-{nth}"), id, amount, currency, true);
        send_event(&portal, &event, portal.state.clock.now()).await.expect(200);
    }
    send_event(
        &portal,
        &charge_event(&portal, "nobodys", Uuid::from_u128(7), 500_000, "LKR", true),
        portal.state.clock.now(),
    )
    .await
    .expect(200);
    user.get("/subscriptions/user/current").await.expect_error(404);
    assert_eq!(list_invoices(&user).await.len(), 0);
    let kept: Vec<_> = event_outcomes(&portal).await.into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(kept, ["unmatched", "mismatch", "mismatch", "mismatch", "mismatch"]);
    // The portal does not apply a renewal with a wrong amount, a renewal that is too early, or a
    // refund.
    portal.advance(601);
    buy_plan(&portal, &user, "basic").await;
    let id = last_checkout(&portal).await;
    let end = current_subscription(&user).await["endDate"].clone();
    let at = |event: PaymentEvent, days: i64| PaymentEvent {
        at: now + SignedDuration::from_hours(24 * days),
        ..event
    };
    for (event, outcome) in [
        (at(charge_event(&portal, "z1", id, 200_001, "LKR", false), 31), "mismatch"),
        (at(charge_event(&portal, "z2", id, 200_000, "LKR", false), 2), "unexpected"),
        (
            PaymentEvent {
                kind: PaymentEventKind::Reversed,
                ..charge_event(&portal, "z3", id, 0, "LKR", false)
            },
            "unexpected",
        ),
    ] {
        send_event(&portal, &event, portal.state.clock.now()).await.expect(200);
        assert_eq!(event_outcomes(&portal).await.last().unwrap(), &(event.id.clone(), outcome.to_owned()));
    }
    assert_eq!(current_subscription(&user).await["endDate"], end);
    let guest = portal.guest();
    for body in [&b""[..], b"{", b"[]", b"\xff\x00", &[b'x'; 300_000]] {
        let request = guest.request(Method::POST, "/webhooks/sandbox").body(body.to_vec());
        let reply = guest.send(request, Method::POST, "/webhooks/sandbox").await;
        assert!(matches!(reply.status.as_u16(), 400 | 413), "{}", reply.text());
    }
}

#[tokio::test]
async fn payment_without_a_webhook_is_recorded_once() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = start_checkout(&user, "professional").await;
    let session = url.rsplit('/').next().unwrap();
    // The user has paid, but the provider has not sent its webhook yet.
    let outcome = sandbox::pay(&portal.state.db, session, sandbox::TestCard::Good, portal.state.clock.now())
        .await
        .unwrap();
    assert_eq!(outcome, sandbox::PaymentOutcome::Paid);
    assert!(
        verify_session(&user, session).await.expect(200)["success"].as_bool().unwrap(),
        "the portal queries the provider"
    );
    let billing = portal.state.billing();
    let (one, two) = tokio::join!(lifecycle::run_due(&billing), lifecycle::run_due(&billing));
    one.unwrap();
    two.unwrap();
    wait_for(&portal.state.db, "select not exists (select from sandbox_event where told_at is null)").await;
    assert_eq!(list_invoices(&user).await.len(), 1);
    assert_eq!(current_subscription(&user).await["endDate"], "2026-12-20T12:00:00+05:30");
}

#[tokio::test]
async fn overdue_check_waits_for_a_concurrent_charge() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let mut other = portal.state.db.begin().await.unwrap();
    sqlx::query("select from sandbox_agreement for update").execute(&mut *other).await.unwrap();
    // The period ended four days ago. Without the charge, the subscription would become unpaid.
    portal.advance(34 * DAY);
    let state = portal.state.clone();
    let pass = tokio::spawn(async move { lifecycle::run_due(&state.billing()).await });
    wait_for(
        &portal.state.db,
        "select count(*) = 2 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    .await;
    other.rollback().await.unwrap();
    pass.await.unwrap().unwrap();
    let held = current_subscription(&portal.sign_in("nimal").await).await;
    assert_eq!((&held["endDate"], &held["unpaidSince"]), (&json!("2027-01-20T12:00:00+05:30"), &Value::Null));
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
    let mut recording = portal.state.db.begin().await.unwrap();
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

#[tokio::test]
async fn deleted_account_is_not_charged_and_invoices_stay() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    // Another checkout is pending when the user deletes the account.
    let open = start_checkout(&user, "enterprise").await;
    user.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    wait_for(&portal.state.db, "select state = 'ended' from sandbox_agreement where charges = 1").await;
    wait_for(
        &portal.state.db,
        "select agreement_ended_at is not null from subscription where agreement is not null",
    )
    .await;
    assert!(is_true(&portal, "select count(*) = 1 and bool_and(user_id is null) from invoice").await);
    assert!(is_true(&portal, "select buyer ->> 'email' = 'nimal@example.lk' from invoice").await);
    let changed =
        sqlx::query("update invoice set total_cents = 1, net_cents = 1").execute(&portal.state.db).await;
    assert!(changed.unwrap_err().to_string().contains("an invoice never changes"));
    let deleted = sqlx::query("delete from invoice").execute(&portal.state.db).await;
    assert!(deleted.unwrap_err().to_string().contains("an invoice never changes"));
    // A late payment starts no plan and is kept for the operator. Its agreement ends, so the card
    // is not charged again.
    pay_by_card(&portal, &open, GOOD_CARD).await;
    wait_for(&portal.state.db, "select exists (select from payment_event where outcome = 'orphan')").await;
    wait_for(&portal.state.db, "select bool_and(state = 'ended') from sandbox_agreement").await;
    portal.advance(90 * DAY);
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    assert!(is_true(&portal, "select count(*) = 1 from invoice").await);
    assert!(is_true(&portal, "select count(*) = 0 from subscription where status = 'active'").await);
}

#[tokio::test]
async fn team_member_cannot_buy_a_plan_and_shares_the_grace_period() {
    let portal = start_portal().await;
    let owner = portal.user("nimal", "supplier").await;
    pay_by_card(&portal, &start_checkout(&owner, "enterprise").await, LATER_DECLINED_CARD).await;
    let member = crate::team::join_team(&portal, &owner, "kamala").await;
    let wish = json!({"plan": "basic"});
    let message = member.post("/subscriptions/user/subscribe", &wish).await.expect_error(409);
    assert!(message.contains("Your team's owner pays"), "{message}");
    let owner = pass_days(&portal, 30, "nimal").await;
    let member = portal.sign_in("kamala").await;
    let plan = async |client: &Client| {
        client.get("/auth/me").await.expect(200)["data"]["user"]["subscription"].clone()
    };
    assert_ne!(plan(&owner).await["unpaidUntil"], Value::Null);
    // The members keep the plan during the grace period.
    assert_eq!(
        (&plan(&member).await["plan"], &plan(&member).await["unpaidUntil"]),
        (&json!("enterprise"), &Value::Null)
    );
    pass_days(&portal, 7, "nimal").await;
    assert_eq!(plan(&portal.sign_in("kamala").await).await["plan"], "free");
}

#[tokio::test]
async fn prices_include_vat_with_a_vat_number() {
    let portal =
        TestPortal::start_with(&["--demo", "--vat-number", "103456789-7000", "--vat-rate-percent", "18"])
            .await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "professional").await;
    let invoice = list_invoices(&user).await[0].clone();
    assert_eq!(
        (&invoice["net"], &invoice["vat"], &invoice["total"], &invoice["vatRate"]),
        (&json!(4237.29), &json!(762.71), &json!(5000.0), &json!(18.0))
    );
    assert_eq!(invoice["seller"]["vatNumber"], "103456789-7000");
}

#[tokio::test]
async fn concurrent_invoices_are_numbered_without_gaps() {
    let portal = start_portal().await;
    let mut urls = Vec::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        let user = portal.user(name, "supplier").await;
        urls.push(start_checkout(&user, "basic").await);
    }
    futures::future::join_all(urls.iter().map(|url| pay_by_card(&portal, url, GOOD_CARD))).await;
    wait_for(&portal.state.db, "select count(*) = 6 from invoice").await;
    assert!(
        is_true(
            &portal,
            "select array_agg(right(number, 2) order by number) = '{01,02,03,04,05,06}' from invoice"
        )
        .await
    );
}
