//! User accounts, as administrators manage them: locks, roles, sessions and confirmations.

use crate::{
    operate::{find_user, id_of, last_entry, staff},
    support::{
        TestPortal,
        mailbox::{confirm_address, find_mail, token},
        wait_for,
    },
};
use api::storage;
use serde_json::json;

#[tokio::test]
async fn locked_account_is_signed_out_and_cannot_be_used() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let key = nimal.post("/keys", &json!({"name": "ERP", "scopes": ["tenders:read"]})).await.expect(201);
    let program = portal.guest().with_token(key["data"]["secret"].as_str().unwrap());
    program.get("/tenders").await.expect(200);
    let id = id_of(&find_user(&admin, "nimal").await);

    let locked =
        admin.put(&format!("/operate/users/{id}/lock"), &json!({"reason": "Fraud"})).await.expect(200);
    let user = &locked["data"]["user"];
    assert_eq!(
        (&user["lockReason"], &user["lockedAt"]),
        (&json!("Fraud"), &json!("2026-11-20T12:00:00+05:30"))
    );
    nimal.get("/auth/me").await.expect_error(401);
    let form = json!({"email": "nimal@example.lk", "password": "secret-of-theirs"});
    let refused = portal.guest().post("/auth/login", &form).await.expect_error(403);
    assert!(refused.starts_with("This account is locked"), "{refused}");
    // A wrong password does not reveal that the account is locked.
    let wrong = json!({"email": "nimal@example.lk", "password": "not-this-one"});
    portal.guest().post("/auth/login", &wrong).await.expect_error(401);
    program.get("/tenders").await.expect_error(403);
    let entry = last_entry(&admin).await;
    assert_eq!(
        (&entry["action"], &entry["subject"], &entry["subjectId"]),
        (&json!("lock-user"), &json!("user"), &json!(id))
    );
    assert_eq!(entry["subjectName"], "nimal@example.lk");
    // An entry whose subject has another kind of id does not hide the others.
    sqlx::query(
        "insert into audit_entry (at, actor_kind, action, subject_kind, subject_id)
        values ('2026-11-20', 'command-line', 'lock-user', 'user', 'nobody')",
    )
    .execute(&portal.state.db)
    .await
    .unwrap();
    assert_eq!(last_entry(&admin).await["subjectName"], json!(null));
    assert_eq!((&entry["before"], &entry["after"]), (&json!({"reason": null}), &json!({"reason": "Fraud"})));
    assert_eq!((&entry["actorName"], &entry["address"]), (&json!("amara@example.lk"), &json!("127.0.0.1")));
    assert_eq!(admin.get("/operate/users?isLocked=true").await.expect(200)["data"]["users"][0]["_id"], id);

    admin.delete(&format!("/operate/users/{id}/lock")).await.expect(200);
    portal.sign_in("nimal").await.get("/auth/me").await.expect(200);
    program.get("/tenders").await.expect(200);
    nimal.get("/auth/me").await.expect_error(401);
    assert_eq!(last_entry(&admin).await["action"], "unlock-user");
    admin.delete(&format!("/operate/users/{id}/lock")).await.expect(200);
    let unlocks = admin.get("/operate/audit?action=unlock-user").await.expect(200);
    assert_eq!(unlocks["data"]["entries"].as_array().unwrap().len(), 1, "nothing changed the second time");
}

