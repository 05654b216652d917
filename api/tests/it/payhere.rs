//! PayHere: form, notifications and merchant API. A local server simulates PayHere as PayHere's
//! documentation describes.

use crate::support::{
    Client, Reply, TestPortal,
    mailbox::{confirm_address, find_mail},
    payments::{DAY, current_subscription, list_invoices},
    wait_for,
};
use api::services::billing::lifecycle;
use axum::http::Method;
use md5::{Digest, Md5};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{basic_auth, body_json, body_string, header, method, path, query_param},
};

const MERCHANT_ID: &str = "1211149";
const MERCHANT_SECRET: &str = "hush";

async fn start_portal(server: &MockServer) -> TestPortal {
    TestPortal::start_with(&[
        "--payments",
        "payhere",
        "--payhere-merchant-id",
        MERCHANT_ID,
        "--payhere-merchant-secret",
        MERCHANT_SECRET,
        "--payhere-app-id",
        "app",
        "--payhere-app-secret",
        "word",
        "--payhere-url",
        &server.uri(),
    ])
    .await
}

/// Starts a simulated PayHere that issues access tokens.
async fn start_payhere() -> MockServer {
    let server = MockServer::start().await;
    let token =
        json!({"access_token": "t0ken", "token_type": "bearer", "expires_in": 599, "scope": "SANDBOX"});
    Mock::given(method("POST"))
        .and(path("/merchant/v1/oauth/token"))
        .and(basic_auth("app", "word"))
        .and(body_string("grant_type=client_credentials"))
        .respond_with(ResponseTemplate::new(200).set_body_json(token))
        .mount(&server)
        .await;
    server
}

fn md5_hex(text: &str) -> String {
    hex::encode_upper(Md5::digest(text))
}

/// Returns the form fields on the payment page.
fn form_fields(page: &str) -> BTreeMap<String, String> {
    let value = |input: &str, name: &str| {
        let rest = input.split(&format!("{name}=\"")).nth(1)?;
        Some(rest.split('"').next()?.to_owned())
    };
    page.split("<input ")
        .skip(1)
        .filter_map(|input| Some((value(input, "name")?, value(input, "value")?)))
        .collect()
}

/// Sends a notification of a payment. `change` adds or replaces fields. Unless it contains
/// `md5sig`, the notification gets a valid signature.
async fn send_notification(portal: &TestPortal, order: &str, amount: &str, change: &[(&str, &str)]) -> Reply {
    let mut form: BTreeMap<&str, String> = BTreeMap::from([
        ("merchant_id", MERCHANT_ID.to_owned()),
        ("order_id", order.to_owned()),
        ("payment_id", "320032387276".to_owned()),
        ("payhere_amount", amount.to_owned()),
        ("payhere_currency", "LKR".to_owned()),
        ("status_code", "2".to_owned()),
        ("method", "VISA".to_owned()),
        ("status_message", "Successfully received the VISA payment".to_owned()),
        ("recurring", "1".to_owned()),
        ("message_type", "AUTHORIZATION_SUCCESS".to_owned()),
        ("item_rec_status", "0".to_owned()),
        ("subscription_id", "420075044317".to_owned()),
    ]);
    form.extend(change.iter().map(|(name, value)| (*name, (*value).to_owned())));
    let signed = ["merchant_id", "order_id", "payhere_amount", "payhere_currency", "status_code"];
    let signed: String = signed.iter().map(|name| form[name].as_str()).collect();
    form.entry("md5sig").or_insert_with(|| md5_hex(&(signed + &md5_hex(MERCHANT_SECRET))));
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let guest = portal.guest();
    let request = guest.request(Method::POST, "/webhooks/payhere");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body(body);
    guest.send(request, Method::POST, "/webhooks/payhere").await
}

/// Starts a checkout. Returns the path of the payment page and the order id.
async fn start_order(user: &Client, plan: &str) -> (String, String) {
    let reply = user.post("/subscriptions/user/subscribe", &json!({"plan": plan})).await.expect(200);
    let url = reply["data"]["subscription"]["checkoutUrl"].as_str().unwrap().to_owned();
    let path = url[url.find("/payments").unwrap()..].to_owned();
    let order = path.rsplit('/').next().unwrap().split('?').next().unwrap().to_owned();
    (path, order)
}

