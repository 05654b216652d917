//! What administrators and reviewers see and may do, and the entries in the audit log.

use crate::{
    notice_sources::{CORRIGENDUM, send_notice},
    operate_mail::{dead_mail, suppress},
    support::{Client, TestPortal, server},
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
