//! A demonstration answers only requests to loopback names. A real portal does not start while its
//! database has demonstration accounts.

use crate::support::{
    Client, TestDatabase, TestPortal,
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
};
use api::storage::MIGRATIONS;
use axum::http::{Method, header::HOST};
use serde_json::json;

/// Returns the startup error of `serve` without `--demo` on the stage's database.
fn startup_error(stage: &Stage) -> String {
    let output = server::command()
        .args(["serve", "--mail-to-disk", "--listen", "127.0.0.1:0"])
        .env("DATABASE_URL", stage.database.url())
        .env("DATA", stage.data())
        .output()
        .unwrap();
    assert!(!output.status.success(), "the server started");
    String::from_utf8(output.stderr).unwrap()
}

#[tokio::test]
async fn server_without_demo_does_not_start_with_demonstration_accounts() {
    let stage = Stage::new(Behaviour::Accept).await;
    let (url, data) = (stage.database.url(), stage.data());
    let demo = Server::start_with(&url, data, &stage.smtp, true, &["--demo"]).await;
    let guest = Client::new(demo.base.trim_start_matches("http://").parse().unwrap());
    let supplier = json!({"email": "supplier@demo.test", "password": "demo-portal"});
    let session = guest.post("/auth/login", &supplier).await.expect(200);
    let publisher = guest.with_token(session["data"]["token"].as_str().unwrap());
    let form = json!({"title": "Supply of demonstration chairs", "description": "Two hundred.", "referenceNo": "D/1",
        "category": "Furniture", "status": "published", "location": {"province": "Western", "district": "Gampaha"},
        "dates": {"closing": "2099-12-20"}});
    publisher.post("/tenders", &form).await.expect(201);
    assert!(demo.stop().success());

    let error = startup_error(&stage);
    for part in ["admin@demo.test", "supplier@demo.test", "api admin demo remove", "--demo"] {
        assert!(error.contains(part), "{part} is not in {error}");
    }
    let removed = server::run(&url, data, &["admin", "demo", "remove"]);
    assert_eq!(removed.lines().count(), 8, "{removed}");
    assert!(removed.contains("deleted admin@demo.test"), "{removed}");
    assert!(server::run(&url, data, &["admin", "demo", "remove"]).contains("no demonstration accounts"));

    let portal = stage.start().await;
    let guest = Client::new(portal.base.trim_start_matches("http://").parse().unwrap());
    for email in ["admin@demo.test", "supplier@demo.test"] {
        guest
            .post("/auth/login", &json!({"email": email, "password": "demo-portal"}))
            .await
            .expect_error(401);
    }
    let listed = guest.get("/tenders?search=chairs").await.expect(200);
    assert_eq!(listed["data"]["pagination"]["totalCount"], 0, "{listed}");
    // The stage's subscriber, which is not a demonstration account, is left.
    assert_eq!(stage.count("select count(*) from users").await, 1);
}

/// A schema version that did not mark demonstration accounts.
const UNMARKED_VERSION: i64 = 27;

#[tokio::test]
async fn older_demonstration_accounts_are_detected_by_address() {
    let database = TestDatabase::of_version(UNMARKED_VERSION).await;
    let db = database.pool();
    sqlx::raw_sql(
        "insert into users (id, email, first_name, last_name, role, language, created_at, updated_at)
        select md5(email)::uuid, email, 'A', 'B', 'admin', 'en', now(), now()
        from unnest(array['Admin@Demo.test', 'admin@demo.test.example', 'demo.test@example.lk']) as of (email)",
    )
    .execute(&db)
    .await
    .unwrap();
    MIGRATIONS.run(&db).await.unwrap();
    let marked = api::storage::users::demo_users(&db).await.unwrap();
    assert_eq!(marked.iter().map(|user| user.email.as_str()).collect::<Vec<_>>(), ["Admin@Demo.test"]);
}

#[tokio::test]
async fn demonstration_answers_only_loopback_names() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let status = async |path: &str, host: &str| {
        let url = format!("http://{}{path}", portal.address);
        http.request(Method::GET, url).header(HOST, host).send().await.unwrap().status().as_u16()
    };
    for path in ["/dev/mail.json", "/api/health", "/livez"] {
        for host in ["evil.example", "localhost.evil.example", "192.0.2.1"] {
            assert_eq!(status(path, host).await, 421, "{host}{path}");
        }
        for host in ["localhost", "127.0.0.1:80", "portal.localhost:8080", "[::1]"] {
            assert_eq!(status(path, host).await, 200, "{host}{path}");
        }
    }
    let real = TestPortal::start().await;
    let url = format!("http://{}/livez", real.address);
    assert_eq!(http.get(url).header(HOST, "portal.example").send().await.unwrap().status(), 200);
}
