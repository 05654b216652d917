//! The set-up of a second factor: when it counts, what stops it, and how long it stays open.

use super::{PASSWORD, challenge, code, prove, session_challenge, set_up_totp};
use crate::support::{Client, Reply, TestPortal, authenticator::SoftAuthenticator, mailbox};
use serde_json::{Value, json};
use totp_rs::Totp;

/// Begins to set up an authenticator app, and does not confirm it.
async fn begin_totp(user: &Client) -> Totp {
    let set_up = user.post("/auth/totp", &json!({"password": PASSWORD})).await.expect(200);
    Totp::from_url(set_up["data"]["url"].as_str().unwrap()).unwrap()
}

/// Begins to add a passkey, and returns the form that completes it.
async fn begin_passkey(user: &Client, key: &mut SoftAuthenticator) -> Value {
    let begun = user.post("/auth/passkeys/options", &json!({"password": PASSWORD})).await.expect(200);
    json!({"name": "Phone", "credential": key.create(&begun["data"]["options"])})
}

#[tokio::test]
async fn unconfirmed_authenticator_app_is_no_second_factor() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let owner = portal.user("nimal", "supplier").await;
    // Somebody else who knows the password has the secret of an app, and waits.
    let foreign = begin_totp(&portal.sign_in("nimal").await).await;
    let mut key = SoftAuthenticator::new("https://portal.example");
    let form = begin_passkey(&owner, &mut key).await;
    owner.post("/auth/passkeys", &form).await.expect(201);
    let pending = challenge(&portal, "nimal").await;
    prove(&portal, &pending, ("code", json!(code(&foreign, &portal)))).await.expect_error(401);
    // The set-up of another second factor has removed that app. One that is begun later does not count
    // either until it is confirmed.
    owner.put("/auth/totp", &json!({"code": code(&foreign, &portal)})).await.expect_error(409);
    let own = begin_totp(&owner).await;
    prove(&portal, &pending, ("code", json!(code(&own, &portal)))).await.expect_error(401);
    let in_session = session_challenge(&owner).await["challenge"].clone();
    let answer = json!({"challenge": in_session, "code": code(&own, &portal)});
    owner.put("/auth/second-factor", &answer).await.expect_error(422);
    owner.put("/auth/totp", &json!({"code": code(&own, &portal)})).await.expect(200);
    portal.advance(30);
    prove(&portal, &pending, ("code", json!(code(&own, &portal)))).await.expect(200);
}

#[tokio::test]
async fn second_factor_of_another_session_stops_a_set_up() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let missing = |reply: Reply| {
        reply.expect_error(422);
        assert_eq!(reply.json()["errors"][0]["field"], "secondFactor");
    };
    let (first, second) = (portal.user("nimal", "supplier").await, portal.sign_in("nimal").await);
    let app = begin_totp(&first).await;
    let mut key = SoftAuthenticator::new("https://portal.example");
    let form = begin_passkey(&second, &mut key).await;
    second.post("/auth/passkeys", &form).await.expect(201);
    missing(first.put("/auth/totp", &json!({"code": code(&app, &portal)})).await);

    let (first, second) = (portal.user("kamala", "supplier").await, portal.sign_in("kamala").await);
    let mut key = SoftAuthenticator::new("https://portal.example");
    let form = begin_passkey(&first, &mut key).await;
    let (app, _) = set_up_totp(&portal, &second).await;
    missing(first.post("/auth/passkeys", &form).await);
    portal.advance(30);
    let challenge = session_challenge(&first).await["challenge"].clone();
    let answer = json!({"challenge": challenge, "code": code(&app, &portal)});
    first.put("/auth/second-factor", &answer).await.expect(200);
    // The passkey was removed when the app was confirmed, so the user must begin again.
    let refused = first.post("/auth/passkeys", &form).await.expect_error(422);
    assert_eq!(refused, "The passkey could not be added. Please try again");
    let form = begin_passkey(&first, &mut key).await;
    first.post("/auth/passkeys", &form).await.expect(201);
}

#[tokio::test]
async fn set_up_ends_after_ten_minutes_and_with_a_new_password() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let user = portal.user("nimal", "supplier").await;
    let confirm =
        async |user: &Client, app: &Totp| user.put("/auth/totp", &json!({"code": code(app, &portal)})).await;
    let app = begin_totp(&user).await;
    portal.advance(600);
    let refused = confirm(&user, &app).await.expect_error(409);
    assert_eq!(refused, "Start again to set up an authenticator app");

    let app = begin_totp(&user).await;
    let mut key = SoftAuthenticator::new("https://portal.example");
    let form = begin_passkey(&user, &mut key).await;
    let change = json!({"currentPassword": PASSWORD, "newPassword": "kumbuk-gate-7"});
    user.put("/auth/change-password", &change).await.expect(200);
    confirm(&user, &app).await.expect_error(409);
    user.post("/auth/passkeys", &form).await.expect_error(422);

    let set_up = user.post("/auth/totp", &json!({"password": "kumbuk-gate-7"})).await.expect(200);
    let app = Totp::from_url(set_up["data"]["url"].as_str().unwrap()).unwrap();
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let mail = mailbox::find_mail(&portal, "nimal@example.lk", "/reset-password?").await;
    let form = json!({"token": mailbox::token(&mail), "password": PASSWORD});
    portal.guest().put("/auth/reset-password", &form).await.expect(200);
    let user = portal.sign_in("nimal").await;
    confirm(&user, &app).await.expect_error(409);
    let app = begin_totp(&user).await;
    portal.advance(599);
    confirm(&user, &app).await.expect(200);
}
