//! Alert channels besides mail: telephones and webhooks.

use crate::support::{Client, TestPortal, mailbox, poll, publishing, wait_for, wait_until};
use axum::http::Method;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::Duration;
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::method};

const SMS_ADDRESS: &str = "94771234567@sms.invalid";

/// Creates a subscriber with a confirmed address.
async fn create_subscriber(portal: &TestPortal, name: &str, plan: &str) -> Client {
    portal.subscriber(name, "supplier", Some(plan)).await
}

fn alert_form(keyword: &str, channels: Value, mails: bool) -> Value {
    json!({"name": format!("Looks for {keyword}"), "keywords": [{"term": keyword}], "channels": channels,
        "emailSettings": {"enabled": mails}})
}

/// Publishes a tender and moves the clock past the collection time of immediate messages.
async fn publish_tender(portal: &TestPortal, nth: u32, title: &str) {
    let token = portal.operator_token().await;
    let base = format!("http://{}", portal.address);
    publishing::publish(&base, &token, nth, title).await;
    wait_until_matched(portal).await;
    portal.advance(60);
}

async fn wait_until_matched(portal: &TestPortal) {
    wait_for(
        &portal.state.db,
        "select (select min(position) from matcher_shard) = (select position from change_head)",
    )
    .await;
}

/// Waits for `count` messages to the telephone and returns the code in one of them.
async fn received_code(portal: &TestPortal, count: usize) -> String {
    received_codes(portal, count).await.pop().unwrap()
}

/// Waits for `count` messages to the telephone and returns their codes, in any order.
async fn received_codes(portal: &TestPortal, count: usize) -> Vec<String> {
    let mails = mailbox::mails(portal, SMS_ADDRESS, count).await;
    let code = |mail: &Vec<u8>| mailbox::text(mail).split_whitespace().next().unwrap().to_owned();
    mails.iter().map(code).collect()
}

#[tokio::test]
async fn confirmed_telephone_gets_alerts() {
    let portal = TestPortal::start().await;
    let user = create_subscriber(&portal, "nimal", "enterprise").await;
    let channels = user.get("/channels").await.expect(200)["data"].clone();
    assert_eq!(channels, json!({"offered": ["sms", "whatsapp", "webhook"], "phone": null, "webhook": null}));
    user.put("/channels/phone", &json!({"number": "011 234 5678"})).await.expect_error(422);
    user.put("/channels/phone", &json!({"number": "077 123 4567"})).await.expect(200);
    let made = user.post("/alerts", &alert_form("bridges", json!(["sms", "sms"]), true)).await.expect(201);
    let made = &made["data"]["alert"];
    assert_eq!((&made["channels"], &made["silentChannels"]), (&json!(["sms"]), &json!(["sms"])));

    // Before the number is confirmed, the telephone gets only the code.
    publish_tender(&portal, 1, "Construction of bridges").await;
    mailbox::find_mail(&portal, "nimal@example.lk", "Construction of bridges 1").await;
    let code = received_code(&portal, 1).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    user.post("/channels/phone/confirm", &json!({"code": wrong})).await.expect_error(422);
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    user.post("/channels/phone/confirm", &json!({"code": spaced})).await.expect(200);
    user.post("/channels/phone/confirm", &json!({"code": code})).await.expect_error(422);
    let phone = user.get("/channels").await.expect(200)["data"]["phone"].clone();
    assert_eq!(phone, json!({"number": "+94771234567", "isConfirmed": true, "codeUntil": null}));

    publish_tender(&portal, 2, "Repair of bridges").await;
    let text = mailbox::find_mail(&portal, SMS_ADDRESS, "Repair of bridges 2").await;
    assert!(text.starts_with("New tender: Repair of bridges 2 (") && text.contains("/tenders/"), "{text}");
    assert!(!text.contains("Construction"), "{text}");
    mailbox::find_mail(&portal, "nimal@example.lk", "Repair of bridges 2").await;
    assert_trace(&portal, &user, &text).await;

    // A confirmed number stays confirmed when the user enters it again. A new number is
    // unconfirmed.
    user.put("/channels/phone", &json!({"number": "+94 77 123 4567"})).await.expect(200);
    assert_eq!(user.get("/channels").await.expect(200)["data"]["phone"]["isConfirmed"], true);
    user.put("/channels/phone", &json!({"number": "077 765 4321"})).await.expect(200);
    assert_eq!(user.get("/channels").await.expect(200)["data"]["phone"]["isConfirmed"], false);
    user.delete("/channels/phone").await.expect(200);
    user.delete("/channels/phone").await.expect_error(404);
}

