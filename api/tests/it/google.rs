//! Sign-in with Google, against a local issuer.

use crate::support::{
    Client, Reply, TestPortal,
    issuer::{Answer, CLIENT_ID, GooglePage, Issuer, KEYS},
    mailbox::{self, find_mail, token},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

/// Starts a portal with Google sign-in.
async fn start_portal(issuer: &Issuer) -> TestPortal {
    TestPortal::start_with(&["--google-client-id", CLIENT_ID, "--google-keys-url", &issuer.url]).await
}

/// Returns the claims of a Google account with this subject and email address.
fn claims(portal: &TestPortal, subject: &str, email: &str) -> Value {
    let now = portal.state.clock.now().as_second();
    json!({"iss": "https://accounts.google.com", "aud": CLIENT_ID, "azp": CLIENT_ID, "sub": subject, "email": email,
        "email_verified": true, "given_name": "Malini", "family_name": "Dias", "name": "Malini Dias",
        "iat": now, "exp": now + 3600})
}

fn merge_claims(mut claims: Value, change: Value) -> Value {
    claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    claims
}

/// Signs in on a new page with a token that has these claims and a valid signature.
async fn sign_in(portal: &TestPortal, claims: &Value) -> Reply {
    let page = GooglePage::open(&portal.guest()).await;
    page.sign_in(&page.token(&KEYS[0], "first", claims)).await
}

fn signed_in_client(portal: &TestPortal, reply: &Value) -> Client {
    portal.guest().with_token(reply["data"]["token"].as_str().unwrap())
}

async fn log_in(portal: &TestPortal, email: &str) -> Reply {
    portal.guest().post("/auth/login", &json!({"email": email, "password": "secret-of-theirs"})).await
}

/// Confirms an account's address with the mailed link.
async fn confirm(portal: &TestPortal, email: &str) {
    let token = token(&find_mail(portal, email, "/verify-email?").await);
    portal.guest().post("/auth/verify-email", &json!({"token": token})).await.expect(200);
}

/// Registers an account with this address and a password.
async fn register(portal: &TestPortal, email: &str) -> Client {
    let form =
        json!({"firstName": "Malini", "lastName": "Dias", "email": email, "password": "secret-of-theirs"});
    signed_in_client(portal, &portal.guest().post("/auth/register", &form).await.expect(201))
}

#[tokio::test]
async fn google_sign_in_creates_or_opens_an_account() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let page = GooglePage::open(&portal.guest()).await;
    let credential = page.token(&KEYS[0], "first", &claims(&portal, "1", "malini@gmail.com"));
    let form = json!({"credential": credential, "role": "buyer"});
    let first = page.client.post("/auth/google", &form).await.expect(200);
    assert_eq!(first["message"], "Successfully logged in with Google");
    let user = &first["data"]["user"];
    assert_eq!((&user["firstName"], &user["lastName"]), (&json!("Malini"), &json!("Dias")));
    assert_eq!((&user["role"], &user["emailVerified"]), (&json!("buyer"), &json!(true)));
    assert_eq!((&user["hasPassword"], &user["hasGoogle"]), (&json!(false), &json!(true)));
    let me = signed_in_client(&portal, &first).get("/auth/me").await.expect(200);
    assert_eq!(&me["data"]["user"], user);
    // After the address of the Google account changes, the portal finds the user by the Google id.
    // The user is unchanged.
    let moved = merge_claims(claims(&portal, "1", "other@gmail.com"), json!({"email_verified": false}));
    let again = sign_in(&portal, &moved).await.expect(200);
    assert_eq!(&again["data"]["user"], user);
    // The account has no password.
    log_in(&portal, "malini@gmail.com").await.expect_error(401);
    let refresh = json!({"refreshToken": again["data"]["refreshToken"]});
    portal.guest().post("/auth/refresh", &refresh).await.expect(200);
    assert_eq!(issuer.request_count(), 1, "the keys are cached");
    let admin = json!({"credential": credential, "role": "admin"});
    let refused = portal.guest().post("/auth/google", &admin).await;
    assert_eq!(refused.expect_error(422), "Role must be supplier or buyer");
}

