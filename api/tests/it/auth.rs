//! Registration, sign-in, sign-out, and access and refresh tokens.

use crate::support::TestPortal;
use axum::http::Method;
use serde_json::{Value, json};

fn form(email: &str) -> Value {
    json!({"firstName": "Nimal", "lastName": "Perera", "email": email, "password": "kumbuk-gate", "company": "Perera & Sons"})
}

#[tokio::test]
async fn registered_user_can_log_in() {
    let portal = TestPortal::start().await;
    let reply = portal.guest().post("/auth/register", &form("Nimal@Example.lk")).await.expect(201);
    let user = &reply["data"]["user"];
    assert_eq!(
        (&user["role"], &user["email"], &user["phone"]),
        (&json!("supplier"), &json!("Nimal@Example.lk"), &Value::Null)
    );
    assert_eq!(user["emailVerified"], false);
    assert_eq!(user["subscription"]["plan"], "free");
    assert_eq!(user["subscription"]["features"]["emailAlerts"], false);
    assert_eq!(user["subscription"]["features"]["canUploadTenders"], true);

    let login = json!({"email": " nimal@example.LK ", "password": "kumbuk-gate"});
    let session = portal.guest().post("/auth/login", &login).await.expect(200);
    assert_eq!(session["token"], session["data"]["token"]);
    let me = portal.guest().with_token(session["token"].as_str().unwrap()).get("/auth/me").await.expect(200);
    assert_eq!(&me["data"]["user"], user);
}

#[tokio::test]
async fn address_is_unique_ignoring_case_and_under_concurrency() {
    let portal = TestPortal::start().await;
    let (guest, other) = (portal.guest(), portal.guest());
    let (first, second) = (form("nimal@example.lk"), form("NIMAL@EXAMPLE.LK"));
    let (one, two) =
        tokio::join!(guest.post("/auth/register", &first), other.post("/auth/register", &second));
    let refused = if one.status == 201 { two } else { one };
    assert_eq!(refused.expect_error(409), "An account with this email already exists");
}

#[tokio::test]
async fn registration_errors_follow_form_order() {
    let portal = TestPortal::start().await;
    let error_for = |change: Value| {
        let mut form = form("nimal@example.lk");
        form.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let guest = portal.guest();
        async move { guest.post("/auth/register", &form).await.expect_error(422) }
    };
    assert_eq!(
        error_for(json!({"firstName": "  ", "password": "x"})).await,
        "Please fill in all required fields"
    );
    assert_eq!(error_for(json!({"password": "12345"})).await, "Password must be at least 6 characters long");
    assert_eq!(error_for(json!({"email": "nimal"})).await, "Invalid email address");
    assert_eq!(error_for(json!({"role": "admin"})).await, "Role must be supplier or buyer");
    assert_eq!(
        error_for(json!({"firstName": "a".repeat(101)})).await,
        "First name cannot exceed 100 characters"
    );
    assert_eq!(error_for(json!({"company": "a\u{0}b"})).await, "Company must not contain control characters");
    assert_eq!(error_for(json!({"firstName": 7})).await, "firstName must be text");
    let empty = portal.guest().post("/auth/register", &json!({})).await;
    let fields: Vec<Value> =
        empty.expect(422)["errors"].as_array().unwrap().iter().map(|e| e["field"].clone()).collect();
    assert_eq!(fields, ["firstName", "lastName", "email", "password"]);
    let none = portal.guest().post("/auth/login", &json!({"email": "nimal@example.lk"})).await;
    assert_eq!(none.expect_error(422), "Please fill in all fields");
}

#[tokio::test]
async fn wrong_credentials_get_the_same_response() {
    let portal = TestPortal::start().await;
    portal.unconfirmed_user("nimal", "buyer").await;
    let long = "x".repeat(1000);
    for (email, password) in [
        ("nimal@example.lk", "wrong"),
        ("nobody@example.lk", "secret-of-theirs"),
        ("' or true --", "x"),
        ("nimal\u{0}@example.lk", "x"),
        ("nimal@example.lk", long.as_str()),
    ] {
        let reply = portal.guest().post("/auth/login", &json!({"email": email, "password": password})).await;
        assert_eq!(reply.expect_error(401), "Invalid email or password", "{email}");
    }
}

#[tokio::test]
async fn invalid_body_is_refused_with_a_message() {
    let portal = TestPortal::start().await;
    let guest = portal.guest();
    let send = async |content_type: &str, body: Vec<u8>| {
        let request =
            guest.request(Method::POST, "/auth/login").header("content-type", content_type).body(body);
        guest.send(request, Method::POST, "/auth/login").await
    };
    assert!(
        send("text/plain", b"{}".to_vec()).await.expect_error(400).contains("Content-Type: application/json")
    );
    for rubbish in [&b""[..], b"{", b"\xff\xfe", b"{}{}", b"nul"] {
        assert!(
            send("application/json", rubbish.to_vec()).await.expect_error(400).contains("not valid JSON")
        );
    }
    for other in [&b"null"[..], b"[1]", b"\"x\"", b"7"] {
        send("application/json", other.to_vec()).await.expect_error(422);
    }
    let large = format!("{{\"email\":\"{}\"}}", "x".repeat(300_000)).into_bytes();
    assert!(send("application/json", large).await.expect_error(413).contains("256 KiB"));
}

