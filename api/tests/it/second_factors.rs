//! Second factors: authenticator apps, passkeys and recovery codes, and the roles that need them.

use crate::support::{Client, Reply, TestPortal, authenticator::SoftAuthenticator, mailbox};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use totp_rs::{Builder, Totp};

/// The password of the users of the tests.
const PASSWORD: &str = "secret-of-theirs";

async fn log_in(portal: &TestPortal, name: &str) -> Reply {
    let form = json!({"email": format!("{name}@example.lk"), "password": PASSWORD});
    portal.guest().post("/auth/login", &form).await
}

async fn prove(portal: &TestPortal, challenge: &Value, proof: (&str, Value)) -> Reply {
    portal.guest().post("/auth/second-factor", &json!({"challenge": challenge, proof.0: proof.1})).await
}

/// The challenge of a login whose password was right.
async fn challenge(portal: &TestPortal, name: &str) -> Value {
    let reply = log_in(portal, name).await.expect(202);
    assert!(reply["data"]["token"].is_null());
    reply["data"]["challenge"].clone()
}

fn code(app: &Totp, portal: &TestPortal) -> String {
    app.generate(u64::try_from(portal.state.clock.now().as_second()).unwrap()).to_string()
}

/// Sets up an authenticator app. Returns the app and the recovery codes.
pub async fn set_up_totp(portal: &TestPortal, user: &Client) -> (Totp, Vec<String>) {
    let set_up = user.post("/auth/totp", &json!({"password": PASSWORD})).await.expect(200);
    let url = set_up["data"]["url"].as_str().unwrap();
    let app = Totp::from_url(url).unwrap();
    assert!(url.starts_with("otpauth://totp/Serendib%20Tenders:"), "{url}");
    let typed = totp_rs::Secret::try_from_base32(set_up["data"]["secret"].as_str().unwrap()).unwrap();
    let typed = Builder::new().with_secret(typed).with_account_name("x").build().unwrap();
    assert_eq!(code(&typed, portal), code(&app, portal));
    user.put("/auth/totp", &json!({"code": "000000"})).await.expect_error(422);
    let confirmed = user.put("/auth/totp", &json!({"code": code(&app, portal)})).await.expect(200);
    let codes = confirmed["data"]["recoveryCodes"].as_array().unwrap().iter();
    (app, codes.map(|code| code.as_str().unwrap().to_owned()).collect())
}

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

/// Asks for a challenge in an open session.
async fn session_challenge(user: &Client) -> Value {
    user.post("/auth/second-factor/challenge", &json!({})).await.expect(200)["data"].clone()
}

#[tokio::test]
async fn sensitive_changes_need_a_recent_second_factor() {
    const MISSING: &str = "Confirm this change with your second factor";
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let refused = user.post("/auth/second-factor/challenge", &json!({})).await.expect_error(409);
    assert_eq!(refused, "Set up an authenticator app or a passkey first");
    let other = portal.sign_in("nimal").await;
    let (app, codes) = set_up_totp(&portal, &user).await;
    let password = json!({"password": PASSWORD});
    let email = json!({"password": PASSWORD, "email": "other@example.lk"});
    let new_password = json!({"currentPassword": PASSWORD, "newPassword": "kumbuk-gate-7"});
    let sensitive = async |user: &Client| {
        vec![
            user.post("/auth/change-email", &email).await,
            user.put("/auth/change-password", &new_password).await,
            user.post("/auth/totp", &password).await,
            user.post("/auth/totp/removal", &password).await,
            user.post("/auth/passkeys/options", &password).await,
            user.post(&format!("/auth/passkeys/{}/removal", uuid::Uuid::nil()), &password).await,
            user.post("/auth/recovery-codes", &password).await,
            user.put("/auth/google", &json!({"credential": "x"})).await,
            user.post("/auth/google/removal", &password).await,
            user.post("/auth/delete-account", &password).await,
        ]
    };
    let refused = async |user: &Client| {
        for reply in sensitive(user).await {
            assert_eq!(reply.expect_error(422), MISSING);
            assert_eq!(reply.json()["errors"][0]["field"], "secondFactor");
        }
    };
    // The proof of one session does not count for another one.
    refused(&other).await;
    // Setting it up is a proof, for ten minutes.
    portal.advance(10 * 60 - 1);
    user.post("/auth/recovery-codes", &password).await.expect(200);
    portal.advance(1);
    refused(&user).await;

    let challenge = session_challenge(&user).await;
    assert_eq!((&challenge["acceptsTotp"], &challenge["passkeyOptions"]), (&json!(true), &Value::Null));
    let answer = |proof: (&str, Value)| json!({"challenge": challenge["challenge"], proof.0: proof.1});
    let wrong = user.put("/auth/second-factor", &answer(("code", json!("123456")))).await;
    assert_eq!(wrong.expect_error(422), "Wrong code, or the code was used already");
    let right = answer(("code", json!(code(&app, &portal))));
    // Only this session can answer, and the answer begins no session.
    let expired = other.put("/auth/second-factor", &right).await.expect_error(422);
    assert_eq!(expired, "This confirmation has expired. Please start again.");
    portal.guest().put("/auth/second-factor", &right).await.expect_error(401);
    portal.guest().post("/auth/second-factor", &right).await.expect_error(401);
    user.put("/auth/second-factor", &right).await.expect(200);
    user.put("/auth/second-factor", &right).await.expect_error(422);
    // The other proof is needed, too.
    user.post("/auth/change-email", &json!({"email": "other@example.lk"})).await.expect_error(422);
    user.post("/auth/change-email", &email).await.expect(200);
    refused(&other).await;

    // The challenge of a sign-in proves nothing in an open session.
    let pending = self::challenge(&portal, "nimal").await;
    let recovery = json!({"challenge": pending, "recoveryCode": codes[0]});
    other.put("/auth/second-factor", &recovery).await.expect_error(422);
    // A recovery code is a proof, too. Here the codes were renewed.
    let renewed = user.post("/auth/recovery-codes", &password).await.expect(200);
    let challenge = session_challenge(&other).await;
    let code = &renewed["data"]["recoveryCodes"][0];
    let proof = json!({"challenge": challenge["challenge"], "recoveryCode": code});
    other.put("/auth/second-factor", &proof).await.expect(200);
    other.post("/auth/totp/removal", &password).await.expect(200);
    // Without a second factor, the password is enough.
    portal.advance(1200);
    user.post("/auth/change-email", &email).await.expect(200);
}