#[tokio::test]
async fn locked_account_is_refused() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let account = claims(&portal, "1", "malini@gmail.com");
    let session = signed_in_client(&portal, &sign_in(&portal, &account).await.expect(200));
    let admin = crate::operate::staff(&portal, "amara", "admin").await;
    let id = crate::operate::id_of(&crate::operate::find_user(&admin, "malini").await);
    let lock = format!("/operate/users/{id}/lock");
    admin.put(&lock, &json!({"reason": "Fraud"})).await.expect(200);
    session.get("/auth/me").await.expect_error(401);
    let refused = sign_in(&portal, &account).await.expect_error(403);
    assert!(refused.starts_with("This account is locked"), "{refused}");
    admin.delete(&lock).await.expect(200);
    sign_in(&portal, &account).await.expect(200);
}

#[tokio::test]
async fn missing_google_name_is_derived() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let mut bare = claims(&portal, "1", "malini.d@gmail.com");
    for name in ["name", "given_name", "family_name"] {
        bare.as_object_mut().unwrap().remove(name);
    }
    let user = sign_in(&portal, &bare).await.expect(200)["data"]["user"].clone();
    assert_eq!((&user["firstName"], &user["lastName"]), (&json!("malini.d"), &json!("")));
    let odd = json!({"given_name": format!(" a\nb\u{0}{}", "c".repeat(300)), "family_name": "\r\n"});
    let user = sign_in(&portal, &merge_claims(claims(&portal, "2", "x@gmail.com"), odd)).await.expect(200);
    let name = user["data"]["user"]["firstName"].as_str().unwrap().to_owned();
    assert!(name.starts_with("abc") && name.len() <= 100, "{name}");
}

#[tokio::test]
async fn invalid_google_tokens_get_the_same_response() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let now = portal.state.clock.now().as_second();
    // Only accepted tokens use the nonce, so all tokens have the same one.
    let page = GooglePage::open(&portal.guest()).await;
    let nonce = json!({"nonce": page.nonce});
    let good = merge_claims(claims(&portal, "1", "malini@gmail.com"), nonce);
    let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = KEYS[0].sign("first", &good);
    let [_, payload, signature] = signed.split('.').collect::<Vec<_>>()[..] else { panic!() };
    let forged = encode(&merge_claims(good.clone(), json!({"sub": "2"})));
    let header = |algorithm| Header { kid: Some("first".into()), ..Header::new(algorithm) };
    let by_secret = |secret: &[u8]| {
        jsonwebtoken::encode(&header(Algorithm::HS256), &good, &EncodingKey::from_secret(secret)).unwrap()
    };
    let with_claim = |change: Value| KEYS[0].sign("first", &merge_claims(good.clone(), change));
    let without = |name: &str| {
        let mut claims = good.clone();
        claims.as_object_mut().unwrap().remove(name);
        KEYS[0].sign("first", &claims)
    };
    let credentials = [
        ("another portal's", with_claim(json!({"aud": "another.apps.test"}))),
        ("several portals'", with_claim(json!({"aud": [CLIENT_ID, "another.apps.test"]}))),
        ("another issuer's", with_claim(json!({"iss": "https://accounts.example"}))),
        ("expired", with_claim(json!({"exp": now}))),
        ("issued in the future", with_claim(json!({"iat": now + 301}))),
        ("with an invalid expiry", with_claim(json!({"exp": "never"}))),
        ("with an empty subject", with_claim(json!({"sub": ""}))),
        ("with a subject that is too long", with_claim(json!({"sub": "1".repeat(256)}))),
        ("without an audience", without("aud")),
        ("without an issuer", without("iss")),
        ("without an expiry", without("exp")),
        ("without a time of issue", without("iat")),
        ("without a subject", without("sub")),
        ("unsigned", format!("{}.{payload}.", encode(&json!({"alg": "none", "kid": "first"})))),
        ("signed with the public key", by_secret(KEYS[0].modulus.as_bytes())),
        (
            "signed with the public key's bytes",
            by_secret(&BASE64_URL_SAFE_NO_PAD.decode(&KEYS[0].modulus).unwrap()),
        ),
        ("signed with another algorithm", KEYS[0].sign_with_header(&header(Algorithm::RS512), &good)),
        ("without a key id", KEYS[0].sign_with_header(&Header::new(Algorithm::RS256), &good)),
        ("signed by another key", KEYS[1].sign("first", &good)),
        ("signed by an unknown key", KEYS[1].sign("second", &good)),
        ("signed for another payload", format!("{}.{forged}.{signature}", signed.split('.').next().unwrap())),
        ("cut off", signed[..signed.len() - 4].to_owned()),
        ("empty", String::new()),
        ("rubbish", "a.b.c".into()),
        ("control characters", "\u{0}\u{1}.\u{2}.".into()),
        ("far too long", format!("{signed}{}", "A".repeat(100_000))),
    ];
    for (what, credential) in credentials {
        let reply = page.sign_in(&credential).await;
        assert_eq!(
            reply.expect_error(401),
            "The sign-in with Google could not be verified. Please try again.",
            "{what}"
        );
    }
    let unconfirmed = sign_in(&portal, &merge_claims(good.clone(), json!({"email_verified": false}))).await;
    assert_eq!(unconfirmed.expect_error(401), "The email address of your Google account is not confirmed");
    sign_in(&portal, &merge_claims(good.clone(), json!({"email": "no address"}))).await.expect_error(401);
    sign_in(&portal, &merge_claims(good.clone(), json!({"email": null}))).await.expect_error(401);
    for no_form in [json!({}), json!({"credential": 7}), json!({"credential": null})] {
        portal.guest().post("/auth/google", &no_form).await.expect_error(422);
    }
    // A token that was issued less than five minutes in the future is accepted.
    sign_in(&portal, &merge_claims(good, json!({"iat": now + 299, "iss": "accounts.google.com"})))
        .await
        .expect(200);
}