#[tokio::test]
async fn access_token_expires_after_an_hour() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    portal.advance(3599);
    user.get("/auth/me").await.expect(200);
    portal.advance(1);
    user.get("/auth/me").await.expect_error(401);
    portal.guest().get("/auth/me").await.expect_error(401);
    portal.guest().with_token("rubbish").get("/auth/me").await.expect_error(401);
    // An operator token is not an access token.
    portal.operator().await.get("/auth/me").await.expect_error(401);
}

async fn refresh(portal: &TestPortal, token: &Value) -> crate::support::Reply {
    portal.guest().post("/auth/refresh", &json!({"refreshToken": token})).await
}

#[tokio::test]
async fn refresh_token_rotates_with_a_grace_period() {
    let portal = TestPortal::start().await;
    let first = portal.guest().post("/auth/register", &form("nimal@example.lk")).await.expect(201)["data"]["refreshToken"].clone();
    let second = refresh(&portal, &first).await.expect(200)["data"]["refreshToken"].clone();
    assert_ne!(first, second);
    portal.advance(30);
    // A copied token does not begin a second chain of tokens, whose use nobody would notice.
    let other_tab = refresh(&portal, &first).await.expect(200)["data"]["refreshToken"].clone();
    assert_eq!(other_tab, second);
    refresh(&portal, &second).await.expect(200);
    portal.advance(31);
    refresh(&portal, &other_tab).await.expect_error(401);
    refresh(&portal, &second).await.expect_error(401);
}

#[tokio::test]
async fn session_ends_half_a_year_after_the_sign_in() {
    let portal = TestPortal::start().await;
    let reply = portal.guest().post("/auth/register", &form("nimal@example.lk")).await.expect(201);
    let mut token = reply["data"]["refreshToken"].clone();
    for _ in 0..8 {
        portal.advance(22 * 24 * 3600);
        token = refresh(&portal, &token).await.expect(200)["data"]["refreshToken"].clone();
    }
    portal.advance(4 * 24 * 3600);
    refresh(&portal, &token).await.expect_error(401);
}

#[tokio::test]
async fn user_has_at_most_twenty_open_sessions() {
    let portal = TestPortal::start().await;
    portal.guest().post("/auth/register", &form("nimal@example.lk")).await.expect(201);
    let log_in = async || {
        let login = json!({"email": "nimal@example.lk", "password": "kumbuk-gate"});
        portal.guest().post("/auth/login", &login).await.expect(200)["data"].clone()
    };
    let first = log_in().await;
    for _ in 0..19 {
        portal.advance(1);
        log_in().await;
    }
    let last = log_in().await;
    let client = portal.guest().with_token(last["token"].as_str().unwrap());
    let sessions = client.get("/auth/sessions").await.expect(200);
    assert_eq!(sessions["data"]["sessions"].as_array().unwrap().len(), 20);
    refresh(&portal, &first["refreshToken"]).await.expect_error(401);
}

#[tokio::test]
async fn refresh_token_reuse_ends_the_session() {
    let portal = TestPortal::start().await;
    let reply = portal.guest().post("/auth/register", &form("nimal@example.lk")).await.expect(201);
    let first = reply["data"]["refreshToken"].clone();
    let session = refresh(&portal, &first).await.expect(200);
    portal.advance(31);
    refresh(&portal, &first).await.expect_error(401);
    refresh(&portal, &session["data"]["refreshToken"]).await.expect_error(401);
    let access = portal.guest().with_token(session["data"]["token"].as_str().unwrap());
    access.get("/auth/me").await.expect_error(401);
    // The user can sign in again.
    portal
        .guest()
        .post("/auth/login", &json!({"email": "nimal@example.lk", "password": "kumbuk-gate"}))
        .await
        .expect(200);
}

#[tokio::test]
async fn refresh_token_expires_after_thirty_days() {
    let portal = TestPortal::start().await;
    let first = portal.guest().post("/auth/register", &form("nimal@example.lk")).await.expect(201)["data"]["refreshToken"].clone();
    portal.advance(30 * 24 * 3600);
    refresh(&portal, &first).await.expect_error(401);
    refresh(&portal, &json!("rubbish")).await.expect_error(401);
    refresh(&portal, &json!(7)).await.expect_error(422);
}

