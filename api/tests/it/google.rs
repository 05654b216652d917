//! Sign-in with Google, against a local issuer.

use crate::support::{
    Client, Reply, TestPortal,
    issuer::{Answer, CLIENT_ID, Issuer, KEYS},
    mailbox::{self, letter, token},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

/// A portal with Google sign-in.
async fn portal(issuer: &Issuer) -> TestPortal {
    TestPortal::with(&["--google-client-id", CLIENT_ID, "--google-keys-url", &issuer.url]).await
}

/// Claims of a user with a Google mailbox.
fn claims(portal: &TestPortal, subject: &str, email: &str) -> Value {
    let now = portal.state.clock.now().as_second();
    json!({"iss": "https://accounts.google.com", "aud": CLIENT_ID, "azp": CLIENT_ID, "sub": subject, "email": email,
        "email_verified": true, "given_name": "Malini", "family_name": "Dias", "name": "Malini Dias",
        "iat": now, "exp": now + 3600})
}

fn with(mut claims: Value, change: Value) -> Value {
    claims.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    claims
}

async fn present(portal: &TestPortal, credential: &str) -> Reply {
    portal.guest().post("/auth/google", &json!({"credential": credential})).await
}

/// Signs in with these claims, correctly signed.
async fn sign_in(portal: &TestPortal, claims: &Value) -> Reply {
    present(portal, &KEYS[0].sign("first", claims)).await
}

fn bearer(portal: &TestPortal, reply: &Value) -> Client {
    portal.guest().bearing(reply["data"]["token"].as_str().unwrap())
}

async fn log_in(portal: &TestPortal, email: &str) -> Reply {
    portal.guest().post("/auth/login", &json!({"email": email, "password": "secret-of-theirs"})).await
}

/// Confirms the newest account's address with the mailed link.
async fn confirm(portal: &TestPortal, email: &str) {
    let token = token(&letter(portal, email, "/verify-email?").await);
    portal.guest().post("/auth/verify-email", &json!({"token": token})).await.expect(200);
}

/// Registers an account with a Google mailbox's address.
async fn register(portal: &TestPortal, email: &str) -> Client {
    let form =
        json!({"firstName": "Malini", "lastName": "Dias", "email": email, "password": "secret-of-theirs"});
    bearer(portal, &portal.guest().post("/auth/register", &form).await.expect(201))
}

#[tokio::test]
async fn google_sign_in_creates_or_opens_an_account() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let credential = KEYS[0].sign("first", &claims(&portal, "1", "malini@gmail.com"));
    let form = json!({"credential": credential, "role": "buyer"});
    let first = portal.guest().post("/auth/google", &form).await.expect(200);
    assert_eq!(first["message"], "Successfully logged in with Google");
    let user = &first["data"]["user"];
    assert_eq!((&user["firstName"], &user["lastName"]), (&json!("Malini"), &json!("Dias")));
    assert_eq!((&user["role"], &user["emailVerified"]), (&json!("buyer"), &json!(true)));
    assert_eq!((&user["hasPassword"], &user["hasGoogle"]), (&json!(false), &json!(true)));
    let me = bearer(&portal, &first).get("/auth/me").await.expect(200);
    assert_eq!(&me["data"]["user"], user);
    // Recognised by Google's account id after a change of address; the role is unchanged.
    let moved = with(claims(&portal, "1", "other@gmail.com"), json!({"email_verified": false}));
    let again = sign_in(&portal, &moved).await.expect(200);
    assert_eq!(&again["data"]["user"], user);
    // It has no password.
    log_in(&portal, "malini@gmail.com").await.refused(401);
    let refresh = json!({"refreshToken": again["data"]["refreshToken"]});
    portal.guest().post("/auth/refresh", &refresh).await.expect(200);
    assert_eq!(issuer.asked(), 1, "the keys are kept");
    let admin = json!({"credential": credential, "role": "admin"});
    let refused = portal.guest().post("/auth/google", &admin).await;
    assert_eq!(refused.refused(422), "Role must be supplier or buyer");
}

#[tokio::test]
async fn missing_google_name_is_derived() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let mut bare = claims(&portal, "1", "malini.d@gmail.com");
    for name in ["name", "given_name", "family_name"] {
        bare.as_object_mut().unwrap().remove(name);
    }
    let user = sign_in(&portal, &bare).await.expect(200)["data"]["user"].clone();
    assert_eq!((&user["firstName"], &user["lastName"]), (&json!("malini.d"), &json!("")));
    let odd = json!({"given_name": format!(" a\nb\u{0}{}", "c".repeat(300)), "family_name": "\r\n"});
    let user = sign_in(&portal, &with(claims(&portal, "2", "x@gmail.com"), odd)).await.expect(200);
    let name = user["data"]["user"]["firstName"].as_str().unwrap().to_owned();
    assert!(name.starts_with("abc") && name.len() <= 100, "{name}");
}

