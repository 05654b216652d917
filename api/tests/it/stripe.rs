//! Stripe: API requests and signed webhooks. A local server simulates Stripe as Stripe's
//! documentation describes.

use crate::support::{
    Client, Reply, TestPortal,
    mailbox::{confirm_address, find_mail},
    payments::{DAY, current_subscription, list_invoices},
    wait_for,
};
use api::services::billing::lifecycle;
use axum::http::Method;
use hmac::{Hmac, KeyInit, Mac};
use jiff::Timestamp;
use serde_json::{Value, json};
use sha2::Sha256;
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicUsize, Ordering},
    time::Duration,
};
use wiremock::{
    Mock, MockServer, Request, ResponseTemplate,
    matchers::{header, method, path, path_regex},
};

const API_KEY: &str = "sk_test_hush";
const WEBHOOK_SECRET: &str = "whsec_hush";

async fn start_portal(server: &MockServer) -> TestPortal {
    TestPortal::start_with(&[
        "--payments",
        "stripe",
        "--stripe-secret-key",
        API_KEY,
        "--stripe-webhook-secret",
        WEBHOOK_SECRET,
        "--stripe-api-url",
        &server.uri(),
    ])
    .await
}

/// Starts a simulated Stripe. It creates sessions and coupons and accepts every change of a
/// subscription.
async fn start_stripe() -> MockServer {
    let server = MockServer::start().await;
    let authorized = || header("authorization", format!("Bearer {API_KEY}").as_str());
    let made = AtomicUsize::new(0);
    let session = move |_: &Request| {
        let id = format!("cs_test_a{}", made.fetch_add(1, Ordering::SeqCst) + 1);
        let url = format!("https://checkout.stripe.com/c/pay/{id}");
        ResponseTemplate::new(200).set_body_json(json!({"id": id, "url": url, "status": "open"}))
    };
    let answer = |body: Value| ResponseTemplate::new(200).set_body_json(body);
    Mock::given(method("POST"))
        .and(path("/v1/checkout/sessions"))
        .and(authorized())
        .respond_with(session)
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .and(path("/v1/coupons"))
        .and(authorized())
        .respond_with(answer(json!({"id": "Z4OV52SU"})))
        .mount(&server)
        .await;
    let item = json!({"id": "si_1", "price": {"id": "price_1", "product": "prod_1", "currency": "lkr"}});
    Mock::given(path_regex("^/v1/subscriptions/sub_[0-9]$"))
        .and(authorized())
        .respond_with(answer(json!({"id": "sub_1", "items": {"data": [item]}})))
        .mount(&server)
        .await;
    server
}

/// Returns the requests to a path, each with its form.
async fn requests_to(server: &MockServer, path: &str) -> Vec<(Request, BTreeMap<String, String>)> {
    let requests = server.received_requests().await.unwrap();
    let form = |request: &Request| form_urlencoded::parse(&request.body).into_owned().collect();
    requests
        .into_iter()
        .filter(|request| request.url.path() == path)
        .map(|request| {
            let sent = form(&request);
            (request, sent)
        })
        .collect()
}

fn sign_body(body: &[u8], at: Timestamp, secret: &str) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).unwrap();
    mac.update(format!("{}.", at.as_second()).as_bytes());
    mac.update(body);
    format!("t={},v1={}", at.as_second(), hex::encode(mac.finalize().into_bytes()))
}

/// Sends an event with a valid signature.
async fn send_event(portal: &TestPortal, event: &Value) -> Reply {
    let body = serde_json::to_vec(event).unwrap();
    let signature = sign_body(&body, portal.state.clock.now(), WEBHOOK_SECRET);
    send_webhook(portal, &body, &signature).await
}

async fn send_webhook(portal: &TestPortal, body: &[u8], signature: &str) -> Reply {
    let guest = portal.guest();
    let request = guest.request(Method::POST, "/webhooks/stripe").header("stripe-signature", signature);
    guest.send(request.body(body.to_vec()), Method::POST, "/webhooks/stripe").await
}

fn stripe_event(portal: &TestPortal, id: &str, kind: &str, object: Value) -> Value {
    let created = portal.state.clock.now().as_second();
    json!({"id": id, "object": "event", "api_version": "2025-03-31.basil", "created": created, "type": kind,
        "data": {"object": object}})
}

