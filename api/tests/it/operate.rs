//! What administrators and reviewers do, who may do it, and the entries in the audit log.

use crate::{
    notice_sources::{CORRIGENDUM, send_notice},
    operate_mail::{dead_mail, suppress},
    support::{
        Client, TestPortal,
        mailbox::{confirm_address, find_mail, token},
        server, wait_for,
    },
};
use axum::http::Method;
use serde_json::{Value, json};

/// Creates a user with this role and signs in.
pub async fn staff(portal: &TestPortal, name: &str, role: &str) -> Client {
    portal.user(name, "supplier").await;
    sqlx::query("update users set role = $2 where email = $1")
        .bind(format!("{name}@example.lk"))
        .bind(role)
        .execute(&portal.state.db)
        .await
        .unwrap();
    portal.sign_in(name).await
}

/// The id of a user whom the administrator finds by a part of the name.
pub async fn find_user(admin: &Client, part: &str) -> Value {
    let found = admin.get(&format!("/operate/users?search={part}")).await.expect(200);
    assert_eq!(found["data"]["users"].as_array().unwrap().len(), 1, "{found}");
    found["data"]["users"][0].clone()
}

pub fn id_of(user: &Value) -> String {
    user["_id"].as_str().unwrap().to_owned()
}

/// The latest entry of the audit log.
pub async fn last_entry(admin: &Client) -> Value {
    admin.get("/operate/audit").await.expect(200)["data"]["entries"][0].clone()
}

/// The numbers of waiting items that the caller sees, by kind of work.
async fn tasks(caller: &Client) -> Vec<(String, i64)> {
    let tasks = caller.get("/operate/tasks").await.expect(200)["data"]["tasks"].clone();
    let tasks = tasks.as_array().unwrap().iter();
    tasks.map(|one| (one["task"].as_str().unwrap().to_owned(), one["waiting"].as_i64().unwrap())).collect()
}

/// The number of waiting items of a kind of work.
pub async fn waiting_work(caller: &Client, task: &str) -> i64 {
    tasks(caller).await.into_iter().find_map(|(name, waiting)| (name == task).then_some(waiting)).unwrap()
}

#[tokio::test]
async fn waiting_work_is_counted_for_those_who_may_do_it() {
    let portal = TestPortal::start().await;
    portal.guest().get("/operate/tasks").await.expect_error(401);
    portal.user("nimal", "supplier").await.get("/operate/tasks").await.expect_error(403);
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let admin = staff(&portal, "amara", "admin").await;
    let none = |names: &[&str]| names.iter().map(|name| ((*name).to_owned(), 0)).collect::<Vec<_>>();
    let all = ["review", "gaps", "pages", "names", "publications", "messages", "mails", "payments"];
    assert_eq!(tasks(&reviewer).await, none(&all[..3]));
    assert_eq!(tasks(&admin).await, none(&all));

    let message = json!({"name": "Nimal Perera", "email": "nimal@example.lk", "message": "A question"});
    portal.guest().post("/contact", &message).await.expect(201);
    portal.advance(60);
    portal.guest().post("/contact", &message).await.expect(201);
    let db = &portal.state.db;
    dead_mail(db, 1, "kamala@example.lk", "550 mailbox full").await;
    dead_mail(db, 2, "gone@example.lk", "550 no such user").await;
    suppress(db, "gone@example.lk", "bounce").await;
    let admin = portal.sign_in("amara").await;
    assert_eq!((waiting_work(&admin, "messages").await, waiting_work(&admin, "mails").await), (2, 1));
    let oldest = admin.get("/operate/tasks").await.expect(200)["data"]["tasks"][5]["oldestSince"].clone();
    assert_eq!(oldest, "2026-11-20T12:00:00+05:30");
}

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
    let mut renewal = db.begin().await.unwrap();
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