#[tokio::test]
async fn token_is_accepted_once_and_only_in_the_browser_that_asked_for_it() {
    const REFUSED: &str = "The sign-in with Google could not be verified. Please try again.";
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let claims = claims(&portal, "1", "malini@gmail.com");
    let page = GooglePage::open(&portal.guest()).await;
    let stranger = GooglePage::open(&portal.guest()).await;
    let token = page.token(&KEYS[0], "first", &claims);
    let without_nonce = KEYS[0].sign("first", &claims);
    let forged = GooglePage { nonce: format!("{}x", page.nonce), client: page.client.clone() };
    for (what, reply) in [
        ("another browser", stranger.sign_in(&token).await),
        ("no cookie", portal.guest().post("/auth/google", &json!({"credential": token})).await),
        ("no nonce", page.sign_in(&without_nonce).await),
        ("a forged nonce", page.sign_in(&forged.token(&KEYS[0], "first", &claims)).await),
    ] {
        assert_eq!(reply.expect_error(401), REFUSED, "{what}");
    }
    let session = page.sign_in(&token).await.expect(200);
    assert_eq!(page.sign_in(&token).await.expect_error(401), REFUSED);
    // A token that was used for a sign-in proves nothing afterwards.
    let user = page.client.with_token(session["data"]["token"].as_str().unwrap());
    let used = json!({"credential": token});
    assert_eq!(user.post("/auth/delete-account", &used).await.expect_error(422), REFUSED);
    assert_eq!(user.put("/auth/google", &used).await.expect_error(422), REFUSED);

    // Several tabs of one browser have nonces of their own. Each expires after half an hour.
    let reply = page.client.post("/auth/google/nonce", &json!({})).await;
    let nonce = reply.expect(200)["data"]["nonce"].as_str().unwrap().to_owned();
    let tabs = [GooglePage { nonce, client: page.client.clone() }, stranger];
    assert_ne!(tabs[0].nonce, page.nonce);
    let now = portal.state.clock.now().as_second();
    let late = merge_claims(claims, json!({"exp": now + 7200}));
    portal.advance(30 * 60 - 1);
    tabs[0].sign_in(&tabs[0].token(&KEYS[0], "first", &late)).await.expect(200);
    portal.advance(1);
    let expired = tabs[1].sign_in(&tabs[1].token(&KEYS[0], "first", &late)).await;
    assert_eq!(expired.expect_error(401), REFUSED);
    // The next sign-in removes used nonces that have expired.
    sign_in(&portal, &late).await.expect(200);
    let stored: i64 = sqlx::query_scalar("select count(*) from used_google_nonce")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(stored, 1);
}

#[tokio::test]
async fn parallel_requests_use_a_token_once() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.expect(200);
    let page = GooglePage::open(&portal.guest()).await;
    let token = page.token(&KEYS[0], "first", &claims(&portal, "1", "malini@gmail.com"));
    let replies = futures::future::join_all((0..6).map(|_| page.sign_in(&token))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 200).count(), 1);
    assert_eq!(replies.iter().filter(|reply| reply.status == 401).count(), 5);
}

