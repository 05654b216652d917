//! Subscriptions with the sandbox: payment, decline, 3-D Secure, renewal, grace period, end, plan
//! changes, cancellation and resumption. The portal's clock moves time.

use crate::support::{
    Client, Reply, TestPortal,
    mailbox::{letter, token},
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
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use std::time::Duration;
use uuid::Uuid;

pub const GOOD: &str = "4242 4242 4242 4242";
pub const DECLINED: &str = "4000 0000 0000 0002";
pub const CHALLENGED: &str = "4000 0027 6000 3184";
pub const DECLINES_LATER: &str = "4000 0000 0000 0341";
pub const DAY: i64 = 24 * 3600;

/// A portal with the sandbox.
pub async fn portal() -> TestPortal {
    TestPortal::with(&["--demo", "--company-name", "Serendib Tenders (Pvt) Ltd"]).await
}

/// Confirms the address of a user made by [`TestPortal::user`].
pub async fn confirm(portal: &TestPortal, name: &str) {
    let token = token(&letter(portal, &format!("{name}@example.lk"), "/verify-email?").await);
    portal.guest().post("/auth/verify-email", &json!({"token": token})).await.expect(200);
}

/// Opens a payment page like a browser. Returns the status, the redirect and the page.
pub async fn browse(portal: &TestPortal, url: &str, form: Option<&[(&str, &str)]>) -> (u16, String, String) {
    let http = reqwest::Client::builder().no_proxy().redirect(Policy::none()).build().unwrap();
    // The portal's own address is the one it was told to listen on.
    let path = &url[url.find("/payments").unwrap()..];
    let url = format!("http://{}{path}", portal.address);
    let request = match form {
        Some(form) => {
            let body = form_urlencoded(form);
            http.post(url).header("content-type", "application/x-www-form-urlencoded").body(body)
        }
        None => http.get(url),
    };
    let response = request.send().await.unwrap();
    let location = response.headers().get("location").map(|to| to.to_str().unwrap().to_owned());
    (response.status().as_u16(), location.unwrap_or_default(), response.text().await.unwrap())
}

/// Encodes a form.
pub fn form_urlencoded(form: &[(&str, &str)]) -> String {
    form.iter()
        .map(|(name, value)| format!("{name}={}", value.replace(' ', "+")))
        .collect::<Vec<_>>()
        .join("&")
}

/// Submits a card on the sandbox's page.
pub async fn card(portal: &TestPortal, url: &str, number: &str) -> (u16, String, String) {
    browse(portal, url, Some(&[("number", number), ("expiry", "12/34"), ("cvc", "123")])).await
}

/// Returns the payment page for a plan.
pub async fn checkout(user: &Client, plan: &str) -> String {
    let wish = json!({"planId": plan});
    let reply = user.post("/subscriptions/create-checkout-session", &wish).await.expect(200);
    reply["data"]["url"].as_str().unwrap().to_owned()
}

/// Returns the session in a success page's URL.
pub fn session_of(location: &str) -> String {
    location.split("session_id=").nth(1).unwrap().to_owned()
}

/// Buys a plan with a good card. Returns the checkout's id and the invoice's id.
pub async fn paid(portal: &TestPortal, user: &Client, plan: &str) -> (String, String) {
    let (_, location, _) = card(portal, &checkout(user, plan).await, GOOD).await;
    let session = session_of(&location);
    user.get(&format!("/subscriptions/verify-session/{session}")).await.expect(200);
    let invoices = user.get("/subscriptions/invoices").await.expect(200);
    (session, invoices["data"]["invoices"][0]["_id"].as_str().unwrap().to_owned())
}

/// Returns the user's subscription.
pub async fn held(user: &Client) -> Value {
    user.get("/subscriptions/user/current").await.expect(200)["data"]["subscription"].clone()
}

pub async fn invoices(user: &Client) -> Vec<Value> {
    let reply = user.get("/subscriptions/invoices").await.expect(200);
    reply["data"]["invoices"].as_array().unwrap().clone()
}

async fn verify(user: &Client, session: &str) -> Reply {
    user.get(&format!("/subscriptions/verify-session/{session}")).await
}

/// Waits until a query returns true.
pub async fn until(portal: &TestPortal, question: &'static str) {
    for _ in 0..400 {
        if sqlx::query_scalar::<_, bool>(question).fetch_one(&portal.state.db).await.unwrap() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("not within ten seconds: {question}");
}

/// Moves the clock by days, lets the jobs run, and signs in again.
pub async fn pass_days(portal: &TestPortal, days: i64, name: &str) -> Client {
    // The provider has received all instructions before time passes.
    until(portal, "select not exists (select from payment_task where done_at is null)").await;
    portal.pass(days * DAY);
    // The portal's own job does the same concurrently: each waits for the other.
    lifecycle::pass(&portal.state.billing()).await.unwrap();
    portal.signed_in(name).await
}

async fn is_true(portal: &TestPortal, question: &'static str) -> bool {
    sqlx::query_scalar(question).fetch_one(&portal.state.db).await.unwrap()
}

/// Sends a sandbox event, signed at this time.
async fn tell(portal: &TestPortal, event: &PaymentEvent, at: Timestamp) -> Reply {
    let Some(Provider::Sandbox(sandbox)) = &portal.state.payments else { panic!("no sandbox") };
    let body = serde_json::to_vec(event).unwrap();
    let signature = sandbox.signed(&body, at)["sandbox-signature"].clone();
    let guest = portal.guest();
    let request = guest.request(Method::POST, "/webhooks/sandbox").header("sandbox-signature", signature);
    guest.send(request.body(body), Method::POST, "/webhooks/sandbox").await
}

/// A sandbox event of a payment or renewal.
fn charged(
    portal: &TestPortal,
    id: &str,
    checkout: Uuid,
    amount: i64,
    currency: &str,
    is_first: bool,
) -> PaymentEvent {
    let charge =
        Charge { reference: format!("charge-{id}"), amount: Cents(amount), currency: currency.into() };
    let told = if is_first {
        PaymentEventKind::Paid { charge, agreement: Some(format!("agreement-{checkout}")) }
    } else {
        PaymentEventKind::Renewed { charge }
    };
    PaymentEvent { id: id.into(), at: portal.state.clock.now(), checkout, told }
}

/// Returns the latest checkout.
async fn last_checkout(portal: &TestPortal) -> Uuid {
    let newest = "select id from checkout order by created_at desc, id desc limit 1";
    sqlx::query_scalar(newest).fetch_one(&portal.state.db).await.unwrap()
}

async fn outcomes(portal: &TestPortal) -> Vec<(String, String)> {
    sqlx::query_as("select event_id, outcome from payment_event order by event_id")
        .fetch_all(&portal.state.db)
        .await
        .unwrap()
}

#[tokio::test]
async fn test_card_payment_starts_the_plan() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm(&portal, "nimal").await;
    let pending = user.post("/subscriptions/user/subscribe", &json!({"plan": "premium"})).await.expect(200);
    let pending = &pending["data"]["subscription"];
    assert_eq!((&pending["plan"], &pending["status"]), (&json!("professional"), &json!("pending")));
    assert_eq!((&pending["firstPayment"], &pending["credit"]), (&json!(5000.0), &json!(0.0)));
    let url = pending["checkoutUrl"].as_str().unwrap().to_owned();
    user.get("/subscriptions/user/current").await.refused(404);
    // Repeating the request returns the same checkout.
    assert_eq!(checkout(&user, "professional").await, url);

    let (status, _, page) = browse(&portal, &url, None).await;
    assert_eq!(status, 200);
    for words in ["This is a test.", "Professional, monthly", "LKR 5,000.00", "Card number", "Expiry", "CVC"]
    {
        assert!(page.contains(words), "{words} is not in {page}");
    }
    let session = url.rsplit('/').next().unwrap().to_owned();
    let early = verify(&user, &session).await.expect(200);
    assert_eq!(
        (&early["success"], &early["message"]),
        (&json!(false), &json!("Your payment has not been confirmed yet"))
    );
    let (status, _, page) = card(&portal, &url, DECLINED).await;
    assert!(status == 422 && page.contains("Your card was declined."), "{page}");
    user.get("/subscriptions/user/current").await.refused(404);

    let (status, location, _) = card(&portal, &url, GOOD).await;
    assert_eq!(status, 303);
    assert_eq!(session_of(&location), session);
    let now = verify(&user, &session).await.expect(200);
    assert_eq!((&now["success"], &now["message"]), (&json!(true), &json!("Your subscription is active")));
    let held = held(&user).await;
    assert_eq!((&held["plan"], &held["status"]), (&json!("professional"), &json!("active")));
    assert_eq!(held["endDate"], "2026-12-20T12:00:00+05:30");
    assert_eq!((&held["nextBillingDate"], &held["price"]), (&held["endDate"], &json!(5000.0)));
    assert_eq!(
        user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"]["plan"],
        "professional"
    );

    let invoices = invoices(&user).await;
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
    let mail = letter(&portal, "nimal@example.lk", "INV-2026-000001").await;
    assert!(mail.contains(&format!("/account/invoices/{id}")) && mail.contains("LKR 5,000.00"), "{mail}");

    // After payment nothing is left to pay, and the plan is not sold again.
    let (_, _, page) = browse(&portal, &url, None).await;
    assert!(page.contains("nothing to pay here any more"), "{page}");
    assert_eq!(card(&portal, &url, GOOD).await.0, 303);
    let again = user.post("/subscriptions/user/subscribe", &json!({"plan": "professional"})).await;
    assert_eq!(again.refused(409), "You hold this plan already");
    assert_eq!(crate::payments::invoices(&user).await.len(), 1);
}

#[tokio::test]
async fn three_d_secure_can_succeed_or_fail() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = checkout(&user, "basic").await;
    let (_, challenge, _) = card(&portal, &url, CHALLENGED).await;
    assert!(challenge.ends_with("/challenge"), "{challenge}");
    let (_, _, page) = browse(&portal, &challenge, None).await;
    assert!(page.contains("3-D Secure") && page.contains("Complete") && page.contains("Fail"), "{page}");
    let (status, _, page) = browse(&portal, &challenge, Some(&[("answer", "fail")])).await;
    assert!(status == 422 && page.contains("Nothing was charged."), "{page}");
    user.get("/subscriptions/user/current").await.refused(404);
    card(&portal, &url, CHALLENGED).await;
    let (_, location, _) = browse(&portal, &challenge, Some(&[("answer", "complete")])).await;
    assert!(verify(&user, &session_of(&location)).await.expect(200)["success"].as_bool().unwrap());
    assert_eq!(held(&user).await["plan"], "basic");
}

