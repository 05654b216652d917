//! Address confirmation, password reset and change, profile, and sessions.

use crate::support::{
    Client, Reply, TestPortal,
    mailbox::{find_mail, mails, text, token},
};
use serde_json::{Value, json};

async fn current_user(client: &Client) -> Value {
    client.get("/auth/me").await.expect(200)["data"]["user"].clone()
}

async fn log_in(portal: &TestPortal, name: &str, password: &str) -> Reply {
    let form = json!({"email": format!("{name}@example.lk"), "password": password});
    portal.guest().post("/auth/login", &form).await
}

#[tokio::test]
async fn verification_link_works_once() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    assert_eq!(current_user(&user).await["emailVerified"], false);
    let first = token(&find_mail(&portal, "nimal@example.lk", "/verify-email?").await);
    let confirm =
        async |token: &str| portal.guest().post("/auth/verify-email", &json!({"token": token})).await;
    confirm("rubbish").await.expect_error(422);
    confirm(&first).await.expect(200);
    assert_eq!(current_user(&user).await["emailVerified"], true);
    confirm(&first).await.expect_error(422);
    assert_eq!(user.post("/auth/resend-verification", &json!({})).await.status, 409);
}

#[tokio::test]
async fn verification_mail_resend_is_limited_and_old_links_expire() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    for _ in 0..3 {
        user.post("/auth/resend-verification", &json!({})).await.expect(200);
    }
    user.post("/auth/resend-verification", &json!({})).await.expect_error(429);
    let sent = mails(&portal, "nimal@example.lk", 4).await;
    assert_eq!(sent.len(), 4);
    portal.advance(48 * 3600);
    let late = portal.guest().post("/auth/verify-email", &json!({"token": token(&text(&sent[0]))})).await;
    assert!(late.expect_error(422).contains("not valid any more"));
    portal.guest().post("/auth/resend-verification", &json!({})).await.expect_error(401);
}

#[tokio::test]
async fn password_reset_works_once_and_ends_all_sessions() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    let ask =
        async |email: &str| portal.guest().post("/auth/forgot-password", &json!({"email": email})).await;
    let (known, unknown) = (ask("Nimal@Example.lk").await, ask("nobody@example.lk").await);
    assert_eq!(known.expect(200), unknown.expect(200), "the response does not reveal known addresses");
    ask("no address").await.expect_error(422);
    let link = token(&find_mail(&portal, "nimal@example.lk", "/reset-password?").await);
    let reset = async |token: &str, password: &str| {
        portal.guest().put("/auth/reset-password", &json!({"token": token, "password": password})).await
    };
    assert_eq!(reset(&link, "short").await.expect_error(422), "Password must be at least 6 characters long");
    reset("rubbish", "another secret").await.expect_error(422);
    reset(&link, "another secret").await.expect(200);
    reset(&link, "a third secret").await.expect_error(422);
    user.get("/auth/me").await.expect_error(401);
    log_in(&portal, "nimal", "secret-of-theirs").await.expect_error(401);
    let again = log_in(&portal, "nimal", "another secret").await.expect(200);
    assert_eq!(again["data"]["user"]["emailVerified"], true);
}

#[tokio::test]
async fn password_reset_link_does_not_verify_an_address_and_expires_after_an_hour() {
    let portal = TestPortal::start().await;
    portal.unconfirmed_user("nimal", "buyer").await;
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let reset = &find_mail(&portal, "nimal@example.lk", "/reset-password?").await;
    portal.guest().post("/auth/verify-email", &json!({"token": token(reset)})).await.expect_error(422);
    portal.advance(3600);
    let late = json!({"token": token(reset), "password": "another secret"});
    portal.guest().put("/auth/reset-password", &late).await.expect_error(422);
}