#[tokio::test]
async fn roles_sessions_and_confirmations_are_managed() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.unconfirmed_user("nimal", "supplier").await;
    let user = find_user(&admin, "NIMAL%20perera").await;
    let id = id_of(&user);
    assert_eq!((&user["emailVerified"], &user["role"]), (&json!(false), &json!("supplier")));
    assert_eq!((&user["plan"], &user["lockedAt"]), (&json!("free"), &json!(null)));

    admin.post(&format!("/operate/users/{id}/confirmation"), &json!({})).await.expect(200);
    confirm_address(&portal, "nimal").await;
    admin.post(&format!("/operate/users/{id}/confirmation"), &json!({})).await.expect_error(409);
    admin.delete(&format!("/operate/users/{id}/sessions")).await.expect(200);
    nimal.get("/auth/me").await.expect_error(401);
    assert_eq!(last_entry(&admin).await["before"], json!({"sessions": 1}));

    let nimal = portal.sign_in("nimal").await;
    // A stolen session cannot make administrators.
    for proof in [json!({}), json!({"password": "not-this-one"})] {
        let mut form = json!({"role": "reviewer"});
        form.as_object_mut().unwrap().extend(proof.as_object().unwrap().clone());
        admin.put(&format!("/operate/users/{id}/role"), &form).await.expect_error(422);
    }
    assert_eq!(find_user(&admin, "nimal").await["role"], "supplier");
    let form = json!({"role": "reviewer", "password": "secret-of-theirs"});
    let role = admin.put(&format!("/operate/users/{id}/role"), &form).await.expect(200);
    assert_eq!(role["data"]["user"]["role"], "reviewer");
    nimal.get("/auth/me").await.expect_error(401);
    portal.sign_in("nimal").await.get("/operate/review").await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!(entry["action"], "change-role");
    assert_eq!(
        (&entry["before"], &entry["after"]),
        (&json!({"role": "supplier"}), &json!({"role": "reviewer"}))
    );

    // Nobody can take away their own access, so one administrator always remains.
    let own = id_of(&find_user(&admin, "amara").await);
    admin.put(&format!("/operate/users/{own}/role"), &json!({"role": "buyer"})).await.expect_error(409);
    admin.put(&format!("/operate/users/{own}/lock"), &json!({"reason": "x"})).await.expect_error(409);
    admin.put(&format!("/operate/users/{id}/lock"), &json!({"reason": " "})).await.expect_error(422);
    // A role with fewer rights needs no password.
    admin.put(&format!("/operate/users/{id}/role"), &json!({"role": "supplier"})).await.expect(200);
    admin.put(&format!("/operate/users/{id}/role"), &json!({"role": "king"})).await.expect_error(422);
    for rubbish in ["search=%00", "role=king", "after=1", "isLocked=maybe", "page=2"] {
        let reply = admin.get(&format!("/operate/users?{rubbish}")).await;
        assert_eq!(reply.status == 422, rubbish != "search=%00", "{rubbish}");
    }
    admin.get(&format!("/operate/users?search={}", "x".repeat(3000))).await.expect_error(422);
    admin.get("/operate/audit?subject=%00").await.expect(200);
    let nobody = "00000000-0000-7000-8000-000000000000";
    admin.put(&format!("/operate/users/{nobody}/lock"), &json!({"reason": "x"})).await.expect_error(404);
    let form = json!({"firstName": "A", "lastName": "B", "email": "x@example.lk", "password": "secret-of-theirs",
        "role": "reviewer"});
    portal.guest().post("/auth/register", &form).await.expect_error(422);
}

#[tokio::test]
async fn locked_account_gets_nothing_by_links_feeds_and_invitations() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let sunil = portal.user("sunil", "supplier").await;
    let saved = nimal.post("/saved/searches", &json!({"name": "Roads", "query": "search=road"})).await;
    let feed = saved.expect(201)["data"]["search"]["feedUrl"].as_str().unwrap().to_owned();
    let feed = feed[feed.find("/api/feeds").unwrap()..].to_owned();
    nimal.post("/team/invitations", &json!({"email": "sunil@example.lk"})).await.expect(201);
    let invitation = token(&find_mail(&portal, "sunil@example.lk", "/join?").await);
    let form = json!({"email": "nimal@example.lk", "password": "secret-of-theirs"});
    let session = portal.guest().post("/auth/login", &form).await.expect(200)["data"].clone();
    portal.guest().post("/auth/forgot-password", &json!({"email": "nimal@example.lk"})).await.expect(200);
    let reset = token(&find_mail(&portal, "nimal@example.lk", "/reset-password?").await);
    let has_plan = || async {
        sqlx::query_scalar::<_, bool>(
            "select exists (select from held_subscription s join users u on u.id = s.holder_id
            where u.email = 'nimal@example.lk')",
        )
        .fetch_one(&portal.state.db)
        .await
        .unwrap()
    };
    assert!(has_plan().await);
    portal.wait_until_indexed().await;
    let shown = portal.guest().get_unchecked(&feed).await;
    assert_eq!(shown.status, 200, "{}", shown.text());

    let id = id_of(&find_user(&admin, "nimal").await);
    admin.put(&format!("/operate/users/{id}/lock"), &json!({"reason": "Fraud"})).await.expect(200);
    assert!(!has_plan().await, "no matches, messages and reports");
    assert_eq!(portal.guest().get_unchecked(&feed).await.status, 404);
    sunil.post("/team/join", &json!({"token": invitation})).await.expect_error(404);
    let renewal = json!({"refreshToken": session["refreshToken"]});
    portal.guest().post("/auth/refresh", &renewal).await.expect_error(401);
    let password = json!({"token": reset, "password": "another-secret"});
    let refused = portal.guest().put("/auth/reset-password", &password).await;
    assert!(refused.status.is_client_error(), "{}", refused.text());

    admin.delete(&format!("/operate/users/{id}/lock")).await.expect(200);
    assert!(has_plan().await);
    portal.guest().post("/auth/refresh", &renewal).await.expect_error(401);
}