#[tokio::test]
async fn payments_are_off_without_a_provider() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    for path in ["/subscriptions/user/subscribe", "/subscriptions/create-checkout-session"] {
        let told = user.post(path, &json!({"plan": "basic"})).await.refused(503);
        assert!(told.starts_with("Payments are not set up"), "{told}");
        portal.guest().post(path, &json!({"plan": "basic"})).await.refused(401);
        for (wish, status) in [
            (json!({"plan": "gold"}), 422),
            (json!({"plan": ""}), 422),
            (json!({"plan": 7}), 422),
            (json!({}), 422),
            (json!({"plan": "basic", "billingCycle": "weekly"}), 422),
        ] {
            user.post(path, &wish).await.refused(status);
        }
    }
    portal.guest().post("/webhooks/sandbox", &json!({})).await.refused(404);
    assert_eq!(portal.guest().outside("/payments/sandbox/x").await.status, 503, "no page but the app's");
}

#[tokio::test]
async fn subscription_renews_monthly() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "professional").await;
    let begun = held(&user).await;
    let user = pass_days(&portal, 29, "nimal").await;
    assert_eq!(held(&user).await["endDate"], begun["endDate"]);
    let user = pass_days(&portal, 1, "nimal").await;
    let renewed = held(&user).await;
    assert_eq!((&renewed["_id"], &renewed["startDate"]), (&begun["_id"], &begun["startDate"]));
    assert_eq!(renewed["endDate"], "2027-01-20T12:00:00+05:30");
    assert_eq!(renewed["usage"]["currentPeriodStart"], begun["endDate"]);
    // The portal was down for three months.
    let user = pass_days(&portal, 31 + 31 + 28, "nimal").await;
    assert_eq!(held(&user).await["endDate"], "2027-04-20T12:00:00+05:30");
    let numbers: Vec<_> = invoices(&user).await.iter().map(|invoice| invoice["number"].clone()).collect();
    assert_eq!(
        numbers,
        ["INV-2027-000003", "INV-2027-000002", "INV-2027-000001", "INV-2026-000002", "INV-2026-000001"]
            .map(Value::from)
    );
}

