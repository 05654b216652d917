//! Sign-in with a second factor, and what guessing and a new password do to it.

use super::{PASSWORD, challenge, code, log_in, prove, set_up_totp};
use crate::support::{TestPortal, authenticator::SoftAuthenticator, mailbox};
use serde_json::json;

#[tokio::test]
async fn sign_in_needs_a_code_of_the_authenticator_app_which_is_accepted_once() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    log_in(&portal, "nimal").await.expect(200);
    let (app, codes) = set_up_totp(&portal, &user).await;
    assert_eq!(codes.len(), 10);
    let factors = user.get("/auth/second-factors").await.expect(200);
    assert_eq!(factors["data"]["recoveryCodesLeft"], 10);
    assert_eq!(factors["data"]["totpSince"], "2026-11-20T12:00:00+05:30");
    user.post("/auth/totp", &json!({"password": PASSWORD})).await.expect_error(409);

    let first = challenge(&portal, "nimal").await;
    let used = code(&app, &portal);
    let refused = prove(&portal, &first, ("code", json!(used))).await.expect_error(401);
    assert_eq!(refused, "Wrong code, or the code was used already", "the code confirmed the app");
    portal.advance(30);
    let fresh = code(&app, &portal);
    let spaced = format!(" {} {} ", &fresh[..3], &fresh[3..]);
    let signed_in = prove(&portal, &first, ("code", json!(spaced))).await.expect(200);
    let client = portal.guest().with_token(signed_in["token"].as_str().unwrap());
    client.get("/auth/me").await.expect(200);
    prove(&portal, &first, ("code", json!(fresh))).await.expect_error(401);
    let second = challenge(&portal, "nimal").await;
    prove(&portal, &second, ("code", json!(fresh))).await.expect_error(401);

    user.post("/auth/totp/removal", &json!({"password": "wrong"})).await.expect_error(422);
    user.post("/auth/totp/removal", &json!({"password": PASSWORD})).await.expect(200);
    user.post("/auth/totp/removal", &json!({"password": PASSWORD})).await.expect_error(404);
    log_in(&portal, "nimal").await.expect(200);
    prove(&portal, &second, ("recoveryCode", json!(codes[0]))).await.expect_error(401);
}

#[tokio::test]
async fn recovery_code_is_accepted_once_and_can_be_renewed() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    user.post("/auth/recovery-codes", &json!({"password": PASSWORD})).await.expect_error(409);
    let (_, codes) = set_up_totp(&portal, &user).await;
    let plain = codes[3].replace('-', "");
    let first = challenge(&portal, "nimal").await;
    prove(&portal, &first, ("recoveryCode", json!(plain))).await.expect(200);
    let second = challenge(&portal, "nimal").await;
    prove(&portal, &second, ("recoveryCode", json!(codes[3]))).await.expect_error(401);
    let renewed = user.post("/auth/recovery-codes", &json!({"password": PASSWORD})).await.expect(200);
    prove(&portal, &second, ("recoveryCode", json!(codes[4]))).await.expect_error(401);
    prove(&portal, &second, ("recoveryCode", renewed["data"]["recoveryCodes"][0].clone())).await.expect(200);
    let factors = user.get("/auth/second-factors").await.expect(200);
    assert_eq!(factors["data"]["recoveryCodesLeft"], 9);
}

#[tokio::test]
async fn guessing_codes_ends_the_challenge_and_then_the_attempts() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let (app, _) = set_up_totp(&portal, &user).await;
    portal.advance(60);
    let first = challenge(&portal, "nimal").await;
    for _ in 0..5 {
        let refused = prove(&portal, &first, ("code", json!("123456"))).await.expect_error(401);
        assert_eq!(refused, "Wrong code, or the code was used already");
    }
    let refused = prove(&portal, &first, ("code", json!(code(&app, &portal)))).await.expect_error(401);
    assert_eq!(refused, "Your sign-in has expired. Please log in again to continue.");
    let second = challenge(&portal, "nimal").await;
    for _ in 0..5 {
        prove(&portal, &second, ("code", json!("123456"))).await.expect_error(401);
    }
    let third = challenge(&portal, "nimal").await;
    prove(&portal, &third, ("code", json!(code(&app, &portal)))).await.expect_error(429);
    portal.advance(3600);
    prove(&portal, &third, ("code", json!(code(&app, &portal)))).await.expect_error(401);
    let fourth = challenge(&portal, "nimal").await;
    prove(&portal, &fourth, ("code", json!(code(&app, &portal)))).await.expect(200);
}

