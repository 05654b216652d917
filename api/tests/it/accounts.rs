//! Confirming an address, forgotten and changed passwords, the profile, and sessions.

use crate::support::{
    Client, Reply, TestPortal,
    mailbox::{letter, mails, text, token},
};
use serde_json::{Value, json};

async fn me(client: &Client) -> Value {
    client.get("/auth/me").await.expect(200)["data"]["user"].clone()
}

async fn log_in(portal: &TestPortal, name: &str, password: &str) -> Reply {
    let form = json!({"email": format!("{name}@example.lk"), "password": password});
    portal.guest().post("/auth/login", &form).await
}

#[tokio::test]
async fn an_address_is_confirmed_by_its_mail_once() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "buyer").await;
    assert_eq!(me(&user).await["emailVerified"], false);
    let first = token(&letter(&portal, "nimal@example.lk", "/verify-email?").await);
    let confirm =
        async |token: &str| portal.guest().post("/auth/verify-email", &json!({"token": token})).await;
    confirm("rubbish").await.refused(422);
    confirm(&first).await.expect(200);
    assert_eq!(me(&user).await["emailVerified"], true);
    confirm(&first).await.refused(422);
    assert_eq!(user.post("/auth/resend-verification", &json!({})).await.status, 409);
}

#[tokio::test]
async fn the_mail_can_be_sent_again_but_not_without_end_and_old_links_run_out() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "buyer").await;
    for _ in 0..3 {
        user.post("/auth/resend-verification", &json!({})).await.expect(200);
    }
    user.post("/auth/resend-verification", &json!({})).await.refused(429);
    let sent = mails(&portal, "nimal@example.lk", 4).await;
    assert_eq!(sent.len(), 4);
    portal.pass(48 * 3600);
    let late = portal.guest().post("/auth/verify-email", &json!({"token": token(&text(&sent[0]))})).await;
    assert!(late.refused(422).contains("not valid any more"));
    portal.guest().post("/auth/resend-verification", &json!({})).await.refused(401);
}

#[tokio::test]
async fn a_forgotten_password_is_set_anew_once_and_signs_out_everywhere() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "buyer").await;
    let ask =
        async |email: &str| portal.guest().post("/auth/forgot-password", &json!({"email": email})).await;
    let (known, unknown) = (ask("Nimal@Example.lk").await, ask("nobody@example.lk").await);
    assert_eq!(known.expect(200), unknown.expect(200), "nobody learns which addresses are known");
    ask("no address").await.refused(422);
    let link = token(&letter(&portal, "nimal@example.lk", "/reset-password?").await);
    let reset = async |token: &str, password: &str| {
        portal.guest().put("/auth/reset-password", &json!({"token": token, "password": password})).await
    };
    assert_eq!(reset(&link, "short").await.refused(422), "Password must be at least 6 characters long");
    reset("rubbish", "another secret").await.refused(422);
    reset(&link, "another secret").await.expect(200);
    reset(&link, "a third secret").await.refused(422);
    user.get("/auth/me").await.refused(401);
    log_in(&portal, "nimal", "secret-of-theirs").await.refused(401);
    let again = log_in(&portal, "nimal", "another secret").await.expect(200);
    assert_eq!(again["data"]["user"]["emailVerified"], true);
}

#[tokio::test]
async fn a_link_for_a_password_is_no_link_for_an_address_and_lasts_an_hour() {
    let portal = TestPortal::start().await;
    portal.user("nimal", "buyer").await;
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let reset = &letter(&portal, "nimal@example.lk", "/reset-password?").await;
    portal.guest().post("/auth/verify-email", &json!({"token": token(reset)})).await.refused(422);
    portal.pass(3600);
    let late = json!({"token": token(reset), "password": "another secret"});
    portal.guest().put("/auth/reset-password", &late).await.refused(422);
}

#[tokio::test]
async fn whoever_knows_the_password_changes_it_and_stays_signed_in_here_alone() {
    let portal = TestPortal::start().await;
    let here = portal.user("nimal", "buyer").await;
    let there = portal.signed_in("nimal").await;
    let change = async |current: &str, new: &str| {
        here.put("/auth/change-password", &json!({"currentPassword": current, "newPassword": new})).await
    };
    let wrong = change("not it", "another secret").await;
    assert_eq!(wrong.refused(422), "Your current password is another one");
    assert_eq!(wrong.json()["errors"][0]["field"], "currentPassword");
    change(&"x".repeat(300), "another secret").await.refused(422);
    change("secret-of-theirs", "short").await.refused(422);
    change("secret-of-theirs", "another secret").await.expect(200);
    here.get("/auth/me").await.expect(200);
    there.get("/auth/me").await.refused(401);
    log_in(&portal, "nimal", "another secret").await.expect(200);
    portal
        .guest()
        .put("/auth/change-password", &json!({"currentPassword": "a", "newPassword": "b"}))
        .await
        .refused(401);
}

#[tokio::test]
async fn a_profile_is_changed_field_by_field() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
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
        user.put("/auth/profile", &json!({"lastName": " "})).await.refused(422),
        "Please fill in all required fields"
    );
    for rubbish in [json!({"phone": "x".repeat(41)}), json!({"company": "a\nb"}), json!({"firstName": 7})] {
        user.put("/auth/profile", &rubbish).await.refused(422);
    }
    // What is not the profile's stays as it is, whatever is sent.
    user.put("/auth/profile", &json!({"role": "admin", "emailVerified": true})).await.expect(200);
    let unchanged = me(&user).await;
    assert_eq!((&unchanged["role"], &unchanged["emailVerified"]), (&json!("supplier"), &json!(false)));
    portal.guest().put("/auth/profile", &json!({})).await.refused(401);
}

#[tokio::test]
async fn sessions_are_listed_and_ended_by_their_user_alone() {
    let portal = TestPortal::start().await;
    let here = portal.user("nimal", "buyer").await;
    portal.pass(60);
    let there = portal.signed_in("nimal").await;
    let other = portal.user("kumari", "buyer").await;
    let listed = here.get("/auth/sessions").await.expect(200)["data"]["sessions"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!((&listed[0]["isCurrent"], &listed[1]["isCurrent"]), (&json!(true), &json!(false)));
    assert_eq!(listed[1]["begunAt"], "2026-11-20T12:01:00+05:30");
    let path = format!("/auth/sessions/{}", listed[1]["_id"].as_str().unwrap());
    other.delete(&path).await.refused(404);
    there.get("/auth/me").await.expect(200);
    here.delete(&path).await.expect(200);
    there.get("/auth/me").await.refused(401);
    here.delete(&path).await.refused(404);
    here.delete("/auth/sessions/x").await.refused(422);
    portal.guest().get("/auth/sessions").await.refused(401);
}