#[tokio::test]
async fn unpaid_subscription_ends_after_the_grace_period() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm(&portal, "nimal").await;
    card(&portal, &checkout(&user, "professional").await, DECLINES_LATER).await;
    let user = pass_days(&portal, 30, "nimal").await;
    let unpaid = held(&user).await;
    assert_eq!(
        (&unpaid["status"], &unpaid["unpaidSince"]),
        (&json!("active"), &json!("2026-12-20T12:00:00+05:30"))
    );
    assert_eq!(unpaid["holdsUntil"], "2026-12-27T12:00:00+05:30");
    let me = user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"].clone();
    assert_eq!((&me["plan"], &me["unpaidUntil"]), (&json!("professional"), &unpaid["holdsUntil"]));
    letter(&portal, "nimal@example.lk", "until Sun 27 Dec 2026; please pay until then").await;
    // The card is tried daily; the reader is told once, and again before the end.
    let user = pass_days(&portal, 5, "nimal").await;
    letter(&portal, "nimal@example.lk", "We have still not been paid").await;
    assert_eq!(held(&user).await["unpaidSince"], unpaid["unpaidSince"]);
    let user = pass_days(&portal, 2, "nimal").await;
    user.get("/subscriptions/user/current").await.refused(404);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["subscription"]["plan"], "free");
    letter(&portal, "nimal@example.lk", "Professional by the month has ended").await;
    // The card is not tried any more.
    until(&portal, "select state = 'ended' from sandbox_agreement").await;
    let user = pass_days(&portal, 60, "nimal").await;
    assert_eq!(invoices(&user).await.len(), 1);
    let told = "select count(*) = 4 from delivery where address = 'nimal@example.lk' and sealed_at >= '2026-11-20T12:00:00+05:30'
        and encode(content, 'escape') not like '%verify-email%'";
    assert!(is_true(&portal, told).await, "the invoice, the failure, the warning and the end");
}