#[tokio::test]
async fn password_change_ends_all_other_sessions() {
    let portal = TestPortal::start().await;
    let here = portal.unconfirmed_user("nimal", "buyer").await;
    let there = portal.sign_in("nimal").await;
    let change = async |current: &str, new: &str| {
        here.put("/auth/change-password", &json!({"currentPassword": current, "newPassword": new})).await
    };
    let wrong = change("not it", "another secret").await;
    assert_eq!(wrong.expect_error(422), "Wrong password");
    assert_eq!(wrong.json()["errors"][0]["field"], "currentPassword");
    change(&"x".repeat(300), "another secret").await.expect_error(422);
    change("secret-of-theirs", "short").await.expect_error(422);
    change("secret-of-theirs", "another secret").await.expect(200);
    here.get("/auth/me").await.expect(200);
    there.get("/auth/me").await.expect_error(401);
    log_in(&portal, "nimal", "another secret").await.expect(200);
    portal
        .guest()
        .put("/auth/change-password", &json!({"currentPassword": "a", "newPassword": "b"}))
        .await
        .expect_error(401);
}

#[tokio::test]
async fn new_password_can_withdraw_keys_feeds_and_the_webhook() {
    let portal = TestPortal::start().await;
    let mut user = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let key = async |user: &Client| {
        let form = json!({"name": "Our ERP", "scopes": ["tenders:read"]});
        user.post("/keys", &form).await.expect(201)["data"]["secret"].as_str().unwrap().to_owned()
    };
    let feed_of = async |user: &Client| {
        let listed = user.get("/saved/searches").await.expect(200);
        let url = listed["data"]["searches"][0]["feedUrl"].as_str().unwrap().to_owned();
        url.split_once("/api").unwrap().1.to_owned()
    };
    user.post("/saved/searches", &json!({"name": "Roads", "query": "search=road"})).await.expect(201);
    let webhook = async |user: &Client| {
        user.put("/channels/webhook", &json!({"url": "https://hooks.example.lk/"})).await.expect(200);
    };
    for (round, withdraws) in [false, true].into_iter().enumerate() {
        let (program, feed) = (portal.guest().with_token(&key(&user).await), feed_of(&user).await);
        webhook(&user).await;
        let (old, new) = if round == 0 {
            ("secret-of-theirs", "another secret")
        } else {
            ("another secret", "a third secret")
        };
        let form = json!({"currentPassword": old, "newPassword": new, "withdrawAccess": withdraws});
        user.put("/auth/change-password", &form).await.expect(200);
        let status = if withdraws { 401 } else { 200 };
        assert_eq!(program.get("/tenders").await.status, status);
        let status = if withdraws { 404 } else { 200 };
        assert_eq!(portal.guest().get_unchecked(&format!("/api{feed}")).await.status, status);
        let channels = user.get("/channels").await.expect(200);
        assert_eq!(channels["data"]["webhook"].is_null(), withdraws, "{channels}");
    }
    let (program, feed) = (portal.guest().with_token(&key(&user).await), feed_of(&user).await);
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let link = token(&find_mail(&portal, "nimal@example.lk", "/reset-password?").await);
    let form = json!({"token": link, "password": "a fourth secret", "withdrawAccess": true});
    portal.guest().put("/auth/reset-password", &form).await.expect(200);
    assert_eq!(program.get("/tenders").await.status, 401);
    assert_eq!(portal.guest().get_unchecked(&format!("/api{feed}")).await.status, 404);
    let again = log_in(&portal, "nimal", "a fourth secret").await.expect(200);
    user = portal.guest().with_token(again["data"]["token"].as_str().unwrap());
    assert_eq!(user.get("/keys").await.expect(200)["data"]["keys"], json!([]));
}

#[tokio::test]
async fn profile_fields_are_updated_independently() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "supplier").await;
    let saved =
        user.put("/auth/profile", &json!({"company": " Silva & Sons ", "phone": "077 123 4567"})).await;
    let saved = saved.expect(200)["data"]["user"].clone();
    assert_eq!((&saved["company"], &saved["firstName"]), (&json!("Silva & Sons"), &json!("nimal")));
    let saved = user.put("/auth/profile", &json!({"phone": " ", "firstName": "Nimal"})).await.expect(200);
    assert_eq!(
        (&saved["data"]["user"]["phone"], &saved["data"]["user"]["company"]),
        (&json!(null), &json!("Silva & Sons"))
    );
    assert_eq!(
        user.put("/auth/profile", &json!({"lastName": " "})).await.expect_error(422),
        "Please fill in all required fields"
    );
    for rubbish in [json!({"phone": "x".repeat(41)}), json!({"company": "a\nb"}), json!({"firstName": 7})] {
        user.put("/auth/profile", &rubbish).await.expect_error(422);
    }
    // Fields that are not part of the profile are ignored.
    user.put("/auth/profile", &json!({"role": "admin", "emailVerified": true})).await.expect(200);
    let unchanged = current_user(&user).await;
    assert_eq!((&unchanged["role"], &unchanged["emailVerified"]), (&json!("supplier"), &json!(false)));
    portal.guest().put("/auth/profile", &json!({})).await.expect_error(401);
}