/// Checks that an operator can trace the deliveries of the tender in a message, and that the user
/// cannot.
async fn assert_trace(portal: &TestPortal, user: &Client, text: &str) {
    let path = format!("/tenders/{}/trace", text.split("/tenders/").nth(1).unwrap().trim());
    wait_for(
        &portal.state.db,
        "select count(*) filter (where channel = 'sms') = 2 and bool_and(state = 'sent') from delivery",
    )
    .await;
    user.get(&path).await.expect_error(403);
    let operator = portal.operator().await;
    let trace = operator.get(&path).await.expect(200)["data"].clone();
    let change = &trace["changes"][0];
    assert_eq!(
        (&change["revision"], &change["matches"], &change["isMatched"]),
        (&json!(1), &json!(1), &json!(true))
    );
    let recipient = &trace["told"][0];
    assert_eq!(
        (&recipient["user"], &recipient["alert"]["name"]),
        (&json!("nimal@example.lk"), &json!("Looks for bridges"))
    );
    let mut sent: Vec<_> = recipient["deliveries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sent| (sent["channel"].as_str(), sent["state"].as_str(), sent["address"].as_str()))
        .collect();
    sent.sort();
    assert_eq!(
        sent,
        [
            (Some("email"), Some("sent"), Some("nimal@example.lk")),
            (Some("sms"), Some("sent"), Some("sms:+94771234567")),
        ]
    );
    operator.get("/tenders/00000000-0000-7000-8000-000000000000/trace").await.expect_error(404);
}

#[tokio::test]
async fn phone_codes_expire_and_are_limited() {
    let portal = TestPortal::start().await;
    let user = create_subscriber(&portal, "nimal", "enterprise").await;
    let form = json!({"number": "077 123 4567"});
    user.put("/channels/phone", &form).await.expect(200);
    let first = received_code(&portal, 1).await;
    portal.advance(601);
    user.post("/channels/phone/confirm", &json!({"code": first})).await.expect_error(422);
    user.put("/channels/phone", &form).await.expect(200);
    wait_for(&portal.state.db, "select count(*) = 2 from delivery where channel = 'sms' and state = 'sent'")
        .await;
    for guess in ["", "1", "12345", "1234567", "zzzzzz"] {
        user.post("/channels/phone/confirm", &json!({"code": guess})).await.expect_error(422);
    }
    // After five wrong codes, the right one is refused.
    let codes = received_codes(&portal, 2).await;
    let second = codes.iter().find(|code| **code != first).unwrap();
    user.post("/channels/phone/confirm", &json!({"code": second})).await.expect_error(422);
    for _ in 0..3 {
        user.put("/channels/phone", &form).await.expect(200);
    }
    user.put("/channels/phone", &form).await.expect_error(429);
    // The limit also applies to another account with the same number.
    let other = create_subscriber(&portal, "kamala", "enterprise").await;
    other.put("/channels/phone", &form).await.expect_error(429);
}

#[tokio::test]
async fn direct_channels_require_a_valid_plan() {
    let portal = TestPortal::start().await;
    let user = create_subscriber(&portal, "kamala", "professional").await;
    for (path, body) in [
        ("/channels/phone", json!({"number": "077 123 4567"})),
        ("/channels/webhook", json!({"url": "https://hooks.example.lk/"})),
    ] {
        let refusal = user.put(path, &body).await.expect(403);
        assert_eq!((&refusal["code"], &refusal["plan"]), (&json!("plan"), &json!("enterprise")));
    }
    user.post("/alerts", &alert_form("bridges", json!(["sms"]), true)).await.expect_error(403);
    user.post("/alerts", &alert_form("bridges", json!(["pigeon"]), true)).await.expect_error(422);

    let user = create_subscriber(&portal, "nimal", "enterprise").await;
    user.put("/channels/phone", &json!({"number": "077 123 4567"})).await.expect(200);
    user.post("/channels/phone/confirm", &json!({"code": received_code(&portal, 1).await})).await.expect(200);
    user.post("/alerts", &alert_form("bridges", json!(["sms"]), false)).await.expect(201);
    sqlx::query("update subscription set plan = 'professional'").execute(&portal.state.db).await.unwrap();
    publish_tender(&portal, 1, "Construction of bridges").await;
    let of_items = "select count(*) from delivery_item";
    assert_eq!(sqlx::query_scalar::<_, i64>(of_items).fetch_one(&portal.state.db).await.unwrap(), 0);
    sqlx::query("update subscription set plan = 'enterprise'").execute(&portal.state.db).await.unwrap();
    publish_tender(&portal, 2, "Construction of bridges").await;
    let text = mailbox::find_mail(&portal, SMS_ADDRESS, "Construction of bridges 2").await;
    assert!(!text.contains("bridges 1"), "{text}");
    // The alert sends no mails.
    let mails = sqlx::query_scalar::<_, i64>(
        "select count(*) from delivery where channel = 'email' and kind = 'alerts'",
    );
    assert_eq!(mails.fetch_one(&portal.state.db).await.unwrap(), 0);
}

/// Starts a webhook endpoint that responds with this status.
async fn start_endpoint(status: u16) -> MockServer {
    let server = MockServer::start().await;
    set_status(&server, status).await;
    server
}

/// Changes the status with which an endpoint responds, and forgets the calls so far.
async fn set_status(server: &MockServer, status: u16) {
    server.reset().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(status)).mount(server).await;
}