#[tokio::test]
async fn grace_period_accepts_another_card() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    card(&portal, &checkout(&user, "professional").await, DECLINES_LATER).await;
    let user = pass_days(&portal, 33, "nimal").await;
    let unpaid = held(&user).await;
    let quote =
        user.get("/subscriptions/user/quote?plan=professional").await.expect(200)["data"]["quote"].clone();
    assert_eq!((&quote["effect"], &quote["credit"]), (&json!("now"), &json!(0.0)));
    paid(&portal, &user, "professional").await;
    let anew = held(&user).await;
    assert_ne!(anew["_id"], unpaid["_id"]);
    assert_eq!((&anew["unpaidSince"], &anew["endDate"]), (&Value::Null, &json!("2027-01-23T12:00:00+05:30")));
    until(&portal, "select count(*) = 1 from sandbox_agreement where state = 'ended' and declines").await;
}

#[tokio::test]
async fn upgrade_starts_at_once_with_credit() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "basic").await;
    let basic = held(&user).await;
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
    assert_eq!(held(&user).await["_id"], basic["_id"]);
    let url = pending["checkoutUrl"].as_str().unwrap();
    let (_, _, page) = browse(&portal, url, None).await;
    assert!(page.contains("LKR 4,000.00") && page.contains("Then LKR 5,000.00"), "{page}");
    card(&portal, url, GOOD).await;
    let professional = held(&user).await;
    assert_eq!(
        (&professional["plan"], &professional["startDate"]),
        (&json!("professional"), &json!("2026-12-05T12:00:00+05:30"))
    );
    let invoice = invoices(&user).await[0].clone();
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
    until(
        &portal,
        "select count(*) = 1 from sandbox_agreement where state = 'ended' and price_cents = 200000",
    )
    .await;
    // Then the full price.
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(invoices(&user).await[0]["total"], 5000.0);
}