#[tokio::test]
async fn user_ends_all_other_sessions_at_once() {
    let portal = TestPortal::start().await;
    let here = portal.user("nimal", "buyer").await;
    let others = [portal.sign_in("nimal").await, portal.sign_in("nimal").await];
    let stranger = portal.user("kamala", "buyer").await;
    here.delete("/auth/sessions").await.expect(200);
    for other in others {
        other.get("/auth/me").await.expect_error(401);
    }
    here.get("/auth/me").await.expect(200);
    stranger.get("/auth/me").await.expect(200);
    portal.guest().delete("/auth/sessions").await.expect_error(401);
}

#[tokio::test]
async fn only_the_user_lists_and_ends_sessions() {
    let portal = TestPortal::start().await;
    let here = portal.unconfirmed_user("nimal", "buyer").await;
    portal.advance(60);
    let there = portal.sign_in("nimal").await;
    let other = portal.unconfirmed_user("kumari", "buyer").await;
    let listed = here.get("/auth/sessions").await.expect(200)["data"]["sessions"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!((&listed[0]["isCurrent"], &listed[1]["isCurrent"]), (&json!(true), &json!(false)));
    assert_eq!(listed[1]["begunAt"], "2026-11-20T12:01:00+05:30");
    let path = format!("/auth/sessions/{}", listed[1]["_id"].as_str().unwrap());
    other.delete(&path).await.expect_error(404);
    there.get("/auth/me").await.expect(200);
    here.delete(&path).await.expect(200);
    there.get("/auth/me").await.expect_error(401);
    here.delete(&path).await.expect_error(404);
    here.delete("/auth/sessions/x").await.expect_error(422);
    portal.guest().get("/auth/sessions").await.expect_error(401);
}

/// Requests a change of the email address, with the correct password.
async fn change_address(client: &Client, email: &str) -> Reply {
    client.post("/auth/change-email", &json!({"email": email, "password": "secret-of-theirs"})).await
}

async fn confirm(portal: &TestPortal, mail: &str) -> Reply {
    portal.guest().post("/auth/verify-email", &json!({"token": token(mail)})).await
}

#[tokio::test]
async fn changed_address_takes_effect_after_confirmation() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    let first = find_mail(&portal, "nimal@example.lk", "/verify-email?").await;
    confirm(&portal, &first).await.expect(200);
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let reset = token(&find_mail(&portal, "nimal@example.lk", "/reset-password?").await);
    change_address(&user, "nimal.perera@example.org").await.expect(200);
    // The old address is notified and stays in use until the new one is confirmed.
    find_mail(&portal, "nimal@example.lk", "You asked to use nimal.perera@example.org").await;
    assert_eq!(current_user(&user).await["email"], "nimal@example.lk");
    let link = find_mail(&portal, "nimal.perera@example.org", "/verify-email?").await;
    assert_eq!(confirm(&portal, &link).await.expect(200)["message"], "Your email address is changed");
    find_mail(&portal, "nimal@example.lk", "This address is no longer used").await;
    let after = current_user(&user).await;
    assert_eq!(
        (&after["email"], &after["emailVerified"]),
        (&json!("nimal.perera@example.org"), &json!(true))
    );
    confirm(&portal, &link).await.expect_error(422);
    // Links mailed to the old address are invalid, and another account can use the old address.
    let old = json!({"token": reset, "password": "another secret"});
    portal.guest().put("/auth/reset-password", &old).await.expect_error(422);
    log_in(&portal, "nimal", "secret-of-theirs").await.expect_error(401);
    let form = json!({"email": "Nimal.Perera@example.org", "password": "secret-of-theirs"});
    portal.guest().post("/auth/login", &form).await.expect(200);
    portal.unconfirmed_user("nimal", "buyer").await;
}