#[tokio::test]
async fn invalid_google_tokens_get_the_same_response() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let now = portal.state.clock.now().as_second();
    let good = claims(&portal, "1", "malini@gmail.com");
    let encode = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = KEYS[0].sign("first", &good);
    let [_, payload, signature] = signed.split('.').collect::<Vec<_>>()[..] else { panic!() };
    let forged = encode(&with(good.clone(), json!({"sub": "2"})));
    let header = |algorithm| Header { kid: Some("first".into()), ..Header::new(algorithm) };
    let by_secret = |secret: &[u8]| {
        jsonwebtoken::encode(&header(Algorithm::HS256), &good, &EncodingKey::from_secret(secret)).unwrap()
    };
    let with_claim = |change: Value| KEYS[0].sign("first", &with(good.clone(), change));
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
        ("of tomorrow", with_claim(json!({"iat": now + 301}))),
        ("with times that are none", with_claim(json!({"exp": "never"}))),
        ("of nobody", with_claim(json!({"sub": ""}))),
        ("of somebody without end", with_claim(json!({"sub": "1".repeat(256)}))),
        ("without an audience", without("aud")),
        ("without an issuer", without("iss")),
        ("without an end", without("exp")),
        ("without a beginning", without("iat")),
        ("without a subject", without("sub")),
        ("unsigned", format!("{}.{payload}.", encode(&json!({"alg": "none", "kid": "first"})))),
        ("signed with the public key", by_secret(KEYS[0].modulus.as_bytes())),
        (
            "signed with the public key's bytes",
            by_secret(&BASE64_URL_SAFE_NO_PAD.decode(&KEYS[0].modulus).unwrap()),
        ),
        ("signed otherwise", KEYS[0].sign_as(&header(Algorithm::RS512), &good)),
        ("signed by a key without an id", KEYS[0].sign_as(&Header::new(Algorithm::RS256), &good)),
        ("signed by another key", KEYS[1].sign("first", &good)),
        ("signed by an unknown key", KEYS[1].sign("second", &good)),
        ("signed for other words", format!("{}.{forged}.{signature}", signed.split('.').next().unwrap())),
        ("cut off", signed[..signed.len() - 4].to_owned()),
        ("empty", String::new()),
        ("rubbish", "a.b.c".into()),
        ("no text at all", "\u{0}\u{1}.\u{2}.".into()),
        ("endless", format!("{signed}{}", "A".repeat(100_000))),
    ];
    for (what, credential) in credentials {
        let reply = present(&portal, &credential).await;
        assert_eq!(
            reply.refused(401),
            "The sign-in with Google could not be verified. Please try again.",
            "{what}"
        );
    }
    let unconfirmed = sign_in(&portal, &with(good.clone(), json!({"email_verified": false}))).await;
    assert_eq!(unconfirmed.refused(401), "The email address of your Google account is not confirmed");
    sign_in(&portal, &with(good.clone(), json!({"email": "no address"}))).await.refused(401);
    sign_in(&portal, &with(good.clone(), json!({"email": null}))).await.refused(401);
    for no_form in [json!({}), json!({"credential": 7}), json!({"credential": null})] {
        portal.guest().post("/auth/google", &no_form).await.refused(422);
    }
    // A valid token is still accepted, with a small clock skew.
    sign_in(&portal, &with(good, json!({"iat": now + 299, "iss": "accounts.google.com"}))).await.expect(200);
}

#[tokio::test]
async fn unknown_key_ids_refetch_keys_with_a_limit() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let claims = claims(&portal, "1", "malini@gmail.com");
    sign_in(&portal, &claims).await.expect(200);
    issuer.answer(Answer::Keys(vec![KEYS[1].published("second")]));
    // Within a minute of the last fetch, the portal does not fetch again.
    for nth in 0..20 {
        present(&portal, &KEYS[1].sign(&format!("stranger {nth}"), &claims)).await.refused(401);
    }
    assert_eq!(issuer.asked(), 1);
    portal.pass(60);
    present(&portal, &KEYS[1].sign("second", &claims)).await.expect(200);
    assert_eq!(issuer.asked(), 2);
    // The old key is gone.
    sign_in(&portal, &claims).await.refused(401);
    assert_eq!(issuer.asked(), 2);
}

