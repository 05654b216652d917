//! What alerts go by besides mail: telephones and webhooks.

use crate::support::{Client, TestPortal, mailbox, publishing};
use axum::http::Method;
use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use std::time::Duration;
use wiremock::{Mock, MockServer, Request, ResponseTemplate, matchers::method};

const SMS: &str = "94771234567@sms.invalid";

/// Somebody on a plan whose address is confirmed.
async fn subscribed(portal: &TestPortal, name: &str, plan: &str) -> Client {
    portal.subscriber(name, "supplier", Some(plan)).await
}

fn alert(keyword: &str, channels: Value, mails: bool) -> Value {
    json!({"name": format!("Looks for {keyword}"), "keywords": [{"term": keyword}], "channels": channels,
        "emailSettings": {"enabled": mails}})
}

/// Publishes a tender, and lets the time pass in which an immediate message collects.
async fn published(portal: &TestPortal, nth: u32, title: &str) {
    let token =
        api::cli::commands::create_token(&portal.state.db, "test", &portal.state.clock, &portal.state.random);
    let base = format!("http://{}", portal.address);
    publishing::publish(&base, &token.await.unwrap(), nth, title).await;
    matched(portal).await;
    portal.pass(60);
}

async fn matched(portal: &TestPortal) {
    until(portal, "select (select position from matcher_position) = (select position from change_head)")
        .await;
}