#[tokio::test]
async fn lists_are_read_in_parts() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    sqlx::query(
        "insert into users (id, email, first_name, last_name, role, language, created_at, updated_at)
        select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'u' || n || '@example.lk', 'U', 'V',
            'buyer', 'en', now(), now()
        from generate_series(1, 120) n",
    )
    .execute(&portal.state.db)
    .await
    .unwrap();
    let (mut seen, mut path) = (Vec::new(), "/operate/users?role=buyer".to_owned());
    loop {
        let part = admin.get(&path).await.expect(200)["data"].clone();
        seen.extend(part["users"].as_array().unwrap().iter().map(id_of));
        let Some(next) = part["next"].as_str() else { break };
        path = format!("/operate/users?role=buyer&after={next}");
    }
    let mut sorted = seen.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    sorted.dedup();
    assert_eq!((seen.len(), &seen), (120, &sorted));

    for nth in 0..60 {
        let reason = json!({"reason": format!("Reason {nth}")});
        admin.put(&format!("/operate/users/{}/lock", seen[0]), &reason).await.expect(200);
    }
    let subject = format!("/operate/audit?subject={}", seen[0]);
    let first = admin.get(&subject).await.expect(200)["data"].clone();
    let rest = admin.get(&format!("{subject}&before={}", first["next"])).await.expect(200)["data"].clone();
    let counts = [&first, &rest].map(|part| part["entries"].as_array().unwrap().len());
    assert_eq!((counts, &rest["next"]), ([50, 10], &json!(null)));
    assert_eq!(rest["entries"][9]["after"], json!({"reason": "Reason 0"}));
}

/// A reviewer gets status 403 from each route that only administrators may use, and a supplier also
/// from the routes of reviewers. The routes come from the OpenAPI document.
#[tokio::test]
async fn reviewers_and_suppliers_cannot_administer() {
    const UNKNOWN_ID: &str = "00000000-0000-7000-8000-000000000000";
    let portal = TestPortal::start().await;
    let reviewer = staff(&portal, "ravi", "reviewer").await;
    let supplier = portal.user("nimal", "supplier").await;
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut refused = 0;
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let description = operation["responses"]["403"]["description"].as_str().unwrap_or_default();
            let may_review = description == "The caller is neither a reviewer nor an administrator";
            let of_reviewers = ["tasks", "review", "pages", "coverage", "papers", "holidays"];
            let is_of_reviewers =
                of_reviewers.iter().any(|part| path.starts_with(&format!("/operate/{part}")));
            let is_restricted = may_review || description == "The caller is not an administrator";
            // The URL of a picture is signed.
            if path.starts_with("/operate/") && !path.ends_with("/picture") {
                assert!(is_restricted && may_review == is_of_reviewers, "{method} {path}: {description}");
            }
            if !is_restricted {
                continue;
            }
            let concrete = path.split('/').map(|part| if part.starts_with('{') { UNKNOWN_ID } else { part });
            let concrete = concrete.collect::<Vec<_>>().join("/");
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            for (client, is_refused) in [(&supplier, true), (&reviewer, !may_review)] {
                let request = client.request(method.clone(), &concrete).json(&json!({}));
                let reply = client.send(request, method.clone(), &concrete).await;
                assert_eq!(reply.status == 403, is_refused, "{method} {path}: {}", reply.text());
                refused += usize::from(is_refused);
            }
        }
    }
    assert!(refused >= 16, "{refused}");
}

#[tokio::test]
async fn decision_about_a_notice_is_recorded_with_its_actor() {
    let portal = TestPortal::start().await;
    let (admin, reviewer) =
        (staff(&portal, "amara", "admin").await, staff(&portal, "ravi", "reviewer").await);
    let operator = portal.operator().await;
    send_notice(&operator, 2, CORRIGENDUM).await;
    let waiting = reviewer.get("/operate/review").await.expect(200)["data"]["notices"].clone();
    let notice = &waiting[0];
    let path = format!("/operate/review/{}", notice["key"].as_str().unwrap());
    reviewer.post(&path, &json!({"decision": "reject"})).await.expect(200);
    let entry = last_entry(&admin).await;
    assert_eq!((&entry["action"], &entry["actorName"]), (&json!("decide-review"), &json!("ravi@example.lk")));
    assert_eq!((&entry["subjectId"], &entry["after"]), (&notice["key"], &json!({"decision": "reject"})));
}