#[tokio::test]
async fn stale_keys_are_used_for_a_day() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    issuer.answer(Answer::Failure);
    let claim = |portal: &TestPortal| claims(portal, "1", "malini@gmail.com");
    let refused = sign_in(&portal, &claim(&portal)).await;
    assert_eq!(refused.refused(503), "Google cannot be reached at the moment. Please try again later.");
    // It fetches again only after the pause.
    issuer.answer(Answer::Keys(vec![KEYS[0].published("first")]));
    sign_in(&portal, &claim(&portal)).await.refused(503);
    assert_eq!(issuer.asked(), 1);
    portal.pass(10);
    sign_in(&portal, &claim(&portal)).await.expect(200);
    assert_eq!(issuer.asked(), 2);
    issuer.answer(Answer::Failure);
    portal.pass(3600);
    sign_in(&portal, &claim(&portal)).await.expect(200);
    assert_eq!(issuer.asked(), 3);
    portal.pass(24 * 3600 - 1);
    sign_in(&portal, &claim(&portal)).await.expect(200);
    portal.pass(1);
    sign_in(&portal, &claim(&portal)).await.refused(503);
    issuer.answer(Answer::Keys(vec![KEYS[0].published("first")]));
    portal.pass(10);
    sign_in(&portal, &claim(&portal)).await.expect(200);
}

#[tokio::test]
async fn invalid_key_set_is_rejected() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let huge = json!({"keys": [KEYS[0].published("first")], "padding": "x".repeat(70_000)}).to_string();
    let weak = json!({"keys": [{"kty": "RSA", "kid": "first", "n": "sXch", "e": "AQAB"}]}).to_string();
    for answer in [
        Answer::Text(huge),
        Answer::Text("<html>maintenance</html>".into()),
        Answer::Keys(vec![]),
        Answer::Keys(vec![json!({"kty": "oct", "kid": "first", "k": "c2VjcmV0"})]),
        Answer::Elsewhere,
    ] {
        issuer.answer(answer);
        sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.refused(503);
        portal.pass(10);
    }
    issuer.answer(Answer::Text(weak));
    sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.refused(401);
}

#[tokio::test]
async fn silent_issuer_times_out_once() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    issuer.answer(Answer::Silence);
    let claims = claims(&portal, "1", "malini@gmail.com");
    for reply in futures::future::join_all((0..10).map(|_| sign_in(&portal, &claims))).await {
        reply.refused(503);
    }
    assert_eq!(issuer.asked(), 1, "all waited for one fetch");
}

#[tokio::test]
async fn concurrent_first_sign_ins_create_one_account() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
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
    let portal = portal(&issuer).await;
    let here = register(&portal, "malini@gmail.com").await;
    confirm(&portal, "malini@gmail.com").await;
    let signed_in = sign_in(&portal, &claims(&portal, "1", "Malini@Gmail.com")).await.expect(200);
    let user = &signed_in["data"]["user"];
    assert_eq!((&user["hasPassword"], &user["hasGoogle"]), (&json!(true), &json!(true)));
    here.get("/auth/me").await.expect(200);
    log_in(&portal, "malini@gmail.com").await.expect(200);
    letter(&portal, "malini@gmail.com", "A Google account was connected with yours").await;
    // Another Google account that took over the address is refused.
    let other = sign_in(&portal, &claims(&portal, "2", "malini@gmail.com")).await;
    assert!(other.refused(409).contains("connected with another one"));
}

#[tokio::test]
async fn google_sign_in_takes_over_an_unverified_account() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let squatter = register(&portal, "malini@gmail.com").await;
    let credential =
        json!({"credential": KEYS[0].sign("first", &claims(&portal, "666", "squatter@gmail.com"))});
    let refused = squatter.put("/auth/google", &credential).await;
    assert_eq!(refused.refused(409), "Please confirm your email address first");
    let token = token(&letter(&portal, "malini@gmail.com", "/verify-email?").await);
    let elsewhere = json!({"email": "squatter@example.lk", "password": "secret-of-theirs"});
    squatter.post("/auth/change-email", &elsewhere).await.expect(200);
    let change = letter(&portal, "squatter@example.lk", "/verify-email?").await;

    let owner = sign_in(&portal, &claims(&portal, "1", "malini@gmail.com")).await.expect(200);
    assert_eq!(owner["data"]["user"]["emailVerified"], true);
    assert_eq!(owner["data"]["user"]["hasPassword"], false);
    squatter.get("/auth/me").await.refused(401);
    log_in(&portal, "malini@gmail.com").await.refused(401);
    for link in [token, mailbox::token(&change)] {
        portal.guest().post("/auth/verify-email", &json!({"token": link})).await.refused(422);
    }
    bearer(&portal, &owner).get("/auth/me").await.expect(200);
}