#[tokio::test]
async fn downgrade_starts_at_the_period_end() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "professional").await;
    let told =
        user.post("/subscriptions/create-checkout-session", &json!({"planId": "basic"})).await.refused(409);
    assert!(told.contains("nothing to pay now"), "{told}");
    let changed = user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    let changed = &changed["data"]["subscription"];
    assert_eq!((&changed["plan"], &changed["status"]), (&json!("professional"), &json!("active")));
    assert_eq!(
        changed["next"],
        json!({"plan": "basic", "billingCycle": "monthly", "price": 2000.0, "byHand": false})
    );
    // Resumed, and cancelled again.
    let kept = user.post("/subscriptions/user/keep", &json!({})).await.expect(200);
    assert_eq!(kept["data"]["subscription"]["next"], Value::Null);
    user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    let user = pass_days(&portal, 31, "nimal").await;
    let basic = held(&user).await;
    assert_eq!(
        (&basic["plan"], &basic["price"], &basic["next"]),
        (&json!("basic"), &json!(2000.0), &Value::Null)
    );
    assert_eq!(invoices(&user).await[0]["total"], 2000.0);
    // Monthly to yearly at once, and yearly to monthly at the end.
    let wish = json!({"plan": "basic", "billingCycle": "yearly"});
    let pending = user.put("/subscriptions/user/update", &wish).await.expect(200);
    card(&portal, pending["data"]["subscription"]["checkoutUrl"].as_str().unwrap(), GOOD).await;
    let yearly = held(&user).await;
    assert_eq!(
        (&yearly["billingCycle"], &yearly["endDate"]),
        (&json!("yearly"), &json!("2027-12-21T12:00:00+05:30"))
    );
    let changed = user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    assert_eq!(changed["data"]["subscription"]["next"]["billingCycle"], "monthly");
    let user = pass_days(&portal, 365, "nimal").await;
    let monthly = held(&user).await;
    assert_eq!(
        (&monthly["billingCycle"], &monthly["endDate"]),
        (&json!("monthly"), &json!("2028-01-21T12:00:00+05:30"))
    );
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(held(&user).await["endDate"], "2028-02-21T12:00:00+05:30");
}

#[tokio::test]
async fn cancelled_plan_stays_until_the_end_and_can_be_resumed() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    confirm(&portal, "nimal").await;
    user.post("/subscriptions/user/cancel", &json!({})).await.refused(404);
    user.post("/subscriptions/user/keep", &json!({})).await.refused(404);
    paid(&portal, &user, "professional").await;
    for (reason, status) in
        [(json!("x".repeat(501)), 422), (json!("a\u{0}b"), 422), (json!(7), 422), (json!("Too dear"), 200)]
    {
        let reply = user.post("/subscriptions/user/cancel", &json!({"reason": reason})).await;
        assert_eq!(reply.status, status, "{}", reply.text());
    }
    let cancelled = held(&user).await;
    assert_eq!((&cancelled["autoRenew"], &cancelled["nextBillingDate"]), (&json!(false), &Value::Null));
    letter(&portal, "nimal@example.lk", "stays open until Sun 20 Dec 2026").await;
    let kept = user.post("/subscriptions/user/keep", &json!({})).await.expect(200);
    assert_eq!(kept["data"]["subscription"]["autoRenew"], true);
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(invoices(&user).await.len(), 2, "kept, it renews");
    // Changing to the free plan equals cancelling.
    let ends = user.put("/subscriptions/user/update", &json!({"plan": "free"})).await.expect(200);
    assert_eq!(ends["data"]["subscription"]["autoRenew"], false);
    // Twice has the same effect.
    user.post("/subscriptions/user/cancel", &json!({})).await.expect(200);
    let user = pass_days(&portal, 29, "nimal").await;
    assert_eq!(held(&user).await["plan"], "professional");
    let user = pass_days(&portal, 2, "nimal").await;
    user.get("/subscriptions/user/current").await.refused(404);
    let user = pass_days(&portal, 60, "nimal").await;
    assert_eq!(invoices(&user).await.len(), 2, "cancelled, it is charged no more");
}

#[tokio::test]
async fn two_paid_checkouts_are_combined() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    let (basic, professional) = (checkout(&user, "basic").await, checkout(&user, "professional").await);
    assert_ne!(basic, professional);
    card(&portal, &basic, GOOD).await;
    card(&portal, &professional, GOOD).await;
    let held = held(&user).await;
    // LKR 2,000 are 12 of 30 days at LKR 5,000.
    assert_eq!(
        (&held["plan"], &held["endDate"]),
        (&json!("professional"), &json!("2027-01-02T12:00:00+05:30"))
    );
    assert_eq!(invoices(&user).await.len(), 2);
    assert!(is_true(&portal, "select count(*) = 1 from subscription where status = 'active'").await);
    until(&portal, "select count(*) = 1 from sandbox_agreement where state = 'ended'").await;
    // The provider charges after its own month, and another month is added.
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(crate::payments::held(&user).await["endDate"], "2027-02-02T12:00:00+05:30");
}