#[tokio::test]
async fn address_change_does_not_reveal_existing_accounts() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    portal.unconfirmed_user("kamala", "buyer").await;
    let free = change_address(&user, "free@example.lk").await;
    let taken = change_address(&user, "Kamala@example.lk").await;
    assert_eq!(free.expect(200), taken.expect(200));
    let mail = find_mail(&portal, "Kamala@example.lk", "already has one").await;
    assert!(!mail.contains("token=") && !mail.contains("nimal"), "{mail}");
    for email in ["other@example.lk", "kamala@example.lk"] {
        change_address(&user, email).await.expect(200);
    }
    for email in ["another@example.lk", "kamala@example.lk"] {
        change_address(&user, email).await.expect_error(429);
    }
    // A later request makes the link of an earlier one invalid.
    let stale = find_mail(&portal, "free@example.lk", "/verify-email?").await;
    confirm(&portal, &stale).await.expect_error(422);
    assert_eq!(current_user(&user).await["email"], "nimal@example.lk");
}

#[tokio::test]
async fn address_change_requires_the_password_and_expires() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    let ask = async |body: Value| user.post("/auth/change-email", &body).await;
    for (body, message) in [
        (json!({"email": "no address", "password": "secret-of-theirs"}), "Invalid email address"),
        (
            json!({"email": "NIMAL@example.lk", "password": "secret-of-theirs"}),
            "That is your email address already",
        ),
        (json!({"email": "new@example.lk"}), "Enter your password"),
        (json!({"email": "new@example.lk", "password": "wrong"}), "Wrong password"),
        (json!({"email": "new@example.lk", "credential": "x"}), "Enter your password"),
        (json!({"password": "secret-of-theirs"}), "email is missing"),
    ] {
        assert_eq!(ask(body).await.expect_error(422), message);
    }
    portal.guest().post("/auth/change-email", &json!({"email": "new@example.lk"})).await.expect_error(401);
    change_address(&user, "late@example.lk").await.expect(200);
    let late = find_mail(&portal, "late@example.lk", "/verify-email?").await;
    portal.advance(48 * 3600);
    confirm(&portal, &late).await.expect_error(422);
    // A password change cancels an address change.
    let user = portal.sign_in("nimal").await;
    change_address(&user, "off@example.lk").await.expect(200);
    let off = find_mail(&portal, "off@example.lk", "/verify-email?").await;
    let password = json!({"currentPassword": "secret-of-theirs", "newPassword": "secret-of-theirs"});
    user.put("/auth/change-password", &password).await.expect(200);
    confirm(&portal, &off).await.expect_error(422);
    // Somebody else registers the new address before the change is confirmed.
    change_address(&user, "kamala@example.lk").await.expect(200);
    let link = find_mail(&portal, "kamala@example.lk", "/verify-email?").await;
    portal.unconfirmed_user("kamala", "buyer").await;
    assert_eq!(confirm(&portal, &link).await.expect_error(409), "Another account has this email address");
    assert_eq!(current_user(&user).await["email"], "nimal@example.lk");
}

#[tokio::test]
async fn unverified_address_is_not_notified_of_a_change() {
    let portal = TestPortal::start().await;
    let user = portal.unconfirmed_user("nimal", "buyer").await;
    change_address(&user, "right@example.lk").await.expect(200);
    confirm(&portal, &find_mail(&portal, "right@example.lk", "/verify-email?").await).await.expect(200);
    assert_eq!(current_user(&user).await["emailVerified"], true);
    let mail_count: i64 =
        sqlx::query_scalar("select count(*) from delivery where address = 'nimal@example.lk'")
            .fetch_one(&portal.state.db)
            .await
            .unwrap();
    assert_eq!(mail_count, 1, "only the registration mail");
}