#[tokio::test]
async fn unknown_key_ids_refetch_keys_with_a_limit() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let claims = claims(&portal, "1", "malini@gmail.com");
    sign_in(&portal, &claims).await.expect(200);
    issuer.set_answer(Answer::Keys(vec![KEYS[1].published("second")]));
    let page = GooglePage::open(&portal.guest()).await;
    // Within a minute of the last fetch, the portal does not fetch again.
    for nth in 0..20 {
        page.sign_in(&page.token(&KEYS[1], &format!("stranger {nth}"), &claims)).await.expect_error(401);
    }
    assert_eq!(issuer.request_count(), 1);
    portal.advance(60);
    page.sign_in(&page.token(&KEYS[1], "second", &claims)).await.expect(200);
    assert_eq!(issuer.request_count(), 2);
    // The portal no longer accepts the old key.
    sign_in(&portal, &claims).await.expect_error(401);
    assert_eq!(issuer.request_count(), 2);
}

#[tokio::test]
async fn stale_keys_are_used_for_a_day() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    issuer.set_answer(Answer::Failure);
    let claim = |portal: &TestPortal| claims(portal, "1", "malini@gmail.com");
    let refused = sign_in(&portal, &claim(&portal)).await;
    assert_eq!(refused.expect_error(503), "Google cannot be reached at the moment. Please try again later.");
    // After a failed fetch, the portal waits ten seconds before the next one.
    issuer.set_answer(Answer::Keys(vec![KEYS[0].published("first")]));
    sign_in(&portal, &claim(&portal)).await.expect_error(503);
    assert_eq!(issuer.request_count(), 1);
    portal.advance(10);
    sign_in(&portal, &claim(&portal)).await.expect(200);
    assert_eq!(issuer.request_count(), 2);
    issuer.set_answer(Answer::Failure);
    portal.advance(3600);
    sign_in(&portal, &claim(&portal)).await.expect(200);
    assert_eq!(issuer.request_count(), 3);
    portal.advance(24 * 3600 - 1);
    sign_in(&portal, &claim(&portal)).await.expect(200);
    portal.advance(1);
    sign_in(&portal, &claim(&portal)).await.expect_error(503);
    issuer.set_answer(Answer::Keys(vec![KEYS[0].published("first")]));
    portal.advance(10);
    sign_in(&portal, &claim(&portal)).await.expect(200);
}

#[tokio::test]
async fn invalid_key_set_is_rejected() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let huge = json!({"keys": [KEYS[0].published("first")], "padding": "x".repeat(70_000)}).to_string();
    let weak = json!({"keys": [{"kty": "RSA", "kid": "first", "n": "sXch", "e": "AQAB"}]}).to_string();
    for answer in [
        Answer::Text(huge),
        Answer::Text("<html>maintenance</html>".into()),
        Answer::Keys(vec![]),
        Answer::Keys(vec![json!({"kty": "oct", "kid": "first", "k": "c2VjcmV0"})]),
        Answer::Redirect,
    ] {
        issuer.set_answer(answer);
        sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.expect_error(503);
        portal.advance(10);
    }
    issuer.set_answer(Answer::Text(weak));
    sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.expect_error(401);
}

#[tokio::test]
async fn silent_issuer_times_out_once() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    issuer.set_answer(Answer::NoResponse);
    let claims = claims(&portal, "1", "malini@gmail.com");
    for reply in futures::future::join_all((0..10).map(|_| sign_in(&portal, &claims))).await {
        reply.expect_error(503);
    }
    assert_eq!(issuer.request_count(), 1, "all requests wait for one fetch");
}

#[tokio::test]
async fn concurrent_first_sign_ins_create_one_account() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let claims = claims(&portal, "1", "malini@gmail.com");
    let replies = futures::future::join_all((0..6).map(|_| sign_in(&portal, &claims))).await;
    assert!(replies.iter().all(|reply| [200, 409].contains(&reply.status.as_u16())));
    let ids: std::collections::HashSet<String> = replies
        .iter()
        .filter(|reply| reply.status == 200)
        .map(|reply| reply.json()["data"]["user"]["_id"].to_string())
        .collect();
    assert_eq!(ids.len(), 1);
}