async fn until(portal: &TestPortal, question: &'static str) {
    for _ in 0..400 {
        if sqlx::query_scalar::<_, bool>(question).fetch_one(&portal.state.db).await.unwrap() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("not within ten seconds: {question}");
}

/// The code in the newest message to the telephone.
async fn code(portal: &TestPortal, count: usize) -> String {
    let mails = mailbox::mails(portal, SMS, count).await;
    let mut codes =
        mails.iter().map(|mail| mailbox::text(mail).split_whitespace().next().unwrap().to_owned());
    codes.next_back().unwrap()
}

#[tokio::test]
async fn a_telephone_is_confirmed_by_a_code_and_then_gets_what_the_alert_finds() {
    let portal = TestPortal::start().await;
    let user = subscribed(&portal, "nimal", "enterprise").await;
    let channels = user.get("/channels").await.expect(200)["data"].clone();
    assert_eq!(channels, json!({"offered": ["sms", "whatsapp", "webhook"], "phone": null, "webhook": null}));
    user.put("/channels/phone", &json!({"number": "011 234 5678"})).await.refused(422);
    user.put("/channels/phone", &json!({"number": "077 123 4567"})).await.expect(200);
    let made = user.post("/alerts", &alert("bridges", json!(["sms", "sms"]), true)).await.expect(201);
    let made = &made["data"]["alert"];
    assert_eq!((&made["channels"], &made["silentChannels"]), (&json!(["sms"]), &json!(["sms"])));

    // Not confirmed, it gets nothing but the code.
    published(&portal, 1, "Construction of bridges").await;
    mailbox::letter(&portal, "nimal@example.lk", "Construction of bridges 1").await;
    let code = code(&portal, 1).await;
    let wrong = if code == "000000" { "000001" } else { "000000" };
    user.post("/channels/phone/confirm", &json!({"code": wrong})).await.refused(422);
    let spaced = format!(" {} {} ", &code[..3], &code[3..]);
    user.post("/channels/phone/confirm", &json!({"code": spaced})).await.expect(200);
    user.post("/channels/phone/confirm", &json!({"code": code})).await.refused(422);
    let phone = user.get("/channels").await.expect(200)["data"]["phone"].clone();
    assert_eq!(phone, json!({"number": "+94771234567", "isConfirmed": true, "codeUntil": null}));

    published(&portal, 2, "Repair of bridges").await;
    let text = mailbox::letter(&portal, SMS, "Repair of bridges 2").await;
    assert!(text.starts_with("New tender: Repair of bridges 2 (") && text.contains("/tenders/"), "{text}");
    assert!(!text.contains("Construction"), "{text}");
    mailbox::letter(&portal, "nimal@example.lk", "Repair of bridges 2").await;
    traced(&portal, &user, &text).await;

    // The same number stays confirmed while another code is out; another number is not.
    user.put("/channels/phone", &json!({"number": "+94 77 123 4567"})).await.expect(200);
    assert_eq!(user.get("/channels").await.expect(200)["data"]["phone"]["isConfirmed"], true);
    user.put("/channels/phone", &json!({"number": "077 765 4321"})).await.expect(200);
    assert_eq!(user.get("/channels").await.expect(200)["data"]["phone"]["isConfirmed"], false);
    user.delete("/channels/phone").await.expect(200);
    user.delete("/channels/phone").await.refused(404);
}

/// From the tender that a message links to, an operator reads who was told and that it arrived; nobody else does.
async fn traced(portal: &TestPortal, user: &Client, text: &str) {
    let path = format!("/tenders/{}/trace", text.split("/tenders/").nth(1).unwrap().trim());
    until(
        portal,
        "select count(*) filter (where channel = 'sms') = 2 and bool_and(state = 'sent') from delivery",
    )
    .await;
    user.get(&path).await.refused(403);
    let operator = portal.operator().await;
    let trace = operator.get(&path).await.expect(200)["data"].clone();
    let change = &trace["changes"][0];
    assert_eq!(
        (&change["revision"], &change["matches"], &change["isMatched"]),
        (&json!(1), &json!(1), &json!(true))
    );
    let told = &trace["told"][0];
    assert_eq!(
        (&told["user"], &told["alert"]["name"]),
        (&json!("nimal@example.lk"), &json!("Looks for bridges"))
    );
    let mut sent: Vec<_> = told["deliveries"]
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
    operator.get("/tenders/00000000-0000-7000-8000-000000000000/trace").await.refused(404);
}

#[tokio::test]
async fn a_code_is_good_for_ten_minutes_and_five_guesses_and_there_are_five_a_day() {
    let portal = TestPortal::start().await;
    let user = subscribed(&portal, "nimal", "enterprise").await;
    let form = json!({"number": "077 123 4567"});
    user.put("/channels/phone", &form).await.expect(200);
    let first = code(&portal, 1).await;
    portal.pass(601);
    user.post("/channels/phone/confirm", &json!({"code": first})).await.refused(422);
    user.put("/channels/phone", &form).await.expect(200);
    until(&portal, "select count(*) = 2 from delivery where channel = 'sms' and state = 'sent'").await;
    for guess in ["", "1", "12345", "1234567", "zzzzzz"] {
        user.post("/channels/phone/confirm", &json!({"code": guess})).await.refused(422);
    }
    // The right one comes too late.
    let sent: String = sqlx::query_scalar(
        "select left(convert_from(content, 'UTF8'), 6) from delivery where channel = 'sms' order by sealed_at desc, id desc limit 1",
    )
    .fetch_one(&portal.state.db)
    .await
    .unwrap();
    user.post("/channels/phone/confirm", &json!({"code": sent})).await.refused(422);
    for _ in 0..3 {
        user.put("/channels/phone", &form).await.expect(200);
    }
    user.put("/channels/phone", &form).await.refused(429);
    // Nor can another account be used to send that telephone more.
    let other = subscribed(&portal, "kamala", "enterprise").await;
    other.put("/channels/phone", &form).await.refused(429);
}

#[tokio::test]
async fn only_plans_that_have_them_get_them_and_only_as_long_as_they_hold() {
    let portal = TestPortal::start().await;
    let user = subscribed(&portal, "kamala", "professional").await;
    for (path, body) in [
        ("/channels/phone", json!({"number": "077 123 4567"})),
        ("/channels/webhook", json!({"url": "https://hooks.example.lk/"})),
    ] {
        let refusal = user.put(path, &body).await.expect(403);
        assert_eq!((&refusal["code"], &refusal["plan"]), (&json!("plan"), &json!("enterprise")));
    }
    user.post("/alerts", &alert("bridges", json!(["sms"]), true)).await.refused(403);
    user.post("/alerts", &alert("bridges", json!(["pigeon"]), true)).await.refused(422);

    let user = subscribed(&portal, "nimal", "enterprise").await;
    user.put("/channels/phone", &json!({"number": "077 123 4567"})).await.expect(200);
    user.post("/channels/phone/confirm", &json!({"code": code(&portal, 1).await})).await.expect(200);
    user.post("/alerts", &alert("bridges", json!(["sms"]), false)).await.expect(201);
    sqlx::query("update subscription set plan = 'professional'").execute(&portal.state.db).await.unwrap();
    published(&portal, 1, "Construction of bridges").await;
    let of_items = "select count(*) from delivery_item";
    assert_eq!(sqlx::query_scalar::<_, i64>(of_items).fetch_one(&portal.state.db).await.unwrap(), 0);
    sqlx::query("update subscription set plan = 'enterprise'").execute(&portal.state.db).await.unwrap();
    published(&portal, 2, "Construction of bridges").await;
    let text = mailbox::letter(&portal, SMS, "Construction of bridges 2").await;
    assert!(!text.contains("bridges 1"), "{text}");
    // Mails are off, so none of it went by mail.
    let mails = sqlx::query_scalar::<_, i64>(
        "select count(*) from delivery where channel = 'email' and kind = 'alerts'",
    );
    assert_eq!(mails.fetch_one(&portal.state.db).await.unwrap(), 0);
}

/// An endpoint that answers with a status.
async fn endpoint(status: u16) -> MockServer {
    let server = MockServer::start().await;
    answer(&server, status).await;
    server
}

async fn answer(server: &MockServer, status: u16) {
    server.reset().await;
    Mock::given(method("POST")).respond_with(ResponseTemplate::new(status)).mount(server).await;
}

/// The calls so far, once there are so many.
async fn calls(server: &MockServer, count: usize) -> Vec<Request> {
    for _ in 0..400 {
        let calls = server.received_requests().await.unwrap();
        if calls.len() >= count {
            return calls;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("no {count} calls within ten seconds");
}

fn header<'r>(call: &'r Request, name: &str) -> &'r str {
    call.headers.get(name).unwrap().to_str().unwrap()
}

/// As a receiver verifies a call: Standard Webhooks.
fn is_signed(call: &Request, secret: &str) -> bool {
    let key = STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.", header(call, "webhook-id"), header(call, "webhook-timestamp")).as_bytes());
    mac.update(&call.body);
    header(call, "webhook-signature") == format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[tokio::test]
async fn a_webhook_is_called_with_what_alerts_find_signed_and_under_one_id() {
    let portal = TestPortal::with(&["--webhooks-to-private"]).await;
    let user = subscribed(&portal, "nimal", "enterprise").await;
    let server = endpoint(503).await;
    let url = format!("{}/hook?key=1", server.uri());
    let saved = user.put("/channels/webhook", &json!({"url": url})).await.expect(200);
    let secret = saved["data"]["secret"].as_str().unwrap().to_owned();
    user.post("/alerts", &alert("bridges", json!(["webhook"]), false)).await.expect(201);
    published(&portal, 1, "Construction of bridges").await;
    let first = calls(&server, 1).await.remove(0);
    assert!(is_signed(&first, &secret));
    until(&portal, "select exists (select from delivery where channel = 'webhook' and state = 'retry')")
        .await;
    let seen = user.get("/channels").await.expect(200)["data"]["webhook"].clone();
    assert_eq!(
        (&seen["calls"][0]["state"], &seen["calls"][0]["error"]),
        (&json!("waiting"), &json!("failed for now: it answers 503"))
    );
    assert!(seen["failingSince"].is_string() && seen["offAt"].is_null());

    answer(&server, 204).await;
    portal.pass(61);
    let again = calls(&server, 1).await.remove(0);
    assert!(is_signed(&again, &secret));
    assert_eq!((header(&again, "webhook-id"), &again.body), (header(&first, "webhook-id"), &first.body));
    assert_ne!(header(&again, "webhook-timestamp"), header(&first, "webhook-timestamp"));
    until(&portal, "select failing_since is null from webhook").await;
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

    // Saved again, the secret stays and is not told; a new one counts at once.
    assert!(
        user.put("/channels/webhook", &json!({"url": url})).await.expect(200)["data"]["secret"].is_null()
    );
    let renewed = user.request(Method::POST, "/channels/webhook/secret");
    let renewed =
        user.send(renewed, Method::POST, "/channels/webhook/secret").await.expect(200)["data"]["secret"]
            .clone();
    let test = user.request(Method::POST, "/channels/webhook/test");
    user.send(test, Method::POST, "/channels/webhook/test").await.expect(200);
    let tried = calls(&server, 2).await.remove(1);
    assert!(is_signed(&tried, renewed.as_str().unwrap()) && !is_signed(&tried, &secret));
    assert_eq!(serde_json::from_slice::<Value>(&tried.body).unwrap()["type"], "test");
}

#[tokio::test]
async fn a_webhook_that_takes_nothing_for_long_is_switched_off_and_gets_what_it_missed_once_it_is_on() {
    let portal = TestPortal::with(&["--webhooks-to-private"]).await;
    let user = subscribed(&portal, "nimal", "enterprise").await;
    let server = endpoint(500).await;
    let form = json!({"url": server.uri()});
    user.put("/channels/webhook", &form).await.expect(200);
    user.post("/alerts", &alert("bridges", json!(["webhook"]), true)).await.expect(201);
    published(&portal, 1, "Construction of bridges").await;
    calls(&server, 1).await;
    // Every attempt at its time, until it is given up.
    for (attempt, minutes) in [1, 5, 15, 30, 60, 180, 360, 540, 720, 960].into_iter().enumerate() {
        until_attempts(&portal, attempt + 1).await;
        portal.pass(minutes * 60 + 1);
    }
    until(&portal, "select exists (select from delivery where channel = 'webhook' and state = 'dead')").await;
    until(&portal, "select off_at is not null from webhook").await;
    mailbox::letter(&portal, "nimal@example.lk", "your webhook has taken none of our calls").await;
    let user = portal.signed_in("nimal").await;
    let alerts = user.get("/alerts").await.expect(200);
    assert_eq!(alerts["data"]["alerts"][0]["silentChannels"], json!(["webhook"]));
    published(&portal, 2, "Repair of bridges").await;
    mailbox::letter(&portal, "nimal@example.lk", "Repair of bridges 2").await;

    answer(&server, 200).await;
    user.put("/channels/webhook", &form).await.expect(200);
    let missed = calls(&server, 1).await;
    let body: Value = serde_json::from_slice(&missed[0].body).unwrap();
    assert_eq!(
        (missed.len(), &body["items"][0]["tender"]["title"]),
        (1, &json!("Construction of bridges 1"))
    );
}

/// Waits until the webhook's message was tried so often, and waits for another try or was given up.
async fn until_attempts(portal: &TestPortal, count: usize) {
    for _ in 0..400 {
        let tried: i32 = sqlx::query_scalar(
            "select attempts from delivery where channel = 'webhook' and state in ('retry', 'dead')",
        )
        .fetch_optional(&portal.state.db)
        .await
        .unwrap()
        .unwrap_or_default();
        if usize::try_from(tried).unwrap() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("not tried {count} times within ten seconds");
}

#[tokio::test]
async fn a_webhook_can_be_sent_neither_inside_nor_elsewhere() {
    let portal = TestPortal::start().await;
    let user = subscribed(&portal, "nimal", "enterprise").await;
    let inside = endpoint(200).await;
    for url in [
        inside.uri(),
        "https://127.0.0.1/".into(),
        "https://[::1]/".into(),
        "https://portal/".into(),
        "x".repeat(600),
    ] {
        user.put("/channels/webhook", &json!({"url": url})).await.refused(422);
    }
    // One that came into the table all the same, as a name may that pointed elsewhere before.
    user.put("/channels/webhook", &json!({"url": "https://hooks.example.lk/"})).await.expect(200);
    sqlx::query("update webhook set url = $1").bind(inside.uri()).execute(&portal.state.db).await.unwrap();
    let test = user.request(Method::POST, "/channels/webhook/test");
    user.send(test, Method::POST, "/channels/webhook/test").await.expect(200);
    until(&portal, "select exists (select from delivery where channel = 'webhook' and state = 'dead')").await;
    assert!(inside.received_requests().await.unwrap().is_empty());

    // A redirect is an answer like any other, and is not followed.
    let portal = TestPortal::with(&["--webhooks-to-private"]).await;
    let user = subscribed(&portal, "kamala", "enterprise").await;
    let there = endpoint(200).await;
    let away = MockServer::start().await;
    let redirect = ResponseTemplate::new(307).insert_header("location", there.uri().as_str());
    Mock::given(method("POST")).respond_with(redirect).mount(&away).await;
    user.put("/channels/webhook", &json!({"url": away.uri()})).await.expect(200);
    let test = user.request(Method::POST, "/channels/webhook/test");
    user.send(test, Method::POST, "/channels/webhook/test").await.expect(200);
    calls(&away, 1).await;
    until(&portal, "select exists (select from delivery where last_error like '%it answers 307')").await;
    assert!(there.received_requests().await.unwrap().is_empty());
}

#[tokio::test]
async fn one_endpoint_that_fails_holds_up_no_other_and_gets_one_call_at_a_time() {
    let portal = TestPortal::with(&["--webhooks-to-private"]).await;
    let slow = MockServer::start().await;
    let hanging = ResponseTemplate::new(200).set_delay(Duration::from_secs(60));
    Mock::given(method("POST")).respond_with(hanging).mount(&slow).await;
    let quick = endpoint(200).await;
    for (name, server) in [("nimal", &slow), ("kamala", &quick)] {
        let user = subscribed(&portal, name, "enterprise").await;
        user.put("/channels/webhook", &json!({"url": server.uri()})).await.expect(200);
        for keyword in ["bridges", "construction"] {
            user.post("/alerts", &alert(keyword, json!(["webhook"]), false)).await.expect(201);
        }
    }
    published(&portal, 1, "Construction of bridges").await;
    assert_eq!(calls(&quick, 2).await.len(), 2);
    assert_eq!(calls(&slow, 1).await.len(), 1);
}