#[tokio::test]
async fn wrong_second_factors_in_a_session_end_the_challenge_and_then_the_attempts() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let (app, _) = set_up_totp(&portal, &user).await;
    portal.advance(600);
    for status in [422, 422] {
        let challenge = session_challenge(&user).await["challenge"].clone();
        let proof = json!({"challenge": challenge, "code": "123456"});
        for _ in 0..5 {
            user.put("/auth/second-factor", &proof).await.expect_error(status);
        }
        let gone = user.put("/auth/second-factor", &proof).await.expect_error(422);
        assert_eq!(gone, "This confirmation has expired. Please start again.");
    }
    let challenge = session_challenge(&user).await["challenge"].clone();
    let proof = json!({"challenge": challenge, "code": code(&app, &portal)});
    user.put("/auth/second-factor", &proof).await.expect_error(429);
    // Whoever has stolen the session does not lock the user out.
    let pending = self::challenge(&portal, "nimal").await;
    prove(&portal, &pending, ("code", json!(code(&app, &portal)))).await.expect(200);
}

#[tokio::test]
async fn passkey_proves_the_second_factor_in_a_session() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let user = portal.user("nimal", "supplier").await;
    let mut key = SoftAuthenticator::new("https://portal.example");
    let password = json!({"password": PASSWORD});
    let options = user.post("/auth/passkeys/options", &password).await.expect(200)["data"]["options"].clone();
    let form = json!({"name": "Phone", "credential": key.create(&options)});
    user.post("/auth/passkeys", &form).await.expect(201);
    portal.advance(600);
    user.post("/auth/delete-account", &password).await.expect_error(422);
    let challenge = session_challenge(&user).await;
    assert_eq!(challenge["acceptsTotp"], false);
    let passkey = key.get(&challenge["passkeyOptions"]);
    let proof = json!({"challenge": challenge["challenge"], "passkey": passkey});
    user.put("/auth/second-factor", &proof).await.expect(200);
    user.post("/auth/delete-account", &password).await.expect(200);
}