#[tokio::test]
async fn invalid_proofs_are_refused() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let (_, codes) = set_up_totp(&portal, &user).await;
    let challenge = challenge(&portal, "nimal").await;
    let guest = portal.guest();
    for proof in [
        json!({"challenge": challenge}),
        json!({"challenge": challenge, "code": "1", "recoveryCode": codes[0]}),
        json!({"challenge": challenge, "passkey": {"id": 7}}),
        json!({"code": "123456"}),
        json!({"challenge": 7, "code": "123456"}),
    ] {
        guest.post("/auth/second-factor", &proof).await.expect_error(422);
    }
    for odd in ["", "12345", "1234567", "١٢٣٤٥٦", "0x1234", "\u{0}", &"9".repeat(5000)] {
        let reply = prove(&portal, &challenge, ("code", json!(odd))).await;
        assert!([401, 429].contains(&reply.status.as_u16()), "{odd:?}: {}", reply.text());
    }
    prove(&portal, &json!("never issued"), ("code", json!("123456"))).await.expect_error(401);
}

#[tokio::test]
async fn passkey_signs_in_and_can_be_removed() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let user = portal.user("nimal", "supplier").await;
    let mut key = SoftAuthenticator::new("https://portal.example");
    let proof = json!({"password": PASSWORD});
    let begin =
        async || user.post("/auth/passkeys/options", &proof).await.expect(200)["data"]["options"].clone();

    let made = key.create(&begin().await);
    user.post("/auth/passkeys", &json!({"name": " ", "credential": made})).await.expect_error(422);
    let made = key.create(&begin().await);
    let added = user.post("/auth/passkeys", &json!({"name": "Phone", "credential": made})).await.expect(201);
    assert_eq!(added["data"]["recoveryCodes"].as_array().unwrap().len(), 10);
    let again = user.post("/auth/passkeys", &json!({"name": "Phone", "credential": made})).await;
    again.expect_error(422);

    let reply = log_in(&portal, "nimal").await.expect(202);
    assert_eq!(reply["data"]["acceptsTotp"], false);
    let answer = key.get(&reply["data"]["passkeyOptions"]);
    let mut forged = answer.clone();
    forged["response"]["signature"] = json!("MEUCIQDx");
    prove(&portal, &reply["data"]["challenge"], ("passkey", forged)).await.expect_error(401);
    let mut stranger = SoftAuthenticator::new("https://portal.example");
    stranger.create(&begin().await);
    let foreign = stranger.get(&reply["data"]["passkeyOptions"]);
    prove(&portal, &reply["data"]["challenge"], ("passkey", foreign)).await.expect_error(401);
    let mut phished = key.clone().at("https://portal.example.evil");
    let elsewhere = phished.get(&reply["data"]["passkeyOptions"]);
    prove(&portal, &reply["data"]["challenge"], ("passkey", elsewhere)).await.expect_error(401);
    let signed_in =
        prove(&portal, &reply["data"]["challenge"], ("passkey", answer.clone())).await.expect(200);
    let client = portal.guest().with_token(signed_in["token"].as_str().unwrap());
    let replayed = challenge(&portal, "nimal").await;
    prove(&portal, &replayed, ("passkey", answer)).await.expect_error(401);

    let factors = client.get("/auth/second-factors").await.expect(200);
    let passkey = &factors["data"]["passkeys"][0];
    assert_eq!(
        (&passkey["name"], &passkey["usedAt"]),
        (&json!("Phone"), &json!("2026-11-20T12:00:00+05:30"))
    );
    let removal = format!("/auth/passkeys/{}/removal", passkey["_id"].as_str().unwrap());
    let kamala = portal.user("kamala", "supplier").await;
    kamala.post(&removal, &proof).await.expect_error(404);
    client.post(&removal, &proof).await.expect(200);
    log_in(&portal, "nimal").await.expect(200);
}

#[tokio::test]
async fn password_reset_keeps_the_second_factor() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let (_, codes) = set_up_totp(&portal, &user).await;
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let mail = mailbox::find_mail(&portal, "nimal@example.lk", "/reset-password?").await;
    let form = json!({"token": mailbox::token(&mail), "password": "kumbuk-gate-7"});
    portal.guest().put("/auth/reset-password", &form).await.expect(200);
    let login = json!({"email": "nimal@example.lk", "password": "kumbuk-gate-7"});
    let reply = portal.guest().post("/auth/login", &login).await.expect(202);
    prove(&portal, &reply["data"]["challenge"], ("recoveryCode", json!(codes[0]))).await.expect(200);
}