#[tokio::test]
async fn command_line_is_recorded() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let url = portal.database_url();
    let data = portal.folder.path();
    let reviewer = ["--email", "ravi@example.lk", "--first-name", "Ravi", "--last-name", "Silva"];
    server::run(&url, data, &[&["admin", "create", "--role", "reviewer"], &reviewer[..]].concat());
    assert_eq!(find_user(&admin, "ravi").await["role"], "reviewer");
    server::run(&url, data, &["admin", "token", "create", "desk"]);
    server::run(&url, data, &["admin", "plan", "set", "basic", "--price-monthly", "2500"]);
    let entries = admin.get("/operate/audit").await.expect(200)["data"]["entries"].clone();
    let change = &entries[0];
    assert_eq!((&change["action"], &change["subjectId"]), (&json!("change-plan"), &json!("basic")));
    assert_eq!(
        (&change["before"]["priceMonthly"], &change["after"]["priceMonthly"]),
        (&json!(2000), &json!(2500))
    );
    assert_eq!((&change["actorKind"], &change["actorId"]), (&json!("command-line"), &json!(null)));
    assert_eq!((&entries[1]["action"], &entries[1]["subjectId"]), (&json!("create-token"), &json!("desk")));
    assert_eq!(entries[1]["after"]["scopes"], "publish, work");
    assert_eq!(
        (&entries[2]["action"], &entries[2]["after"]),
        (&json!("create-user"), &json!({"role": "reviewer"}))
    );
}

/// An action whose entry cannot be stored does not happen.
#[tokio::test]
async fn action_is_undone_if_its_entry_cannot_be_stored() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "amara", "admin").await;
    let nimal = portal.user("nimal", "supplier").await;
    let id = id_of(&find_user(&admin, "nimal").await);
    let form = json!({
        "title": "Chairs", "description": "Two hundred.", "referenceNo": "S/1", "category": "Furniture",
        "status": "published", "organization": {"name": "Abans"}, "dates": {"closing": "2026-12-01"},
        "location": {"province": "Western", "district": "Gampaha"},
    });
    let tender = nimal.post("/tenders", &form).await.expect(201)["data"]["tender"].clone();
    for statement in [
        "create function fail() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$",
        "create trigger fail before insert on audit_entry for each row execute function fail()",
    ] {
        sqlx::query(statement).execute(&portal.state.db).await.unwrap();
    }
    let lock = format!("/operate/users/{id}/lock");
    admin.put(&lock, &json!({"reason": "Fraud"})).await.expect_error(500);
    let role = json!({"role": "buyer"});
    admin.put(&format!("/operate/users/{id}/role"), &role).await.expect_error(500);
    let path = format!("/tenders/{}", id_of(&tender));
    admin.put(&format!("/operate{path}/takedown"), &json!({"reason": "Fraud"})).await.expect_error(500);
    admin.put(&path, &json!({"title": "Changed"})).await.expect_error(500);
    admin.delete(&path).await.expect_error(500);

    let user = find_user(&admin, "nimal").await;
    assert_eq!((&user["lockedAt"], &user["role"]), (&json!(null), &json!("supplier")));
    nimal.get("/auth/me").await.expect(200);
    let shown = portal.guest().get(&path).await.expect(200)["data"]["tender"].clone();
    assert_eq!((&shown["title"], &shown["status"]), (&json!("Chairs"), &json!("published")));
}

#[tokio::test]
async fn audit_log_cannot_be_changed() {
    let portal = TestPortal::start().await;
    portal.operator().await;
    for change in [
        "update audit_entry set action = 'lock-user'",
        "delete from audit_entry",
        "truncate audit_entry",
        "delete from audit_entry where false",
    ] {
        let error = sqlx::query(change).execute(&portal.state.db).await.unwrap_err().to_string();
        assert!(error.contains("append-only"), "{change}: {error}");
    }
    let left: i64 =
        sqlx::query_scalar("select count(*) from audit_entry").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(left, 1);
}