#[tokio::test]
async fn payment_events_are_idempotent_in_any_order() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    checkout(&user, "professional").await;
    let id = last_checkout(&portal).await;
    let begun = portal.state.clock.now();
    let paid = charged(&portal, "e1", id, 500_000, "LKR", true);
    let month = SignedDuration::from_hours(30 * 24);
    let renewal = |id: &str, months: i32| {
        let event = charged(&portal, id, paid.checkout, 500_000, "LKR", false);
        PaymentEvent { at: begun + month * months, ..event }
    };
    // Everything arrives months late.
    portal.pass(80 * DAY);
    let user = portal.signed_in("nimal").await;
    let now = portal.state.clock.now();
    // A wrong signature, too early, too late, or missing.
    tell(&portal, &paid, now - SignedDuration::from_secs(301)).await.refused(400);
    tell(&portal, &paid, now + SignedDuration::from_secs(301)).await.refused(400);
    let unsigned = serde_json::to_value(&paid).unwrap();
    portal.guest().post("/webhooks/sandbox", &unsigned).await.refused(400);
    portal.guest().post("/webhooks/stripe", &unsigned).await.refused(404);
    assert_eq!(outcomes(&portal).await, []);
    // A renewal before the first payment waits; a failure without a subscription has no effect.
    tell(&portal, &renewal("e3", 2), now).await.expect(200);
    tell(&portal, &renewal("e2", 1), now).await.expect(200);
    assert_eq!(
        outcomes(&portal).await,
        [("e2".into(), "unmatched".into()), ("e3".into(), "unmatched".into())]
    );
    user.get("/subscriptions/user/current").await.refused(404);
    for _ in 0..3 {
        tell(&portal, &paid, now).await.expect(200);
    }
    assert_eq!(held(&user).await["endDate"], "2027-02-20T12:00:00+05:30");
    assert_eq!(invoices(&user).await.len(), 3);
    // The same charge under another id and an older failure change nothing.
    let again = PaymentEvent { id: "e4".into(), ..renewal("e2", 1) };
    tell(&portal, &again, now).await.expect(200);
    let late = PaymentEvent { id: "e5".into(), told: PaymentEventKind::Failed, ..renewal("e5", 1) };
    tell(&portal, &late, now).await.expect(200);
    assert_eq!(held(&user).await["unpaidSince"], Value::Null);
    assert_eq!(invoices(&user).await.len(), 3);
    // All at once.
    portal.pass(11 * DAY);
    let (user, now) = (portal.signed_in("nimal").await, portal.state.clock.now());
    let at_once = renewal("e6", 3);
    let told = futures::future::join_all((0..5).map(|_| tell(&portal, &at_once, now))).await;
    assert!(told.iter().all(|reply| reply.status == 200));
    assert_eq!(held(&user).await["endDate"], "2027-03-20T12:00:00+05:30");
    assert_eq!(invoices(&user).await.len(), 4);
}

#[tokio::test]
async fn unexpected_payment_is_kept_for_the_operator() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    let now = portal.state.clock.now();
    for (nth, (amount, currency)) in
        [(1, "LKR"), (500_001, "LKR"), (500_000, "USD"), (-500_000, "LKR")].into_iter().enumerate()
    {
        portal.pass(601);
        checkout(&user, "professional").await;
        let id = last_checkout(&portal).await;
        let event = charged(&portal, &format!("wrong-{nth}"), id, amount, currency, true);
        tell(&portal, &event, portal.state.clock.now()).await.expect(200);
    }
    tell(
        &portal,
        &charged(&portal, "nobodys", Uuid::from_u128(7), 500_000, "LKR", true),
        portal.state.clock.now(),
    )
    .await
    .expect(200);
    user.get("/subscriptions/user/current").await.refused(404);
    assert_eq!(invoices(&user).await.len(), 0);
    let kept: Vec<_> = outcomes(&portal).await.into_iter().map(|(_, outcome)| outcome).collect();
    assert_eq!(kept, ["unmatched", "mismatch", "mismatch", "mismatch", "mismatch"]);
    // A renewal of another amount, one that is too early, and a refund.
    portal.pass(601);
    paid(&portal, &user, "basic").await;
    let id = last_checkout(&portal).await;
    let end = held(&user).await["endDate"].clone();
    let at = |event: PaymentEvent, days: i64| PaymentEvent {
        at: now + SignedDuration::from_hours(24 * days),
        ..event
    };
    for (event, outcome) in [
        (at(charged(&portal, "z1", id, 200_001, "LKR", false), 31), "mismatch"),
        (at(charged(&portal, "z2", id, 200_000, "LKR", false), 2), "unexpected"),
        (
            PaymentEvent { told: PaymentEventKind::Reversed, ..charged(&portal, "z3", id, 0, "LKR", false) },
            "unexpected",
        ),
    ] {
        tell(&portal, &event, portal.state.clock.now()).await.expect(200);
        assert_eq!(outcomes(&portal).await.last().unwrap(), &(event.id.clone(), outcome.to_owned()));
    }
    assert_eq!(held(&user).await["endDate"], end);
    let rubbish = portal.guest();
    for body in [&b""[..], b"{", b"[]", b"\xff\x00", &[b'x'; 300_000]] {
        let request = rubbish.request(Method::POST, "/webhooks/sandbox").body(body.to_vec());
        let reply = rubbish.send(request, Method::POST, "/webhooks/sandbox").await;
        assert!(matches!(reply.status.as_u16(), 400 | 413), "{}", reply.text());
    }
}