/// Returns the session of a paid checkout.
fn paid_session(checkout: &str, amount: i64) -> Value {
    json!({"id": "cs_test_a1", "object": "checkout.session", "status": "complete", "payment_status": "paid",
        "client_reference_id": checkout, "amount_total": amount, "currency": "lkr", "invoice": "in_1",
        "subscription": "sub_1", "mode": "subscription"})
}

/// Returns an invoice. `reason` states why Stripe made it.
fn stripe_invoice(id: &str, checkout: &str, amount: i64, reason: &str) -> Value {
    json!({"id": id, "object": "invoice", "amount_paid": amount, "currency": "lkr", "billing_reason": reason,
        "parent": {"type": "subscription_details",
            "subscription_details": {"subscription": "sub_1", "metadata": {"checkout": checkout}}}})
}

async fn last_checkout_id(server: &MockServer) -> String {
    requests_to(server, "/v1/checkout/sessions").await.last().unwrap().1["client_reference_id"].clone()
}

/// Buys a plan. Returns the checkout's id.
async fn buy_plan(
    portal: &TestPortal,
    server: &MockServer,
    user: &Client,
    plan: &str,
    amount: i64,
) -> String {
    user.post("/subscriptions/user/subscribe", &json!({"plan": plan})).await.expect(200);
    let id = last_checkout_id(server).await;
    send_event(
        portal,
        &stripe_event(portal, "evt_1", "checkout.session.completed", paid_session(&id, amount)),
    )
    .await
    .expect(200);
    id
}

#[tokio::test]
async fn stripe_checkout_and_webhook_start_the_plan() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    let reply = user.post("/subscriptions/create-checkout-session", &json!({"planId": "professional"})).await;
    assert_eq!(reply.expect(200)["data"]["url"], "https://checkout.stripe.com/c/pay/cs_test_a1");
    let (request, form) = requests_to(&server, "/v1/checkout/sessions").await.remove(0);
    let id = form["client_reference_id"].clone();
    assert_eq!(request.headers["idempotency-key"], format!("checkout-{id}"));
    assert_eq!(request.headers["stripe-version"], "2025-03-31.basil");
    for (name, value) in [
        ("mode", "subscription"),
        ("customer_email", "nimal@example.lk"),
        ("line_items[0][quantity]", "1"),
        ("line_items[0][price_data][currency]", "lkr"),
        ("line_items[0][price_data][unit_amount]", "500000"),
        ("line_items[0][price_data][recurring][interval]", "month"),
        ("line_items[0][price_data][product_data][name]", "Professional, monthly"),
        ("metadata[checkout]", id.as_str()),
        ("subscription_data[metadata][checkout]", id.as_str()),
    ] {
        assert_eq!(form[name], value, "{name}");
    }
    assert!(form["success_url"].ends_with("/subscription/success?session_id={CHECKOUT_SESSION_ID}"));
    let expires = form["expires_at"].parse::<i64>().unwrap() - portal.state.clock.now().as_second();
    assert!((1800..24 * 3600).contains(&expires));
    assert!(!form.contains_key("discounts[0][coupon]"));

    let paid = stripe_event(&portal, "evt_1", "checkout.session.completed", paid_session(&id, 500_000));
    let body = serde_json::to_vec(&paid).unwrap();
    let now = portal.state.clock.now();
    for wrong in [
        sign_body(&body, now, "whsec_other"),
        sign_body(b"{}", now, WEBHOOK_SECRET),
        sign_body(&body, now - jiff::SignedDuration::from_secs(301), WEBHOOK_SECRET),
        String::new(),
    ] {
        assert_eq!(send_webhook(&portal, &body, &wrong).await.expect_error(400), "The signature is invalid");
    }
    user.get("/subscriptions/user/current").await.expect_error(404);
    for _ in 0..2 {
        send_webhook(&portal, &body, &sign_body(&body, now, WEBHOOK_SECRET)).await.expect(200);
    }
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    let found = list_invoices(&user).await;
    assert_eq!((found.len(), &found[0]["payment"]), (1, &json!("in_1")));
}