#[tokio::test]
async fn short_session_expires_after_an_unused_day() {
    let portal = TestPortal::start().await;
    portal.unconfirmed_user("nimal", "buyer").await;
    let log_in = async |remember: Value| {
        let form = json!({"email": "nimal@example.lk", "password": "secret-of-theirs", "remember": remember});
        let reply = portal.guest().post("/auth/login", &form).await;
        reply.json()["data"]["refreshToken"].clone()
    };
    let (short, idle, long, unsaid) = (
        log_in(json!(false)).await,
        log_in(json!(false)).await,
        log_in(json!(true)).await,
        log_in(json!(null)).await,
    );
    let day = 24 * 3600;
    portal.advance(day - 1);
    // A refresh does not turn a short session into a long one.
    let short = refresh(&portal, &short).await.expect(200)["data"]["refreshToken"].clone();
    portal.advance(day - 1);
    refresh(&portal, &idle).await.expect_error(401);
    let short = refresh(&portal, &short).await.expect(200)["data"]["refreshToken"].clone();
    portal.advance(day);
    refresh(&portal, &short).await.expect_error(401);
    portal.advance(26 * day);
    refresh(&portal, &long).await.expect(200);
    refresh(&portal, &unsaid).await.expect(200);
    let odd = json!({"email": "nimal@example.lk", "password": "secret-of-theirs", "remember": "perhaps"});
    portal.guest().post("/auth/login", &odd).await.expect_error(422);
}

#[tokio::test]
async fn sign_in_ends_the_earlier_session_of_the_browser() {
    let portal = TestPortal::start().await;
    let elsewhere = portal.user("nimal", "buyer").await;
    let here = portal.sign_in("nimal").await;
    let form = json!({"email": "nimal@example.lk", "password": "secret-of-theirs"});
    // A wrong password changes nothing.
    let wrong = json!({"email": "nimal@example.lk", "password": "wrong"});
    here.post("/auth/login", &wrong).await.expect_error(401);
    here.get("/auth/me").await.expect(200);
    let begun = here.post("/auth/login", &form).await.expect(200);
    here.get("/auth/me").await.expect_error(401);
    portal.guest().with_token(begun["token"].as_str().unwrap()).get("/auth/me").await.expect(200);
    elsewhere.get("/auth/me").await.expect(200);
}

#[tokio::test]
async fn logout_ends_the_session() {
    let portal = TestPortal::start().await;
    let session =
        portal.guest().post("/auth/register", &form("nimal@example.lk")).await.expect(201)["data"].clone();
    let user = portal.guest().with_token(session["token"].as_str().unwrap());
    // Browsers send the access token and no body.
    let request = user.request(Method::POST, "/auth/logout");
    user.send(request, Method::POST, "/auth/logout").await.expect(200);
    user.get("/auth/me").await.expect_error(401);
    refresh(&portal, &session["refreshToken"]).await.expect_error(401);
    // Signing out a second time succeeds, and so does signing out as a guest.
    user.post("/auth/logout", &json!({"refreshToken": session["refreshToken"]})).await.expect(200);
    portal.guest().post("/auth/logout", &json!({})).await.expect(200);
}

#[tokio::test]
async fn logout_fails_if_the_session_cannot_be_ended() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimali", "supplier").await;
    portal.database.refuse_connections().await;
    portal.state.db.close().await;
    // The session stays open, so the user must not be told that it has ended.
    user.post("/auth/logout", &json!({})).await.expect_error(503);
    portal.guest().post("/auth/logout", &json!({})).await.expect(200);
}

#[tokio::test]
async fn sign_in_is_rate_limited() {
    let portal = TestPortal::start_with(&["--sign-ins-a-minute", "3"]).await;
    let wrong = json!({"email": "nimal@example.lk", "password": "wrong"});
    for _ in 0..3 {
        portal.guest().post("/auth/login", &wrong).await.expect_error(401);
    }
    let refused = portal.guest().post("/auth/login", &wrong).await;
    assert!(refused.expect_error(429).starts_with("Too many requests."));
    assert!((1..=21).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    // The limit does not apply to other requests.
    portal.guest().get("/health").await.expect(200);
    portal.advance(21);
    portal.guest().post("/auth/login", &wrong).await.expect_error(401);
}

/// Error messages are in English if the requested language is not supported.
#[tokio::test]
async fn errors_are_translated() {
    let portal = TestPortal::start().await;
    let login = async |language: &str, body: Value| {
        let request = portal.guest().request(Method::POST, "/auth/login").json(&body);
        let request = request.header("accept-language", language);
        portal.guest().send(request, Method::POST, "/auth/login").await.json()
    };
    let wrong = json!({"email": "nobody@example.lk", "password": "not the password"});
    assert_eq!(login("si", wrong.clone()).await["message"], "විද්‍යුත් ලිපිනය හෝ මුරපදය වැරදියි");
    assert_eq!(login("ta-LK, en;q=0.5", wrong.clone()).await["message"], "மின்னஞ்சல் அல்லது கடவுச்சொல் தவறு");
    assert_eq!(login("de, fr", wrong).await["message"], "Invalid email or password");
    let empty = login("si", json!({"email": "", "password": ""})).await;
    assert_eq!(empty["message"], "කරුණාකර සියලු ක්ෂේත්‍ර පුරවන්න");
    assert_eq!(empty["errors"][0]["message"], empty["message"]);
}