#[tokio::test]
async fn crash_before_the_payment_webhook_recovers() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = checkout(&user, "professional").await;
    let session = url.rsplit('/').next().unwrap();
    // The provider was paid; its webhook is not sent yet.
    let outcome =
        sandbox::pay(&portal.state.db, session, sandbox::Card::Good, portal.state.clock.now()).await.unwrap();
    assert_eq!(outcome, sandbox::Outcome::Paid);
    assert!(
        verify(&user, session).await.expect(200)["success"].as_bool().unwrap(),
        "the provider says so when it is asked"
    );
    let billing = portal.state.billing();
    let (one, two) = tokio::join!(lifecycle::pass(&billing), lifecycle::pass(&billing));
    one.unwrap();
    two.unwrap();
    until(&portal, "select not exists (select from sandbox_event where told_at is null)").await;
    assert_eq!(invoices(&user).await.len(), 1);
    assert_eq!(held(&user).await["endDate"], "2026-12-20T12:00:00+05:30");
}

#[tokio::test]
async fn concurrent_charge_is_awaited() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "professional").await;
    let mut other = portal.state.db.begin().await.unwrap();
    sqlx::query("select from sandbox_agreement for update").execute(&mut *other).await.unwrap();
    // Four days overdue: by age alone it would count as unpaid.
    portal.pass(34 * DAY);
    let state = portal.state.clone();
    let pass = tokio::spawn(async move { lifecycle::pass(&state.billing()).await });
    until(
        &portal,
        "select count(*) = 2 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    )
    .await;
    other.rollback().await.unwrap();
    pass.await.unwrap().unwrap();
    let held = held(&portal.signed_in("nimal").await).await;
    assert_eq!((&held["endDate"], &held["unpaidSince"]), (&json!("2027-01-20T12:00:00+05:30"), &Value::Null));
}

#[tokio::test]
async fn expired_checkout_still_accepts_a_late_payment() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    let url = checkout(&user, "professional").await;
    let session = url.rsplit('/').next().unwrap().to_owned();
    let user_later = pass_days(&portal, 1, "nimal").await;
    until(&portal, "select status = 'expired' from checkout").await;
    assert!(is_true(&portal, "select status = 'expired' from subscription").await);
    let told = verify(&user_later, &session).await.expect(200);
    assert_eq!(
        (&told["success"], &told["message"]),
        (&json!(false), &json!("This checkout was not paid. Nothing was charged."))
    );
    card(&portal, &url, GOOD).await;
    assert_eq!(held(&user_later).await["status"], "active");
    drop(user);
}

#[tokio::test]
async fn expiring_checkout_waits_without_holding_locks() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    checkout(&user, "professional").await;
    // The lock order of recording a payment: payer, subscription, checkout.
    let mut recording = portal.state.db.begin().await.unwrap();
    for lock in ["select from users for update", "select from subscription for update"] {
        sqlx::query(lock).execute(&mut *recording).await.unwrap();
    }
    portal.pass(DAY);
    until(
        &portal,
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')",
    )
    .await;
    sqlx::query("set local lock_timeout = '500ms'").execute(&mut *recording).await.unwrap();
    sqlx::query("select from checkout for update").execute(&mut *recording).await.expect("nobody has it");
    recording.rollback().await.unwrap();
    until(&portal, "select status = 'expired' from checkout").await;
}