#[tokio::test]
async fn irrelevant_events_are_acknowledged_and_invalid_ones_refused() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    user.post("/subscriptions/user/subscribe", &json!({"plan": "professional"})).await.expect(200);
    let id = last_checkout_id(&server).await;
    let unpaid = json!({"payment_status": "unpaid"});
    let with = |mut value: Value, change: &Value| {
        value.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        value
    };
    for (nth, (kind, object)) in [
        ("customer.created", json!({})),
        ("checkout.session.completed", with(paid_session(&id, 500_000), &unpaid)),
        // This checkout belongs to another shop on the same account.
        (
            "checkout.session.completed",
            with(paid_session(&id, 500_000), &json!({"client_reference_id": null})),
        ),
        ("invoice.paid", stripe_invoice("in_1", &id, 500_000, "subscription_create")),
        ("invoice.paid", json!({"id": "in_9", "amount_paid": 1, "currency": "lkr"})),
        ("customer.subscription.deleted", json!({"id": "sub_9", "metadata": {}})),
        ("checkout.session.completed", json!(null)),
        ("checkout.session.completed", json!([])),
    ]
    .into_iter()
    .enumerate()
    {
        let event = stripe_event(&portal, &format!("evt_{nth}"), kind, object);
        send_event(&portal, &event).await.expect(200);
    }
    user.get("/subscriptions/user/current").await.expect_error(404);
    for rubbish in [
        json!(null),
        json!([]),
        json!({}),
        json!({"id": "evt", "type": "invoice.paid"}),
        json!({"id": "", "type": "x", "created": 1}),
        json!({"id": "a\u{0}b", "type": "x", "created": 1}),
        json!({"id": "x".repeat(300), "type": "x", "created": 1}),
        json!({"id": "evt", "type": "x", "created": "now"}),
    ] {
        assert_eq!(
            send_event(&portal, &rubbish).await.expect_error(400),
            "The event cannot be read",
            "{rubbish}"
        );
    }
    for (amount, currency) in [(1, "lkr"), (500_000, "usd")] {
        let wrong = with(paid_session(&id, amount), &json!({"currency": currency}));
        send_event(&portal, &stripe_event(&portal, currency, "checkout.session.completed", wrong))
            .await
            .expect(200);
        user.get("/subscriptions/user/current").await.expect_error(404);
    }
    let response = user.get("/subscriptions/verify-session/cs_test_a1").await.expect(200);
    assert_eq!(response["success"], false);
    assert!(response["message"].as_str().unwrap().starts_with("Your payment does not match the order"));
}

#[tokio::test]
async fn payment_is_queried_if_the_stripe_webhook_is_lost() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    user.post("/subscriptions/user/subscribe", &json!({"plan": "professional"})).await.expect(200);
    let id = last_checkout_id(&server).await;
    let verify = async || {
        portal.advance(3);
        user.get("/subscriptions/verify-session/cs_test_a1").await.expect(200)["success"].clone()
    };
    let answers = async |answer: ResponseTemplate| {
        Mock::given(method("GET"))
            .and(path("/v1/checkout/sessions/cs_test_a1"))
            .respond_with(answer)
            .up_to_n_times(1)
            .mount(&server)
            .await;
    };
    let json = |value: Value| ResponseTemplate::new(200).set_body_json(value);
    for answer in [
        json(json!({"id": "cs_test_a1", "status": "open", "payment_status": "unpaid"})),
        json(
            json!({"id": "cs_test_a1", "status": "complete", "payment_status": "unpaid", "client_reference_id": id}),
        ),
        // These responses are about another checkout, or they contain no session.
        json(paid_session("01a1f7a5-ca40-776f-b75f-29f82848a82e", 500_000)),
        json(json!({})),
        ResponseTemplate::new(200).set_body_string("<html>"),
        ResponseTemplate::new(200).set_body_string("x".repeat(300_000)),
        ResponseTemplate::new(500).set_body_json(json!({"error": {"type": "api_error"}})),
        ResponseTemplate::new(302).insert_header("location", "https://evil.example/"),
    ] {
        answers(answer).await;
        assert_eq!(verify().await, false);
    }
    answers(json(paid_session(&id, 500_000))).await;
    assert_eq!(verify().await, true);
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    // The webhook arrives later.
    let late = stripe_event(&portal, "evt_1", "checkout.session.completed", paid_session(&id, 500_000));
    send_event(&portal, &late).await.expect(200);
    assert_eq!(list_invoices(&user).await.len(), 1);
}