#[tokio::test]
async fn one_administrator_always_remains() {
    let portal = TestPortal::start().await;
    let amara = staff(&portal, "amara", "admin").await;
    let binara = staff(&portal, "binara", "admin").await;
    let [one, two] =
        [find_user(&amara, "amara").await, find_user(&amara, "binara").await].map(|user| id_of(&user));
    let reason = json!({"reason": "Both at once"});
    let (paths, reason) = ([one, two].map(|id| format!("/operate/users/{id}/lock")), &reason);
    let (first, second) = tokio::join!(amara.put(&paths[1], reason), binara.put(&paths[0], reason));
    let mut statuses = [first.status.as_u16(), second.status.as_u16()];
    statuses.sort_unstable();
    assert!(statuses == [200, 401] || statuses == [200, 403], "{statuses:?}");
    let left = if first.status == 200 { amara } else { binara };
    let proof = json!({"password": "secret-of-theirs"});
    let refused = left.post("/auth/delete-account", &proof).await.expect_error(409);
    assert!(refused.starts_with("You are the only administrator"), "{refused}");
}

#[tokio::test]
async fn only_administrator_cannot_delete_the_account_while_the_role_is_suspended() {
    let portal = TestPortal::start_with(&["--require-second-factor", "true"]).await;
    let amara = staff(&portal, "amara", "admin").await;
    let me = amara.get("/auth/me").await.expect(200);
    assert_eq!(me["data"]["user"]["suspendedRole"]["role"], "admin");
    let proof = json!({"password": "secret-of-theirs"});
    let refused = amara.post("/auth/delete-account", &proof).await.expect_error(409);
    assert!(refused.starts_with("You are the only administrator"), "{refused}");
    staff(&portal, "binara", "admin").await;
    amara.post("/auth/delete-account", &proof).await.expect(200);
}

#[tokio::test]
async fn unconfirmed_user_is_not_promoted_and_a_new_role_deletes_keys() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    portal.unconfirmed_user("sunil", "supplier").await;
    let sunil = id_of(&find_user(&admin, "sunil").await);
    let reviewer = json!({"role": "reviewer", "password": "secret-of-theirs"});
    admin.put(&format!("/operate/users/{sunil}/role"), &reviewer).await.expect_error(409);
    let nimal = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let key = nimal.post("/keys", &json!({"name": "ERP", "scopes": ["tenders:read"]})).await.expect(201);
    let nimal = id_of(&find_user(&admin, "nimal").await);
    admin.put(&format!("/operate/users/{nimal}/role"), &reviewer).await.expect(200);
    let program = portal.guest().with_token(key["data"]["secret"].as_str().unwrap());
    program.get("/tenders").await.expect_error(401);
}

/// A renewal that began before the sessions were signed out ends afterwards.
#[tokio::test]
async fn session_that_is_being_renewed_is_signed_out_too() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    portal.user("nimal", "supplier").await;
    let id = id_of(&find_user(&admin, "nimal").await);
    let db = &portal.state.db;
    let mut renewal = storage::begin(db).await.unwrap();
    sqlx::query("select from session where user_id = $1::uuid for update")
        .bind(&id)
        .execute(&mut *renewal)
        .await
        .unwrap();
    let path = format!("/operate/users/{id}/sessions");
    let ending = tokio::spawn(async move { admin.delete(&path).await.expect(200) });
    wait_for(
        db,
        "select exists (select from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock')",
    )
    .await;
    sqlx::query("update session set used_at = used_at + interval '1 hour' where user_id = $1::uuid")
        .bind(&id)
        .execute(&mut *renewal)
        .await
        .unwrap();
    renewal.commit().await.unwrap();
    ending.await.unwrap();
    let open: i64 =
        sqlx::query_scalar("select count(*) from session where user_id = $1::uuid and ended_at is null")
            .bind(&id)
            .fetch_one(db)
            .await
            .unwrap();
    assert_eq!(open, 0);
}