#[tokio::test]
async fn change_of_second_factors_ends_other_sessions_on_request() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let user = portal.user("nimal", "supplier").await;
    let password = json!({"password": PASSWORD});
    let and_end = json!({"password": PASSWORD, "endOtherSessions": true});
    let open_sessions =
        async || user.get("/auth/sessions").await.expect(200)["data"]["sessions"].as_array().unwrap().len();
    // Each sign-in begins another session. Its second factor is a new recovery code.
    let sign_in = async || {
        let reply = log_in(&portal, "nimal").await;
        if reply.status == 202 {
            let renewed = user.post("/auth/recovery-codes", &password).await.expect(200);
            let code = renewed["data"]["recoveryCodes"][0].clone();
            prove(&portal, &reply.json()["data"]["challenge"], ("recoveryCode", code)).await.expect(200);
        }
    };
    sign_in().await;
    assert_eq!(open_sessions().await, 2);
    let set_up = user.post("/auth/totp", &password).await.expect(200);
    let app = Totp::from_url(set_up["data"]["url"].as_str().unwrap()).unwrap();
    let form = json!({"code": code(&app, &portal), "endOtherSessions": true});
    user.put("/auth/totp", &form).await.expect(200);
    assert_eq!(open_sessions().await, 1);

    sign_in().await;
    assert_eq!(open_sessions().await, 2, "new codes end no session unless the user asks for it");
    user.post("/auth/recovery-codes", &and_end).await.expect(200);
    assert_eq!(open_sessions().await, 1);

    sign_in().await;
    let mut key = SoftAuthenticator::new("https://portal.example");
    let options = user.post("/auth/passkeys/options", &password).await.expect(200)["data"]["options"].clone();
    let form = json!({"name": "Phone", "credential": key.create(&options), "endOtherSessions": true});
    user.post("/auth/passkeys", &form).await.expect(201);
    assert_eq!(open_sessions().await, 1);

    sign_in().await;
    let factors = user.get("/auth/second-factors").await.expect(200);
    let id = factors["data"]["passkeys"][0]["_id"].as_str().unwrap().to_owned();
    user.post(&format!("/auth/passkeys/{id}/removal"), &and_end).await.expect(200);
    assert_eq!(open_sessions().await, 1);

    sign_in().await;
    user.post("/auth/totp/removal", &and_end).await.expect(200);
    assert_eq!(open_sessions().await, 1);
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