#[tokio::test]
async fn failing_provider_charges_nobody_and_leaks_nothing() {
    for answer in [
        ResponseTemplate::new(500),
        ResponseTemplate::new(402).set_body_json(json!({"error": {"code": "hush", "message": "hush"}})),
        ResponseTemplate::new(401).set_body_string("hush"),
        ResponseTemplate::new(200).set_body_json(json!({"id": "cs_1"})),
        ResponseTemplate::new(200).set_body_json(json!({"id": "cs_1", "url": "javascript:alert(1)"})),
        ResponseTemplate::new(200).set_body_string("{"),
        ResponseTemplate::new(200).set_delay(Duration::from_secs(30)),
    ] {
        let server = MockServer::start().await;
        Mock::given(method("POST")).respond_with(answer).mount(&server).await;
        let portal = start_portal(&server).await;
        let user = portal.user("nimal", "supplier").await;
        let reply = user.post("/subscriptions/user/subscribe", &json!({"plan": "basic"})).await;
        assert!(reply.expect_error(503).contains("Nothing was charged"), "{}", reply.text());
        assert!(!reply.text().contains("hush"));
        user.get("/subscriptions/user/current").await.expect_error(404);
    }
}

#[tokio::test]
async fn stripe_upgrade_uses_a_coupon_and_ends_the_old_agreement() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &server, &user, "basic", 200_000).await;
    portal.advance(15 * DAY);
    let user = portal.sign_in("nimal").await;
    let pending = user.put("/subscriptions/user/update", &json!({"plan": "professional"})).await.expect(200);
    assert_eq!(pending["data"]["subscription"]["firstPayment"], 4000.0);
    let (request, coupon) = requests_to(&server, "/v1/coupons").await.remove(0);
    let id = last_checkout_id(&server).await;
    assert_eq!(request.headers["idempotency-key"], format!("coupon-{id}"));
    for (name, value) in
        [("amount_off", "100000"), ("currency", "lkr"), ("duration", "once"), ("max_redemptions", "1")]
    {
        assert_eq!(coupon[name], value, "{name}");
    }
    let (_, form) = requests_to(&server, "/v1/checkout/sessions").await.pop().unwrap();
    assert_eq!(form["discounts[0][coupon]"], "Z4OV52SU");
    assert_eq!(form["line_items[0][price_data][unit_amount]"], "500000");
    let mut paid = paid_session(&id, 400_000);
    paid["subscription"] = json!("sub_2");
    paid["invoice"] = json!("in_2");
    send_event(&portal, &stripe_event(&portal, "evt_2", "checkout.session.completed", paid))
        .await
        .expect(200);
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    wait_for(&portal.state.db, "select count(*) = 1 from subscription where agreement_ended_at is not null")
        .await;
    let ended = requests_to(&server, "/v1/subscriptions/sub_1").await;
    assert!(ended.iter().all(|(request, _)| request.method.as_str() == "DELETE") && ended.len() == 1);
    // The portal has ended the old agreement itself, so Stripe's report of its end changes nothing.
    let deleted = json!({"id": "sub_1", "metadata": {"checkout": nth_checkout_id(&server, 0).await}});
    send_event(&portal, &stripe_event(&portal, "evt_3", "customer.subscription.deleted", deleted))
        .await
        .expect(200);
    assert_eq!(current_subscription(&user).await["autoRenew"], true);
}

async fn nth_checkout_id(server: &MockServer, nth: usize) -> String {
    requests_to(server, "/v1/checkout/sessions").await[nth].1["client_reference_id"].clone()
}

