//! A demonstration answers only requests to loopback names. A real portal does not start while its
//! database has demonstration accounts. `fixtures/demonstration/fill.js` fills the accounts once.

use crate::support::{
    Client, TestDatabase, TestPortal,
    publishing::store_sample_tender,
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
};
use api::{cli::demo, storage::MIGRATIONS};
use axum::http::{Method, header::HOST};
use jiff::SignedDuration;
use serde_json::{Value, json};
use tender_model::vocabulary::{Category, Moment};

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

/// Runs a part of the program that fills the demonstration accounts.
async fn fill(portal: &TestPortal, part: &str) {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/demonstration/fill.js");
    let url = format!("http://{}", portal.address);
    let now = portal.state.clock.now().to_string();
    let output = tokio::process::Command::new("node")
        .args([program, &url, part, "--now", &now])
        .output()
        .await
        .unwrap();
    assert!(output.status.success(), "{part}: {}", String::from_utf8_lossy(&output.stderr));
}

/// What the demonstration accounts contain, as numbers and stages.
async fn contents(portal: &TestPortal) -> Value {
    let mut contents = serde_json::Map::new();
    for name in ["professional", "enterprise", "colleague", "supplier", "procurement", "buyer"] {
        let credentials = json!({"email": format!("{name}@demo.test"), "password": "demo-portal"});
        let session = portal.guest().post("/auth/login", &credentials).await.expect(200);
        let user = portal.guest().with_token(session["data"]["token"].as_str().unwrap());
        let data = async |path: &str| user.get(path).await.expect(200)["data"].clone();
        let board = data("/bids").await;
        let bid = |bid: &Value| json!([bid["stage"], bid["tasks"], bid["doneTasks"], bid["notes"]]);
        let company = data("/company").await;
        let has_alerts = ["professional", "enterprise", "colleague"].contains(&name);
        contents.insert(
            name.to_owned(),
            json!({
                "bids": board["bids"].as_array().unwrap().iter().map(bid).collect::<Vec<_>>(),
                "people": board["people"].as_array().unwrap().len(),
                "saved": data("/saved/tenders").await["pagination"]["totalCount"],
                "searches": data("/saved/searches").await["searches"].as_array().unwrap().len(),
                "published": data("/tenders/user/my-tenders").await["pagination"]["totalCount"],
                "alerts": if has_alerts { data("/alerts").await["count"].clone() } else { Value::Null },
                "company": [company["version"], company["company"]["cida"][0]["expires"]],
            }),
        );
    }
    Value::Object(contents)
}

#[tokio::test(flavor = "multi_thread")]
async fn accounts_are_filled_once() {
    let portal = TestPortal::start_with(&["--demo"]).await;
    demo::create_accounts(&portal.state).await.unwrap();
    fill(&portal, "accounts").await;
    let now = portal.state.clock.now();
    for number in 0..12 {
        let closing = now.saturating_add(SignedDuration::from_hours(48 * number + 5)).unwrap();
        for category in [Category::Construction, Category::MedicalEquipment] {
            let title = format!("{category:?} number {number}");
            store_sample_tender(&portal, &title, |tender| {
                tender.category = Some(category);
                tender.dates.closing = Some(Moment::new(closing));
            })
            .await;
        }
    }
    portal.wait_until_indexed().await;
    fill(&portal, "tenders").await;
    let filled = contents(&portal).await;

    let stages = |name: &str| {
        let bids = filled[name]["bids"].as_array().unwrap().iter();
        bids.map(|bid| bid[0].as_str().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(
        stages("professional"),
        [
            "considering",
            "considering",
            "dropped",
            "preparing",
            "preparing",
            "submitted",
            "submitted",
            "submitted"
        ],
        "nothing is won or lost before it closes"
    );
    assert_eq!(stages("enterprise"), ["considering", "preparing", "submitted"]);
    assert_eq!(filled["colleague"]["bids"], filled["enterprise"]["bids"], "a team shares its board");
    assert_eq!((&filled["colleague"]["people"], &filled["supplier"]["people"]), (&json!(2), &json!(1)));
    assert_eq!(filled["procurement"]["published"], 3);
    assert_eq!((&filled["professional"]["alerts"], &filled["colleague"]["alerts"]), (&json!(3), &json!(2)));
    // The clock of the portal starts on 20 November 2026.
    assert_eq!(filled["professional"]["company"][1], "2027-01-09", "a registration expires within 60 days");

    for part in ["accounts", "tenders", "accounts", "tenders"] {
        fill(&portal, part).await;
    }
    assert_eq!(contents(&portal).await, filled);

    // Two of the tenders have closed. Each has an outcome, once.
    portal.advance(2 * 24 * 60 * 60);
    for _ in 0..2 {
        fill(&portal, "tenders").await;
        let credentials = json!({"email": "professional@demo.test", "password": "demo-portal"});
        let session = portal.guest().post("/auth/login", &credentials).await.expect(200);
        let user = portal.guest().with_token(session["data"]["token"].as_str().unwrap());
        let board = user.get("/bids").await.expect(200);
        let ended = board["data"]["bids"].as_array().unwrap().iter();
        let ended = ended.filter(|bid| ["won", "lost"].contains(&bid["stage"].as_str().unwrap()));
        let mut ended: Vec<Value> = ended.cloned().collect();
        ended.sort_by_key(|bid| bid["stage"].to_string());
        let counts = ended.iter().map(|bid| json!([bid["stage"], bid["tasks"], bid["notes"]]));
        assert_eq!(counts.collect::<Vec<_>>(), [json!(["lost", 0, 1]), json!(["won", 1, 1])]);
        for bid in ended {
            let closing: Moment = bid["tender"]["closing"].as_str().unwrap().parse().unwrap();
            assert!(closing < portal.state.clock.moment(), "{bid}");
            assert_eq!(bid["tender"]["status"], "awarded", "{bid}");
        }
    }
}
