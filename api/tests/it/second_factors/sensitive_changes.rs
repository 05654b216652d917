//! Changes that need a recent second factor, and what changes of credentials cause.

use super::{PASSWORD, challenge, code, log_in, prove, session_challenge, set_up_totp};
use crate::support::{Client, TestPortal, authenticator::SoftAuthenticator, mailbox};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use totp_rs::Totp;

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