/// Waits for at least `count` calls since the status was last set, and returns all of them.
async fn wait_for_calls(server: &MockServer, count: usize) -> Vec<Request> {
    let calls = poll(async || server.received_requests().await.filter(|calls| calls.len() >= count)).await;
    calls.unwrap_or_else(|| panic!("fewer than {count} calls"))
}

fn header<'r>(call: &'r Request, name: &str) -> &'r str {
    call.headers.get(name).unwrap().to_str().unwrap()
}

/// Whether a call has the signature that Standard Webhooks requires for this secret.
fn is_signed(call: &Request, secret: &str) -> bool {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.", header(call, "webhook-id"), header(call, "webhook-timestamp")).as_bytes());
    mac.update(&call.body);
    header(call, "webhook-signature") == format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[tokio::test]
async fn webhook_calls_are_signed_and_keep_their_id() {
    let portal = TestPortal::start_with(&["--webhooks-to-private"]).await;
    let user = create_subscriber(&portal, "nimal", "enterprise").await;
    let server = start_endpoint(503).await;
    let url = format!("{}/hook?key=1", server.uri());
    let saved = user.put("/channels/webhook", &json!({"url": url})).await.expect(200);
    let secret = saved["data"]["secret"].as_str().unwrap().to_owned();
    user.post("/alerts", &alert_form("bridges", json!(["webhook"]), false)).await.expect(201);
    publish_tender(&portal, 1, "Construction of bridges").await;
    let first = wait_for_calls(&server, 1).await.remove(0);
    assert!(is_signed(&first, &secret));
    wait_for(
        &portal.state.db,
        "select exists (select from delivery where channel = 'webhook' and state = 'retry')",
    )
    .await;
    let seen = user.get("/channels").await.expect(200)["data"]["webhook"].clone();
    assert_eq!(
        (&seen["calls"][0]["state"], &seen["calls"][0]["error"]),
        (&json!("waiting"), &json!("failed for now: it answers 503"))
    );
    assert!(seen["failingSince"].is_string() && seen["offAt"].is_null());

    set_status(&server, 204).await;
    portal.advance(61);
    let again = wait_for_calls(&server, 1).await.remove(0);
    assert!(is_signed(&again, &secret));
    assert_eq!((header(&again, "webhook-id"), &again.body), (header(&first, "webhook-id"), &first.body));
    assert_ne!(header(&again, "webhook-timestamp"), header(&first, "webhook-timestamp"));
    wait_for(&portal.state.db, "select failing_since is null from webhook").await;
    let body: Value = serde_json::from_slice(&again.body).unwrap();
    assert_eq!(
        (&body["type"], body["items"].as_array().unwrap().len(), &body["more"]),
        (&json!("tenders"), 1, &json!(0))
    );
    let item = &body["items"][0];
    assert_eq!(
        (&item["event"], &item["tender"]["title"]),
        (&json!("new"), &json!("Construction of bridges 1"))
    );
    assert_eq!(item["alerts"][0]["keyword"], "bridges");
    assert!(item["url"].as_str().unwrap().ends_with(item["tender"]["_id"].as_str().unwrap()));
    assert!(item["tender"]["fullTextMarkdown"].as_str().unwrap_or_default().is_empty());

    // Saving again keeps the secret and does not show it. A new secret takes effect at once.
    assert!(
        user.put("/channels/webhook", &json!({"url": url})).await.expect(200)["data"]["secret"].is_null()
    );
    let renewed = user.request(Method::POST, "/channels/webhook/secret");
    let renewed =
        user.send(renewed, Method::POST, "/channels/webhook/secret").await.expect(200)["data"]["secret"]
            .clone();
    let test = user.request(Method::POST, "/channels/webhook/test");
    user.send(test, Method::POST, "/channels/webhook/test").await.expect(200);
    let tried = wait_for_calls(&server, 2).await.remove(1);
    assert!(is_signed(&tried, renewed.as_str().unwrap()) && !is_signed(&tried, &secret));
    assert_eq!(serde_json::from_slice::<Value>(&tried.body).unwrap()["type"], "test");
}

#[tokio::test]
async fn failing_webhook_is_disabled_and_gets_missed_calls_later() {
    let portal = TestPortal::start_with(&["--webhooks-to-private"]).await;
    let user = create_subscriber(&portal, "nimal", "enterprise").await;
    let server = start_endpoint(500).await;
    let form = json!({"url": server.uri()});
    user.put("/channels/webhook", &form).await.expect(200);
    user.post("/alerts", &alert_form("bridges", json!(["webhook"]), true)).await.expect(201);
    publish_tender(&portal, 1, "Construction of bridges").await;
    wait_for_calls(&server, 1).await;
    // Run every attempt when it is due, until the last one.
    for (attempt, minutes) in [1, 5, 15, 30, 60, 180, 360, 540, 720, 960].into_iter().enumerate() {
        wait_for_attempts(&portal, attempt + 1).await;
        portal.advance(minutes * 60 + 1);
    }
    wait_for(
        &portal.state.db,
        "select exists (select from delivery where channel = 'webhook' and state = 'dead')",
    )
    .await;
    wait_for(&portal.state.db, "select off_at is not null from webhook").await;
    mailbox::find_mail(&portal, "nimal@example.lk", "Your webhook has accepted none of our calls").await;
    let user = portal.sign_in("nimal").await;
    let alerts = user.get("/alerts").await.expect(200);
    assert_eq!(alerts["data"]["alerts"][0]["silentChannels"], json!(["webhook"]));
    publish_tender(&portal, 2, "Repair of bridges").await;
    mailbox::find_mail(&portal, "nimal@example.lk", "Repair of bridges 2").await;

    set_status(&server, 200).await;
    user.put("/channels/webhook", &form).await.expect(200);
    let missed = wait_for_calls(&server, 1).await;
    let body: Value = serde_json::from_slice(&missed[0].body).unwrap();
    assert_eq!(
        (missed.len(), &body["items"][0]["tender"]["title"]),
        (1, &json!("Construction of bridges 1"))
    );
}

/// Waits until the webhook's message was tried at least this many times and no attempt is running.
async fn wait_for_attempts(portal: &TestPortal, count: usize) {
    wait_until(&format!("{count} attempts"), async || {
        let tried: i32 = sqlx::query_scalar(
            "select attempts from delivery where channel = 'webhook' and state in ('retry', 'dead')",
        )
        .fetch_optional(&portal.state.db)
        .await
        .unwrap()
        .unwrap_or_default();
        usize::try_from(tried).unwrap() >= count
    })
    .await;
}

#[tokio::test]
async fn webhook_calls_reach_no_private_address_and_follow_no_redirect() {
    let portal = TestPortal::start().await;
    let user = create_subscriber(&portal, "nimal", "enterprise").await;
    let inside = start_endpoint(200).await;
    for url in [
        inside.uri(),
        "https://127.0.0.1/".into(),
        "https://[::1]/".into(),
        "https://portal/".into(),
        "x".repeat(600),
    ] {
        user.put("/channels/webhook", &json!({"url": url})).await.expect_error(422);
    }
    // A stored URL can later lead to a private address. The direct update simulates this.
    user.put("/channels/webhook", &json!({"url": "https://hooks.example.lk/"})).await.expect(200);
    sqlx::query("update webhook set url = $1").bind(inside.uri()).execute(&portal.state.db).await.unwrap();
    let test = user.request(Method::POST, "/channels/webhook/test");
    user.send(test, Method::POST, "/channels/webhook/test").await.expect(200);
    wait_for(
        &portal.state.db,
        "select exists (select from delivery where channel = 'webhook' and state = 'dead')",
    )
    .await;
    assert!(inside.received_requests().await.unwrap().is_empty());

    // A redirect counts as a failure and is not followed.
    let portal = TestPortal::start_with(&["--webhooks-to-private"]).await;
    let user = create_subscriber(&portal, "kamala", "enterprise").await;
    let there = start_endpoint(200).await;
    let away = MockServer::start().await;
    let redirect = ResponseTemplate::new(307).insert_header("location", there.uri().as_str());
    Mock::given(method("POST")).respond_with(redirect).mount(&away).await;
    user.put("/channels/webhook", &json!({"url": away.uri()})).await.expect(200);
    let test = user.request(Method::POST, "/channels/webhook/test");
    user.send(test, Method::POST, "/channels/webhook/test").await.expect(200);
    wait_for_calls(&away, 1).await;
    wait_for(
        &portal.state.db,
        "select exists (select from delivery where last_error like '%it answers 307')",
    )
    .await;
    assert!(there.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn hanging_endpoint_does_not_delay_others() {
    let portal = TestPortal::start_with(&["--webhooks-to-private"]).await;
    let slow = MockServer::start().await;
    let hanging = ResponseTemplate::new(200).set_delay(Duration::from_secs(60));
    Mock::given(method("POST")).respond_with(hanging).mount(&slow).await;
    let quick = start_endpoint(200).await;
    for (name, server) in [("nimal", &slow), ("kamala", &quick)] {
        let user = create_subscriber(&portal, name, "enterprise").await;
        user.put("/channels/webhook", &json!({"url": server.uri()})).await.expect(200);
        for keyword in ["bridges", "construction"] {
            user.post("/alerts", &alert_form(keyword, json!(["webhook"]), false)).await.expect(201);
        }
    }
    publish_tender(&portal, 1, "Construction of bridges").await;
    assert_eq!(wait_for_calls(&quick, 2).await.len(), 2);
    assert_eq!(wait_for_calls(&slow, 1).await.len(), 1);
}