#[tokio::test]
async fn payhere_form_is_signed() {
    let server = start_payhere().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    let (path, order) = start_order(&user, "professional").await;
    let page = portal.guest().get_unchecked(&path).await;
    assert_eq!(page.status, 200);
    let form = form_fields(&page.text());
    assert_eq!(form["hash"], md5_hex(&format!("{MERCHANT_ID}{order}5000.00LKR{}", md5_hex(MERCHANT_SECRET))));
    for (name, value) in [
        ("merchant_id", MERCHANT_ID),
        ("order_id", &order),
        ("amount", "5000.00"),
        ("currency", "LKR"),
        ("recurrence", "1 Month"),
        ("duration", "Forever"),
        ("first_name", "nimal"),
        ("last_name", "Perera"),
        ("email", "nimal@example.lk"),
        ("items", "Professional, monthly"),
    ] {
        assert_eq!(form[name], value, "{name}");
    }
    assert!(form["notify_url"].ends_with("/api/webhooks/payhere"));
    assert!(form["return_url"].ends_with(&format!("/subscription/success?session_id={order}")));
    for required in ["phone", "address", "city", "country", "cancel_url"] {
        assert!(!form[required].is_empty(), "{required}");
    }
    assert!(!page.text().contains(MERCHANT_SECRET), "the page contains the secret");
    let policy = page.header("content-security-policy");
    assert!(policy.contains(&format!("form-action {}/pay/checkout;", server.uri())), "{policy}");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    // Without a valid signature in the URL, the page is not found. Guessed URLs reveal no names.
    let bare = path.split('?').next().unwrap();
    for other in
        [bare.to_owned(), format!("{bare}?signature=x"), path.replace(&order, &order.replace('0', "1"))]
    {
        assert_eq!(portal.guest().get_unchecked(&other).await.status, 404, "{other}");
    }
    // The page is translated. The name of the plan that is sent to PayHere stays English.
    assert!(page.text().contains("<button type=\"submit\">Continue to PayHere</button>"));
    user.put("/auth/profile", &json!({"language": "ta"})).await.expect(200);
    let page = portal.guest().get_unchecked(&path).await.text();
    assert!(page.contains("<html lang=\"ta\">") && page.contains("PayHere இற்குச் செல்க"), "{page}");
    assert_eq!(form_fields(&page)["items"], "Professional, monthly");
}

#[tokio::test]
async fn payhere_notification_starts_the_plan_once() {
    let server = start_payhere().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    let (path, order) = start_order(&user, "professional").await;
    for (amount, change) in [
        ("5000.00", &[("md5sig", "00000000000000000000000000000000")][..]),
        ("5000.00", &[("md5sig", "")]),
        ("5000.00", &[("merchant_id", "1")]),
    ] {
        send_notification(&portal, &order, amount, change).await.expect_error(400);
    }
    for (amount, change) in [
        // These payments are pending, cancelled and declined.
        ("5000.00", &[("status_code", "0")][..]),
        ("5000.00", &[("status_code", "-1")]),
        ("5000.00", &[("status_code", "-2"), ("message_type", "AUTHORIZATION_FAILED")]),
        // This order belongs to another shop of the same merchant.
        ("5000.00", &[("order_id", "ItemNo12345")]),
    ] {
        send_notification(&portal, &order, amount, change).await.expect(200);
    }
    user.get("/subscriptions/user/current").await.expect_error(404);
    for _ in 0..2 {
        send_notification(&portal, &order, "5000.00", &[]).await.expect(200);
    }
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    assert_eq!(list_invoices(&user).await.len(), 1);
    assert_eq!(portal.guest().get_unchecked(&path).await.status, 404, "a paid order has no payment page");
    // The checksum does not cover the payment id, the message type and the subscription id. A
    // repeated notification with other values of these fields has no effect.
    let end = current_subscription(&user).await["endDate"].clone();
    for change in [
        &[("payment_id", "1")][..],
        &[("payment_id", "2"), ("message_type", "RECURRING_INSTALLMENT_SUCCESS")],
        &[("payment_id", "3"), ("message_type", "RECURRING_INSTALLMENT_SUCCESS"), ("subscription_id", "9")],
    ] {
        send_notification(&portal, &order, "5000.00", change).await.expect(200);
        assert_eq!(current_subscription(&user).await["endDate"], end);
    }
    assert_eq!(list_invoices(&user).await.len(), 1);
}