#[tokio::test]
async fn checkouts_per_hour_are_limited() {
    let portal = portal().await;
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
        portal.pass(601);
    }
    panic!("{made} checkouts in an hour");
}

#[tokio::test]
async fn deleted_account_is_not_charged_and_invoices_stay() {
    let portal = portal().await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "professional").await;
    // Another checkout is pending when they leave.
    let open = checkout(&user, "enterprise").await;
    user.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    until(&portal, "select state = 'ended' from sandbox_agreement where charges = 1").await;
    until(&portal, "select agreement_ended_at is not null from subscription where agreement is not null")
        .await;
    assert!(is_true(&portal, "select count(*) = 1 and bool_and(user_id is null) from invoice").await);
    assert!(is_true(&portal, "select buyer ->> 'email' = 'nimal@example.lk' from invoice").await);
    let changed =
        sqlx::query("update invoice set total_cents = 1, net_cents = 1").execute(&portal.state.db).await;
    assert!(changed.unwrap_err().to_string().contains("an invoice never changes"));
    let deleted = sqlx::query("delete from invoice").execute(&portal.state.db).await;
    assert!(deleted.unwrap_err().to_string().contains("an invoice never changes"));
    // A late payment starts nothing, is kept for the operator, and is charged once at most.
    card(&portal, &open, GOOD).await;
    until(&portal, "select exists (select from payment_event where outcome = 'orphan')").await;
    until(&portal, "select bool_and(state = 'ended') from sandbox_agreement").await;
    portal.pass(90 * DAY);
    lifecycle::pass(&portal.state.billing()).await.unwrap();
    assert!(is_true(&portal, "select count(*) = 1 from invoice").await);
    assert!(is_true(&portal, "select count(*) = 0 from subscription where status = 'active'").await);
}

#[tokio::test]
async fn team_member_is_sold_nothing() {
    let portal = portal().await;
    let owner = portal.user("nimal", "supplier").await;
    card(&portal, &checkout(&owner, "enterprise").await, DECLINES_LATER).await;
    let member = crate::team::joined(&portal, &owner, "kamala").await;
    let wish = json!({"plan": "basic"});
    let told = member.post("/subscriptions/user/subscribe", &wish).await.refused(409);
    assert!(told.contains("Your team's owner pays"), "{told}");
    let owner = pass_days(&portal, 30, "nimal").await;
    let member = portal.signed_in("kamala").await;
    let plan = async |client: &Client| {
        client.get("/auth/me").await.expect(200)["data"]["user"]["subscription"].clone()
    };
    assert_ne!(plan(&owner).await["unpaidUntil"], Value::Null);
    // The grace period applies to the team.
    assert_eq!(
        (&plan(&member).await["plan"], &plan(&member).await["unpaidUntil"]),
        (&json!("enterprise"), &Value::Null)
    );
    pass_days(&portal, 7, "nimal").await;
    assert_eq!(plan(&portal.signed_in("kamala").await).await["plan"], "free");
}

#[tokio::test]
async fn prices_include_vat_with_a_vat_number() {
    let portal =
        TestPortal::with(&["--demo", "--vat-number", "103456789-7000", "--vat-rate-percent", "18"]).await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "professional").await;
    let invoice = invoices(&user).await[0].clone();
    assert_eq!(
        (&invoice["net"], &invoice["vat"], &invoice["total"], &invoice["vatRate"]),
        (&json!(4237.29), &json!(762.71), &json!(5000.0), &json!(18.0))
    );
    assert_eq!(invoice["seller"]["vatNumber"], "103456789-7000");
}

#[tokio::test]
async fn concurrent_invoices_are_numbered_without_gaps() {
    let portal = portal().await;
    let mut urls = Vec::new();
    for name in ["a", "b", "c", "d", "e", "f"] {
        let user = portal.user(name, "supplier").await;
        urls.push(checkout(&user, "basic").await);
    }
    futures::future::join_all(urls.iter().map(|url| card(&portal, url, GOOD))).await;
    until(&portal, "select count(*) = 6 from invoice").await;
    assert!(
        is_true(
            &portal,
            "select array_agg(right(number, 2) order by number) = '{01,02,03,04,05,06}' from invoice"
        )
        .await
    );
}