#[tokio::test]
async fn google_connects_a_verified_account_and_notifies_its_owner() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let here = register(&portal, "malini@gmail.com").await;
    confirm(&portal, "malini@gmail.com").await;
    let signed_in = sign_in(&portal, &claims(&portal, "1", "Malini@Gmail.com")).await.expect(200);
    let user = &signed_in["data"]["user"];
    assert_eq!((&user["hasPassword"], &user["hasGoogle"]), (&json!(true), &json!(true)));
    here.get("/auth/me").await.expect(200);
    log_in(&portal, "malini@gmail.com").await.expect(200);
    find_mail(&portal, "malini@gmail.com", "A Google account was connected to your account").await;
    // Another Google account with the same address is refused.
    let other = sign_in(&portal, &claims(&portal, "2", "malini@gmail.com")).await;
    assert!(other.expect_error(409).contains("connected to another one"));
}

#[tokio::test]
async fn google_sign_in_needs_the_second_factor() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let user = register(&portal, "malini@gmail.com").await;
    confirm(&portal, "malini@gmail.com").await;
    let (_, codes) = crate::second_factors::set_up_totp(&portal, &user).await;
    for code in &codes[..2] {
        let reply = sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.expect(202);
        assert!(reply["data"]["token"].is_null());
        let proof = json!({"challenge": reply["data"]["challenge"], "recoveryCode": code});
        portal.guest().post("/auth/second-factor", &proof).await.expect(200);
    }
}

#[tokio::test]
async fn google_sign_in_takes_over_an_unverified_account() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let squatter = register(&portal, "malini@gmail.com").await;
    let page = GooglePage::open(&squatter).await;
    let credential = page.token(&KEYS[0], "first", &claims(&portal, "666", "squatter@gmail.com"));
    let form = json!({"credential": credential, "password": "secret-of-theirs"});
    let refused = page.client.put("/auth/google", &form).await;
    assert_eq!(refused.expect_error(409), "Please confirm your email address first");
    let token = token(&find_mail(&portal, "malini@gmail.com", "/verify-email?").await);
    let elsewhere = json!({"email": "squatter@example.lk", "password": "secret-of-theirs"});
    squatter.post("/auth/change-email", &elsewhere).await.expect(200);
    let change = find_mail(&portal, "squatter@example.lk", "/verify-email?").await;

    let owner = sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.expect(200);
    assert_eq!(owner["data"]["user"]["emailVerified"], true);
    assert_eq!(owner["data"]["user"]["hasPassword"], false);
    squatter.get("/auth/me").await.expect_error(401);
    log_in(&portal, "malini@gmail.com").await.expect_error(401);
    for link in [token, mailbox::token(&change)] {
        portal.guest().post("/auth/verify-email", &json!({"token": link})).await.expect_error(422);
    }
    signed_in_client(&portal, &owner).get("/auth/me").await.expect(200);
}

#[tokio::test]
async fn google_sign_in_with_an_external_address_verifies_nothing() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let user = portal.unconfirmed_user("malini", "buyer").await;
    let elsewhere = claims(&portal, "1", "malini@example.lk");
    let refused = sign_in(&portal, &elsewhere).await.expect_error(409);
    assert!(refused.contains("Log in with your password"), "{refused}");
    user.get("/auth/me").await.expect(200);
    // The owner confirms the address and connects the account with a fresh Google sign-in.
    confirm(&portal, "malini@example.lk").await;
    let put = async |claims: &Value| {
        let page = GooglePage::open(&user).await;
        let credential = page.token(&KEYS[0], "first", claims);
        let form = json!({"credential": credential, "password": "secret-of-theirs"});
        page.client.put("/auth/google", &form).await
    };
    let now = portal.state.clock.now().as_second();
    let late = put(&merge_claims(elsewhere.clone(), json!({"iat": now - 301}))).await;
    assert_eq!(late.expect_error(422), "Please sign in with Google once more");
    put(&merge_claims(elsewhere.clone(), json!({"aud": "another.apps.test"}))).await.expect_error(422);
    for _ in 0..2 {
        assert_eq!(put(&elsewhere).await.expect(200)["data"]["user"]["hasGoogle"], true);
    }
    assert_eq!(sign_in(&portal, &elsewhere).await.expect(200)["data"]["user"]["firstName"], "malini");

    // An address in a Google Workspace domain counts as confirmed, like a Google mailbox. Other
    // addresses must be confirmed.
    let new = claims(&portal, "2", "kamala@example.org");
    let opened = sign_in(&portal, &new).await.expect(200);
    assert_eq!(opened["data"]["user"]["emailVerified"], false);
    confirm(&portal, "kamala@example.org").await;
    let workspace_claims =
        merge_claims(claims(&portal, "3", "nimal@ministry.example"), json!({"hd": "ministry.example"}));
    assert_eq!(sign_in(&portal, &workspace_claims).await.expect(200)["data"]["user"]["emailVerified"], true);
}