#[tokio::test]
async fn wrong_amount_or_currency_starts_no_plan() {
    let server = start_payhere().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    for (nth, (amount, currency)) in
        [("1.00", "LKR"), ("5000.00", "USD"), ("5000.01", "LKR")].into_iter().enumerate()
    {
        portal.advance(601);
        let (_, order) = start_order(&user, "professional").await;
        let payment = nth.to_string();
        send_notification(
            &portal,
            &order,
            amount,
            &[("payhere_currency", currency), ("payment_id", &payment)],
        )
        .await
        .expect(200);
        user.get("/subscriptions/user/current").await.expect_error(404);
    }
    let (_, order) = start_order(&user, "basic").await;
    for rubbish in ["", "many", "1e9", "-2000.00", "2000.000"] {
        send_notification(&portal, &order, rubbish, &[]).await.expect_error(400);
    }
    send_notification(&portal, &order, "2000.00", &[("payment_id", "a\u{0}b")]).await.expect_error(400);
    send_notification(&portal, &order, "2000.00", &[("payment_id", "")]).await.expect_error(400);
}

#[tokio::test]
async fn payhere_renewal_failure_and_cancellation_change_the_subscription() {
    let server = start_payhere().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    let (_, order) = start_order(&user, "professional").await;
    send_notification(&portal, &order, "5000.00", &[]).await.expect(200);
    portal.advance(30 * DAY + 60);
    let renewed = [("payment_id", "2"), ("message_type", "RECURRING_INSTALLMENT_SUCCESS")];
    send_notification(&portal, &order, "5000.00", &renewed).await.expect(200);
    let user = portal.sign_in("nimal").await;
    assert_eq!(current_subscription(&user).await["endDate"], "2027-01-20T12:00:00+05:30");
    portal.advance(31 * DAY);
    let failed =
        [("payment_id", "3"), ("message_type", "RECURRING_INSTALLMENT_FAILED"), ("status_code", "-2")];
    send_notification(&portal, &order, "5000.00", &failed).await.expect(200);
    find_mail(&portal, "nimal@example.lk", "could not be charged").await;
    let again = [("payment_id", "4"), ("message_type", "RECURRING_INSTALLMENT_SUCCESS")];
    send_notification(&portal, &order, "5000.00", &again).await.expect(200);
    let user = portal.sign_in("nimal").await;
    let paid = current_subscription(&user).await;
    assert_eq!((&paid["unpaidSince"], &paid["endDate"]), (&Value::Null, &json!("2027-02-20T12:00:00+05:30")));

    // PayHere gets a cancellation two days before the end of the period. Until then the user can
    // resume the plan.
    let cancel = json!({"subscription_id": "420075044317"});
    Mock::given(method("POST"))
        .and(path("/merchant/v1/subscription/cancel"))
        .and(header("authorization", "Bearer t0ken"))
        .and(body_json(&cancel))
        .respond_with(ResponseTemplate::new(200).set_body_json(json!({"status": -1, "msg": "hush"})))
        .up_to_n_times(1)
        .mount(&server)
        .await;
    Mock::given(method("POST"))
        .and(path("/merchant/v1/subscription/cancel"))
        .and(header("authorization", "Bearer t0ken"))
        .and(body_json(&cancel))
        .respond_with(
            ResponseTemplate::new(200).set_body_json(json!({"status": 1, "msg": "Successfully cancelled"})),
        )
        .mount(&server)
        .await;
    user.post("/subscriptions/user/cancel", &json!({})).await.expect(200);
    user.post("/subscriptions/user/keep", &json!({})).await.expect(200);
    assert_eq!(current_subscription(&user).await["autoRenew"], true);
    user.post("/subscriptions/user/cancel", &json!({})).await.expect(200);
    lifecycle::run_due(&portal.state.billing()).await.unwrap();
    let cancels = async || {
        let requests = server.received_requests().await.unwrap();
        requests.iter().filter(|request| request.url.path().ends_with("/cancel")).count()
    };
    assert_eq!(cancels().await, 0);
    portal.advance(29 * DAY);
    wait_for(
        &portal.state.db,
        "select exists (select from payment_task where attempts = 1 and last_error is not null)",
    )
    .await;
    let user = portal.sign_in("nimal").await;
    user.post("/subscriptions/user/keep", &json!({})).await.expect_error(409);
    portal.advance(61);
    wait_for(
        &portal.state.db,
        "select agreement_ended_at is not null from subscription where status = 'active'",
    )
    .await;
    assert_eq!(cancels().await, 2);
    portal.advance(2 * DAY);
    wait_for(&portal.state.db, "select status = 'expired' from subscription").await;
}