#[tokio::test]
async fn role_of_staff_is_suspended_until_the_sign_in_is_strong() {
    let portal = TestPortal::start_with(&["--require-second-factor", "true"]).await;
    portal.user("amara", "supplier").await;
    sqlx::query("update users set role = 'admin' where email = 'amara@example.lk'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    let amara = portal.sign_in("amara").await;
    let me = amara.get("/auth/me").await.expect(200);
    assert_eq!(me["data"]["user"]["role"], "buyer");
    assert_eq!(me["data"]["user"]["suspendedRole"], json!({"role": "admin", "need": "secondFactor"}));
    for path in ["/operate/users", "/operate/tasks", "/operate/review"] {
        let refused = amara.get(path).await.expect_error(403);
        assert!(refused.starts_with("Your role needs a second factor."), "{path}: {refused}");
    }
    // Setting it up makes this session strong, but not another one.
    let other = portal.sign_in("amara").await;
    let (app, codes) = set_up_totp(&portal, &amara).await;
    let me = amara.get("/auth/me").await.expect(200);
    assert_eq!(
        (&me["data"]["user"]["role"], &me["data"]["user"]["suspendedRole"]),
        (&json!("admin"), &Value::Null)
    );
    amara.get("/operate/users").await.expect(200);
    other.get("/operate/users").await.expect_error(403);
    // A session of staff ends after a day, however often it is renewed.
    portal.advance(60);
    let pending = challenge(&portal, "amara").await;
    let begun = prove(&portal, &pending, ("code", json!(code(&app, &portal)))).await.expect(200);
    let mut refresh = begun["data"]["refreshToken"].clone();
    for _ in 0..2 {
        portal.advance(11 * 3600);
        let renewed =
            portal.guest().post("/auth/refresh", &json!({"refreshToken": refresh})).await.expect(200);
        refresh = renewed["data"]["refreshToken"].clone();
    }
    portal.advance(2 * 3600);
    portal.guest().post("/auth/refresh", &json!({"refreshToken": refresh})).await.expect_error(401);
    // Without the second factor, the role is suspended again.
    let pending = challenge(&portal, "amara").await;
    let begun = prove(&portal, &pending, ("recoveryCode", json!(codes[0]))).await.expect(200);
    let amara = portal.guest().with_token(begun["token"].as_str().unwrap());
    amara.get("/operate/users").await.expect(200);
    amara.post("/auth/totp/removal", &json!({"password": PASSWORD})).await.expect(200);
    amara.get("/operate/users").await.expect_error(403);
}

#[tokio::test]
async fn api_key_never_carries_a_role_of_staff() {
    for (is_required, status) in [("false", 200), ("true", 404)] {
        let portal = TestPortal::start_with(&["--require-second-factor", is_required]).await;
        let amara = portal.subscriber("amara", "supplier", Some("enterprise")).await;
        let form = json!({"name": "Till", "scopes": ["tenders:read", "tenders:write"]});
        let key = amara.post("/keys", &form).await.expect(201);
        sqlx::query("update users set role = 'admin' where email = 'amara@example.lk'")
            .execute(&portal.state.db)
            .await
            .unwrap();
        let nimal = portal.user("nimal", "supplier").await;
        let draft = json!({"title": "Chairs", "status": "draft"});
        let draft = nimal.post("/tenders", &draft).await.expect(201);
        let program = portal.guest().with_token(key["data"]["secret"].as_str().unwrap());
        let path = format!("/tenders/{}", draft["data"]["tender"]["_id"].as_str().unwrap());
        assert_eq!(program.get(&path).await.status.as_u16(), status, "{is_required}");
    }
}

#[tokio::test]
async fn staff_need_a_long_password() {
    let portal = TestPortal::start_with(&["--require-second-factor", "true"]).await;
    let form = json!({"firstName": "Ravi", "lastName": "Silva", "email": "ravi@example.lk", "password": "kumbuk-gate"});
    portal.guest().post("/auth/register", &form).await.expect(201);
    sqlx::query("update users set role = 'reviewer' where email = 'ravi@example.lk'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    let login = json!({"email": "ravi@example.lk", "password": "kumbuk-gate"});
    let begun = portal.guest().post("/auth/login", &login).await.expect(200);
    assert_eq!(begun["data"]["user"]["suspendedRole"]["need"], "longerPassword");
    let ravi = portal.guest().with_token(begun["token"].as_str().unwrap());
    let change = |new: &str| json!({"currentPassword": "kumbuk-gate", "newPassword": new});
    let refused = ravi.put("/auth/change-password", &change("kumbuk-gat3")).await.expect_error(422);
    assert_eq!(refused, "Administrators and reviewers need a password of at least 12 characters");
    ravi.put("/auth/change-password", &change("kumbuk-gate-7")).await.expect(200);
    let me = ravi.get("/auth/me").await.expect(200);
    assert_eq!(me["data"]["user"]["suspendedRole"]["need"], "secondFactor");
}

#[tokio::test]
async fn administrator_removes_the_second_factors_of_another_user() {
    let portal = TestPortal::start().await;
    let nimal = portal.user("nimal", "supplier").await;
    let amara = portal.user("amara", "supplier").await;
    sqlx::query("update users set role = 'admin' where email = 'amara@example.lk'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    set_up_totp(&portal, &nimal).await;
    let users = amara.get("/operate/users?search=nimal").await.expect(200);
    let path =
        format!("/operate/users/{}/second-factors", users["data"]["users"][0]["_id"].as_str().unwrap());
    nimal.delete(&path).await.expect_error(403);
    amara.delete(&path).await.expect(200);
    nimal.get("/auth/me").await.expect_error(401);
    log_in(&portal, "nimal").await.expect(200);
    let log = amara.get("/operate/audit").await.expect(200);
    assert_eq!(log["data"]["entries"][0]["action"], "reset-second-factors");
    let own = amara.get("/auth/me").await.expect(200)["data"]["user"]["_id"].clone();
    amara.delete(&format!("/operate/users/{}/second-factors", own.as_str().unwrap())).await.expect_error(409);
}

#[tokio::test]
async fn changes_of_credentials_are_mailed_to_confirmed_addresses() {
    let portal = TestPortal::start().await;
    let nimal = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let unconfirmed = portal.unconfirmed_user("kamala", "supplier").await;
    set_up_totp(&portal, &nimal).await;
    set_up_totp(&portal, &unconfirmed).await;
    nimal.post("/auth/recovery-codes", &json!({"password": PASSWORD})).await.expect(200);
    nimal.post("/auth/totp/removal", &json!({"password": PASSWORD})).await.expect(200);
    nimal.post("/keys", &json!({"name": "Till", "scopes": ["tenders:read"]})).await.expect(201);
    log_in(&portal, "nimal").await.expect(200);
    let change = json!({"currentPassword": PASSWORD, "newPassword": "kumbuk-gate-7"});
    nimal.put("/auth/change-password", &change).await.expect(200);
    let mails = mailbox::mails(&portal, "nimal@example.lk", 7).await;
    let subject =
        |mail: &Vec<u8>| MessageParser::default().parse(mail).unwrap().subject().unwrap().to_owned();
    let subjects: Vec<String> = mails.iter().map(subject).collect();
    for subject in [
        "An authenticator app was added",
        "New recovery codes",
        "The authenticator app was removed",
        "An API key was created",
        "Sign-in with a new browser",
        "Your password was changed",
    ] {
        assert_eq!(subjects.iter().filter(|mailed| *mailed == subject).count(), 1, "{subject}: {subjects:?}");
    }
    let stranger: i64 =
        sqlx::query_scalar("select count(*) from delivery where address = 'kamala@example.lk'")
            .fetch_one(&portal.state.db)
            .await
            .unwrap();
    assert_eq!(stranger, 1, "only the link that confirms the address");
}
