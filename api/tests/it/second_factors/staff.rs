//! The roles of staff, which need a second factor, and the administrator who removes one.

use super::{PASSWORD, challenge, code, log_in, prove, set_up_totp};
use crate::support::TestPortal;
use serde_json::{Value, json};

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