#[tokio::test]
async fn google_is_connected_with_the_password_and_its_owner_is_notified() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let user = register(&portal, "malini@gmail.com").await;
    confirm(&portal, "malini@gmail.com").await;
    let page = GooglePage::open(&user).await;
    let credential = page.token(&KEYS[0], "first", &claims(&portal, "666", "thief@gmail.com"));
    let connect = async |password: Value| {
        page.client.put("/auth/google", &json!({"credential": credential, "password": password})).await
    };
    for (password, message) in [(Value::Null, "Enter your password"), (json!("wrong"), "Wrong password")] {
        let refused = connect(password).await;
        assert_eq!(refused.expect_error(422), message);
        assert_eq!(refused.json()["errors"][0]["field"], "password");
    }
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["hasGoogle"], false);
    // A refused request does not use up the token of Google.
    connect(json!("secret-of-theirs")).await.expect(200);
    find_mail(&portal, "malini@gmail.com", "A Google account was connected to your account").await;
}

#[tokio::test]
async fn google_disconnect_requires_a_password() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let claims = claims(&portal, "1", "malini@gmail.com");
    let user = signed_in_client(&portal, &sign_in(&portal, &claims).await.expect(200));
    let disconnect = async |user: &Client, password: &str| {
        user.post("/auth/google/removal", &json!({"password": password})).await
    };
    let refused = disconnect(&user, "anything").await.expect_error(409);
    assert!(refused.starts_with("Choose a password first"), "{refused}");
    // A password reset by mail removes all other ways to sign in.
    portal.guest().post("/auth/forgot-password", &json!({"email": "malini@gmail.com"})).await.expect(200);
    let token = token(&find_mail(&portal, "malini@gmail.com", "/reset-password?").await);
    let reset = json!({"token": token, "password": "secret-of-theirs"});
    portal.guest().put("/auth/reset-password", &reset).await.expect(200);
    let user = signed_in_client(&portal, &log_in(&portal, "malini@gmail.com").await.expect(200));
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["hasGoogle"], false);
    sign_in(&portal, &claims).await.expect(200);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["hasGoogle"], true);
    assert_eq!(disconnect(&user, "wrong").await.expect_error(422), "Wrong password");
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["hasGoogle"], true);
    let left = disconnect(&user, "secret-of-theirs").await.expect(200);
    assert_eq!(left["data"]["user"]["hasGoogle"], false);
    find_mail(&portal, "malini@gmail.com", "The Google account was disconnected from your account").await;
    disconnect(&user, "secret-of-theirs").await.expect(200);
    disconnect(&portal.guest(), "secret-of-theirs").await.expect_error(401);
    portal.guest().put("/auth/google", &json!({"credential": "x"})).await.expect_error(401);
}

#[tokio::test]
async fn google_is_off_without_a_client_id() {
    let issuer = Issuer::start().await;
    for (settings, offered) in [
        (vec![], false),
        (vec!["--google-client-id", " "], false),
        (vec!["--google-client-id", CLIENT_ID, "--google-keys-url", &issuer.url], true),
    ] {
        let portal = TestPortal::start_with(&settings).await;
        let web = portal.folder.path().join("web");
        std::fs::create_dir_all(&web).unwrap();
        let page = r#"<script type="application/json" id="settings"></script>"#;
        std::fs::write(web.join("index.html"), page).unwrap();
        let page = portal.guest().get_unchecked("/login").await;
        let is_offered = page.text().contains(&format!(r#""googleClientId":"{CLIENT_ID}""#));
        let policy = page.header("content-security-policy");
        let opener = page.header("cross-origin-opener-policy");
        assert_eq!(
            (is_offered, policy.contains("accounts.google.com"), opener == "same-origin-allow-popups"),
            (offered, offered, offered)
        );
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"));
        if !offered {
            let form = json!({"credential": "x"});
            for (path, body) in [("/auth/google", form), ("/auth/google/nonce", json!({}))] {
                let refused = portal.guest().post(path, &body).await.expect_error(503);
                assert_eq!(refused, "Sign-in with Google is not set up on this portal");
            }
        }
    }
}