#[tokio::test]
async fn stripe_renewal_failure_and_end_change_the_subscription() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    let id = buy_plan(&portal, &server, &user, "professional", 500_000).await;
    portal.advance(30 * DAY + 3600);
    let renewal = stripe_event(
        &portal,
        "evt_2",
        "invoice.paid",
        stripe_invoice("in_2", &id, 500_000, "subscription_cycle"),
    );
    send_event(&portal, &renewal).await.expect(200);
    let user = portal.sign_in("nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], "2027-01-20T12:00:00+05:30");
    // A reported failure has no effect while the current period is paid.
    let failed = |portal: &TestPortal, name: &str, number: &str| {
        stripe_event(
            portal,
            name,
            "invoice.payment_failed",
            stripe_invoice(number, &id, 0, "subscription_cycle"),
        )
    };
    send_event(&portal, &failed(&portal, "evt_3", "in_2")).await.expect(200);
    assert_eq!(current_subscription(&user).await["unpaidSince"], Value::Null);
    portal.advance(31 * DAY);
    send_event(&portal, &failed(&portal, "evt_4", "in_3")).await.expect(200);
    let user = portal.sign_in("nimal").await;
    assert_ne!(current_subscription(&user).await["unpaidSince"], Value::Null);
    find_mail(&portal, "nimal@example.lk", "could not be charged").await;
    // Stripe retries the charge, and the retry succeeds.
    portal.advance(3 * DAY);
    let late = stripe_event(
        &portal,
        "evt_5",
        "invoice.paid",
        stripe_invoice("in_3", &id, 500_000, "subscription_cycle"),
    );
    send_event(&portal, &late).await.expect(200);
    let user = portal.sign_in("nimal").await;
    let paid = current_subscription(&user).await;
    assert_eq!((&paid["unpaidSince"], &paid["endDate"]), (&Value::Null, &json!("2027-02-20T12:00:00+05:30")));
    // The agreement is ended in Stripe's dashboard.
    let deleted = json!({"id": "sub_1", "metadata": {"checkout": id}});
    send_event(&portal, &stripe_event(&portal, "evt_6", "customer.subscription.deleted", deleted))
        .await
        .expect(200);
    assert_eq!(current_subscription(&user).await["autoRenew"], false);
    user.post("/subscriptions/user/keep", &json!({})).await.expect_error(409);
}

#[tokio::test]
async fn missing_stripe_renewal_counts_as_unpaid() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &server, &user, "professional", 500_000).await;
    portal.advance(32 * DAY);
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    let user = portal.sign_in("nimal").await;
    assert_eq!(
        current_subscription(&user).await["unpaidSince"],
        Value::Null,
        "Stripe still has time to charge"
    );
    portal.advance(DAY);
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    assert_ne!(current_subscription(&portal.sign_in("nimal").await).await["unpaidSince"], Value::Null);
}

#[tokio::test]
async fn failed_stripe_requests_are_retried_in_order() {
    let server = start_stripe().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &server, &user, "professional", 500_000).await;
    Mock::given(method("POST"))
        .and(path("/v1/subscriptions/sub_1"))
        .respond_with(ResponseTemplate::new(503))
        .with_priority(1)
        .up_to_n_times(1)
        .mount(&server)
        .await;
    user.post("/subscriptions/user/cancel", &json!({})).await.expect(200);
    wait_for(
        &portal.state.db,
        "select exists (select from payment_task where attempts = 1 and last_error is not null)",
    )
    .await;
    user.post("/subscriptions/user/keep", &json!({})).await.expect(200);
    // The portal sends an instruction only after the earlier ones have succeeded.
    portal.advance(61);
    wait_for(&portal.state.db, "select count(*) = 2 and bool_and(done_at is not null) from payment_task")
        .await;
    let requests = requests_to(&server, "/v1/subscriptions/sub_1").await;
    let values: Vec<_> = requests.iter().map(|(_, form)| form["cancel_at_period_end"].as_str()).collect();
    assert_eq!(values, ["true", "true", "false"]);
    let keys: Vec<_> =
        requests.iter().map(|(request, _)| request.headers["idempotency-key"].clone()).collect();
    assert_eq!(keys[0], keys[1], "a retry has the same idempotency key");
    assert_ne!(keys[1], keys[2]);
    // A change to a cheaper plan with the same cycle changes the price at Stripe.
    user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    wait_for(&portal.state.db, "select bool_and(done_at is not null) from payment_task").await;
    let (_, form) = requests_to(&server, "/v1/subscriptions/sub_1").await.pop().unwrap();
    for (name, value) in [
        ("items[0][id]", "si_1"),
        ("items[0][price_data][product]", "prod_1"),
        ("items[0][price_data][unit_amount]", "200000"),
        ("items[0][price_data][recurring][interval]", "month"),
        ("proration_behavior", "none"),
    ] {
        assert_eq!(form[name], value, "{name}");
    }
}