#[tokio::test]
async fn payhere_upgrade_gets_a_credit_and_downgrade_is_paid_manually() {
    let server = start_payhere().await;
    let portal = start_portal(&server).await;
    let ended = json!({"status": 1, "msg": "Successfully cancelled"});
    Mock::given(method("POST"))
        .and(path("/merchant/v1/subscription/cancel"))
        .respond_with(ResponseTemplate::new(200).set_body_json(ended))
        .mount(&server)
        .await;
    let user = portal.user("nimal", "supplier").await;
    confirm_address(&portal, "nimal").await;
    let (_, first) = start_order(&user, "basic").await;
    send_notification(&portal, &first, "2000.00", &[]).await.expect(200);
    portal.advance(15 * DAY);
    let user = portal.sign_in("nimal").await;
    // An upgrade takes effect at once. The credit is sent as a negative startup fee. The form's
    // hash covers the amount of the first charge.
    let (path, second) = start_order(&user, "professional").await;
    let form = form_fields(&portal.guest().get_unchecked(&path).await.text());
    assert_eq!((form["amount"].as_str(), form["startup_fee"].as_str()), ("5000.00", "-1000.00"));
    assert_eq!(
        form["hash"],
        md5_hex(&format!("{MERCHANT_ID}{second}4000.00LKR{}", md5_hex(MERCHANT_SECRET)))
    );
    send_notification(&portal, &second, "4000.00", &[("payment_id", "2"), ("subscription_id", "5")])
        .await
        .expect(200);
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    wait_for(&portal.state.db, "select count(*) = 1 from subscription where agreement_ended_at is not null")
        .await;
    // A downgrade takes effect at the end of the period. The user pays for the new plan manually,
    // within the grace period.
    let changed = user.put("/subscriptions/user/update", &json!({"plan": "basic"})).await.expect(200);
    assert_eq!(changed["data"]["subscription"]["next"]["byHand"], true);
    portal.advance(31 * DAY);
    find_mail(&portal, "nimal@example.lk", "your plan is now Basic by the month").await;
    let user = portal.sign_in("nimal").await;
    let due = current_subscription(&user).await;
    assert_eq!((&due["plan"], &due["price"]), (&json!("basic"), &json!(2000.0)));
    assert_ne!(due["unpaidSince"], Value::Null);
    let (_, third) = start_order(&user, "basic").await;
    send_notification(&portal, &third, "2000.00", &[("payment_id", "3"), ("subscription_id", "6")])
        .await
        .expect(200);
    let paid = current_subscription(&user).await;
    assert_eq!(
        (&paid["plan"], &paid["unpaidSince"], &paid["autoRenew"]),
        (&json!("basic"), &Value::Null, &json!(true))
    );
}

#[tokio::test]
async fn payment_is_queried_if_the_payhere_notification_is_lost() {
    let server = start_payhere().await;
    let portal = start_portal(&server).await;
    let user = portal.user("nimal", "supplier").await;
    let (_, order) = start_order(&user, "professional").await;
    let answers = async |body: Value| {
        Mock::given(method("GET"))
            .and(path("/merchant/v1/payment/search"))
            .and(query_param("order_id", &order))
            .and(header("authorization", "Bearer t0ken"))
            .respond_with(ResponseTemplate::new(200).set_body_json(body))
            .up_to_n_times(1)
            .mount(&server)
            .await;
    };
    let verify = async || {
        portal.advance(3);
        user.get(&format!("/subscriptions/verify-session/{order}")).await.expect(200)["success"].clone()
    };
    let payment = |status: &str, order: &str| {
        json!({"status": 1, "msg": "Payments with order_id", "data": [{"payment_id": 320_025_071_278_u64,
            "order_id": order, "status": status, "currency": "LKR", "amount": 5000}]})
    };
    for body in [
        json!({"status": -1, "msg": "No payments found", "data": null}),
        json!([]),
        payment("REFUNDED", &order),
        payment("RECEIVED", "another"),
    ] {
        answers(body).await;
        assert_eq!(verify().await, false);
    }
    answers(payment("RECEIVED", &order)).await;
    assert_eq!(verify().await, true);
    assert_eq!(current_subscription(&user).await["plan"], "professional");
    // The notification arrives later and contains the agreement id.
    send_notification(&portal, &order, "5000.00", &[("payment_id", "320025071278")]).await.expect(200);
    assert_eq!(list_invoices(&user).await.len(), 1);
    wait_for(&portal.state.db, "select agreement = '420075044317' from subscription").await;
}