#[tokio::test]
async fn external_address_opens_an_unverified_account() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let user = portal.newcomer("malini", "buyer").await;
    let elsewhere = claims(&portal, "1", "malini@example.lk");
    let refused = sign_in(&portal, &elsewhere).await.refused(409);
    assert!(refused.contains("Log in with your password"), "{refused}");
    user.get("/auth/me").await.expect(200);
    // The owner signs in and connects the account with a fresh Google sign-in.
    confirm(&portal, "malini@example.lk").await;
    let put = async |claims: &Value| {
        user.put("/auth/google", &json!({"credential": KEYS[0].sign("first", claims)})).await
    };
    let now = portal.state.clock.now().as_second();
    let late = put(&with(elsewhere.clone(), json!({"iat": now - 301}))).await;
    assert_eq!(late.refused(422), "Please sign in with Google once more");
    put(&with(elsewhere.clone(), json!({"aud": "another.apps.test"}))).await.refused(422);
    for _ in 0..2 {
        assert_eq!(put(&elsewhere).await.expect(200)["data"]["user"]["hasGoogle"], true);
    }
    assert_eq!(sign_in(&portal, &elsewhere).await.expect(200)["data"]["user"]["firstName"], "malini");

    // A Google Workspace domain counts like a Google mailbox; other addresses must be confirmed.
    let new = claims(&portal, "2", "kamala@example.org");
    let opened = sign_in(&portal, &new).await.expect(200);
    assert_eq!(opened["data"]["user"]["emailVerified"], false);
    confirm(&portal, "kamala@example.org").await;
    let run = with(claims(&portal, "3", "nimal@ministry.example"), json!({"hd": "ministry.example"}));
    assert_eq!(sign_in(&portal, &run).await.expect(200)["data"]["user"]["emailVerified"], true);
}

#[tokio::test]
async fn google_disconnect_requires_a_password() {
    let issuer = Issuer::start().await;
    let portal = portal(&issuer).await;
    let claims = claims(&portal, "1", "malini@gmail.com");
    let user = bearer(&portal, &sign_in(&portal, &claims).await.expect(200));
    assert!(user.delete("/auth/google").await.refused(409).starts_with("Choose a password first"));
    // A password reset by mail removes all other ways to sign in.
    portal.guest().post("/auth/forgot-password", &json!({"email": "malini@gmail.com"})).await.expect(200);
    let token = token(&letter(&portal, "malini@gmail.com", "/reset-password?").await);
    let reset = json!({"token": token, "password": "secret-of-theirs"});
    portal.guest().put("/auth/reset-password", &reset).await.expect(200);
    let user = bearer(&portal, &log_in(&portal, "malini@gmail.com").await.expect(200));
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["hasGoogle"], false);
    sign_in(&portal, &claims).await.expect(200);
    assert_eq!(user.get("/auth/me").await.expect(200)["data"]["user"]["hasGoogle"], true);
    let left = user.delete("/auth/google").await.expect(200);
    assert_eq!(left["data"]["user"]["hasGoogle"], false);
    user.delete("/auth/google").await.expect(200);
    portal.guest().delete("/auth/google").await.refused(401);
    portal.guest().put("/auth/google", &json!({"credential": "x"})).await.refused(401);
}

#[tokio::test]
async fn google_is_off_without_a_client_id() {
    let issuer = Issuer::start().await;
    for (settings, offered) in [
        (vec![], false),
        (vec!["--google-client-id", " "], false),
        (vec!["--google-client-id", CLIENT_ID, "--google-keys-url", &issuer.url], true),
    ] {
        let portal = TestPortal::with(&settings).await;
        let web = portal.folder.path().join("web");
        std::fs::create_dir_all(&web).unwrap();
        let page = r#"<script type="application/json" id="settings"></script>"#;
        std::fs::write(web.join("index.html"), page).unwrap();
        let page = portal.guest().outside("/login").await;
        let told = page.text().contains(&format!(r#""googleClientId":"{CLIENT_ID}""#));
        let policy = page.header("content-security-policy");
        let opener = page.header("cross-origin-opener-policy");
        assert_eq!(
            (told, policy.contains("accounts.google.com"), opener == "same-origin-allow-popups"),
            (offered, offered, offered)
        );
        assert!(policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'"));
        if !offered {
            let refused = present(&portal, "x").await.refused(503);
            assert_eq!(refused, "Sign-in with Google is not set up on this portal");
        }
    }
}
