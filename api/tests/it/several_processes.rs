//! Several processes of one portal: servers that share the data folder and leave the jobs to workers.

use crate::support::{
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
    wait_until,
};
use api::base::signing_key::SigningKey;
use reqwest::StatusCode;
use serde_json::{Value, json};

/// The processes of one portal, which share a database and a data folder. Each has an index of its own.
struct Processes {
    stage: Stage,
    started: std::cell::Cell<u32>,
}

impl Processes {
    async fn new() -> Self {
        Self { stage: Stage::new(Behaviour::Accept).await, started: 0.into() }
    }

    fn next_index(&self) -> String {
        self.started.set(self.started.get() + 1);
        self.stage.data().join(format!("index-{}", self.started.get())).display().to_string()
    }

    /// Starts a server that leaves the jobs to other processes.
    async fn start_server(&self, settings: &[&str]) -> Server {
        let (index, stage) = (self.next_index(), &self.stage);
        let settings = [&["--jobs-elsewhere", "--index", &index], settings].concat();
        Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &settings).await
    }

    /// Starts a process that runs the jobs.
    async fn start_worker(&self) -> Server {
        let (index, stage) = (self.next_index(), &self.stage);
        Server::start_worker(&stage.database.url(), stage.data(), &stage.smtp, &["--index", &index]).await
    }
}

impl Processes {
    /// The log of all processes.
    fn log(&self) -> String {
        std::fs::read_to_string(self.stage.data().join("server.log")).unwrap()
    }

    /// Runs the program on the database and the data folder. Returns whether it succeeded, and its output.
    fn run(&self, arguments: &[&str]) -> (bool, String) {
        let mut command = server::command();
        command.args(arguments).env("DATABASE_URL", self.stage.database.url());
        let output = command.env("DATA", self.stage.data()).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        (output.status.success(), text)
    }
}

async fn has_signing_key(server: &Server) -> bool {
    get(server, "/api/health").await["data"]["services"]["signingKey"].as_bool().unwrap()
}

async fn get(server: &Server, path: &str) -> Value {
    let response = reqwest::get(format!("{}{path}", server.base)).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    response.json().await.unwrap()
}

async fn wait_until_listed(server: &Server, expected: i64) {
    wait_until(&format!("{expected} tenders are listed"), async || {
        get(server, "/api/tenders/stats").await["data"]["totalTenders"].as_i64() == Some(expected)
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn workers_match_and_mail_what_any_server_publishes() {
    let all = Processes::new().await;
    let (first, second) = (all.start_server(&[]).await, all.start_server(&[]).await);
    all.stage.publish(&first, 1).await;
    wait_until_listed(&first, 1).await;
    wait_until_listed(&second, 1).await;
    assert_eq!(all.stage.count("select count(*) from match").await, 0, "servers leave matching to workers");

    let worker = all.start_worker().await;
    all.stage.assert_all_sent_once(1).await;
    for server in [&first, &second] {
        let services = get(server, "/api/health").await["data"]["services"].clone();
        assert_eq!((&services["matching"], &services["mail"]), (&json!(true), &json!(true)), "{services}");
    }
    let api = reqwest::get(format!("{}/api/health", worker.base)).await.unwrap();
    assert_eq!(api.status(), StatusCode::NOT_FOUND, "a worker serves no API");

    // Another worker stands by, and goes on after a kill.
    let standby = all.start_worker().await;
    all.stage.publish(&second, 2).await;
    all.stage.assert_all_sent_once(2).await;
    worker.kill();
    all.stage.publish(&first, 3).await;
    all.stage.assert_all_sent_once(3).await;
    assert_eq!(all.stage.smtp.accepted_by_id().values().max(), Some(&1));
    assert!(standby.stop().success() && first.stop().success() && second.stop().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn server_says_that_no_worker_runs() {
    let all = Processes::new().await;
    let server = all.start_server(&[]).await;
    all.stage.publish(&server, 1).await;
    let long_ago = "update change set at = at - interval '3 minutes'";
    sqlx::query(long_ago).execute(&all.stage.pool).await.unwrap();
    let services = get(&server, "/api/health").await["data"]["services"].clone();
    assert_eq!((&services["search"], &services["matching"]), (&json!(true), &json!(false)), "{services}");
    let ready = reqwest::get(format!("{}/readyz", server.base)).await.unwrap();
    assert_eq!(ready.status(), StatusCode::OK, "a server is ready without workers");
}

/// Sends a body to a path of a server, with a token if there is one.
async fn post(server: &Server, path: &str, token: Option<&str>, body: &Value) -> (StatusCode, Value) {
    let mut request = reqwest::Client::new().post(format!("{}{path}", server.base)).json(body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

/// The registration of a supplier.
fn registration() -> Value {
    json!({
        "email": "nimal@example.lk", "password": "a long password", "firstName": "Nimal", "lastName": "Perera",
        "role": "supplier",
    })
}

async fn status_of_session(server: &Server, token: &str) -> StatusCode {
    let url = format!("{}/api/auth/me", server.base);
    reqwest::Client::new().get(url).bearer_auth(token).send().await.unwrap().status()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_of_one_server_is_valid_and_ends_on_all() {
    let all = Processes::new().await;
    let servers = [all.start_server(&[]).await, all.start_server(&[]).await, all.start_server(&[]).await];
    let (status, made) = post(&servers[0], "/api/auth/register", None, &registration()).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let [token, refresh] =
        ["token", "refreshToken"].map(|name| made["data"][name].as_str().unwrap().to_owned());
    for server in &servers {
        assert_eq!(status_of_session(server, &token).await, StatusCode::OK);
    }
    let (status, renewed) =
        post(&servers[1], "/api/auth/refresh", None, &json!({"refreshToken": refresh})).await;
    assert_eq!(status, StatusCode::OK, "{renewed}");
    let token = renewed["data"]["token"].as_str().unwrap();
    let (status, ended) = post(&servers[2], "/api/auth/logout", Some(token), &json!({})).await;
    assert!(status.is_success(), "{ended}");
    for server in &servers {
        assert_eq!(status_of_session(server, token).await, StatusCode::UNAUTHORIZED);
        let renewal = json!({"refreshToken": renewed["data"]["refreshToken"]});
        let (status, _) = post(server, "/api/auth/refresh", None, &renewal).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn wrong_passwords_are_counted_for_all_servers_together() {
    let all = Processes::new().await;
    let limit = ["--failed-sign-ins-an-hour", "3"];
    let servers =
        [all.start_server(&limit).await, all.start_server(&limit).await, all.start_server(&limit).await];
    let (status, made) = post(&servers[0], "/api/auth/register", None, &registration()).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let sign_in = async |server: &Server, password: &str| {
        let form = json!({"email": "nimal@example.lk", "password": password});
        post(server, "/api/auth/login", None, &form).await.0
    };
    assert_eq!(sign_in(&servers[0], "a long password").await, StatusCode::OK);
    for server in &servers {
        assert_eq!(sign_in(server, "a wrong password").await, StatusCode::UNAUTHORIZED);
    }
    for server in &servers {
        assert_eq!(sign_in(server, "a long password").await, StatusCode::TOO_MANY_REQUESTS);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn guest_opens_three_tenders_a_month_on_all_servers_together() {
    let all = Processes::new().await;
    let limit = ["--guest-details-a-day", "5"];
    let servers =
        [all.start_server(&limit).await, all.start_server(&limit).await, all.start_server(&limit).await];
    let mut paths = Vec::new();
    for nth in 1..=6 {
        all.stage.publish(&servers[0], nth).await;
    }
    wait_until_listed(&servers[0], 6).await;
    for tender in get(&servers[0], "/api/tenders").await["data"]["tenders"].as_array().unwrap() {
        paths.push(format!("/api/tenders/{}", tender["_id"].as_str().unwrap()));
    }
    let open = async |nth: usize, cookie: Option<&str>| {
        let url = format!("{}{}", servers[nth % 3].base, paths[nth]);
        let mut request = reqwest::Client::new().get(url);
        if let Some(cookie) = cookie {
            request = request.header("cookie", cookie);
        }
        let response = request.send().await.unwrap();
        let set = response.headers().get("set-cookie").map(|cookie| cookie.to_str().unwrap().to_owned());
        (response.status(), set)
    };
    // A browser may open three tenders, on whichever servers.
    let (status, cookie) = open(0, None).await;
    let cookie = cookie.unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(status, StatusCode::OK);
    assert_eq!(open(1, Some(&cookie)).await.0, StatusCode::OK);
    assert_eq!(open(2, Some(&cookie)).await.0, StatusCode::OK);
    let fourth = open(3, Some(&cookie)).await.0;
    assert!(fourth.is_client_error(), "{fourth}");
    // An address may open five, with whichever browsers.
    assert_eq!(open(4, None).await.0, StatusCode::OK);
    assert_eq!(open(5, None).await.0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn repeated_form_creates_one_tender_on_whichever_server() {
    let all = Processes::new().await;
    let servers = [all.start_server(&[]).await, all.start_server(&[]).await, all.start_server(&[]).await];
    let (status, made) = post(&servers[0], "/api/auth/register", None, &registration()).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let form = json!({
        "title": "Chairs", "description": "Two hundred chairs.", "referenceNo": "S/1", "category": "Furniture",
        "status": "draft", "organization": {"name": "Abans"}, "dates": {"closing": "2098-12-01"},
        "location": {"province": "Western", "district": "Gampaha"},
    });
    let sends = servers.iter().map(async |server| {
        let request = reqwest::Client::new().post(format!("{}/api/tenders", server.base));
        let request = request.bearer_auth(made["data"]["token"].as_str().unwrap());
        let response = request
            .header("Idempotency-Key", uuid::Uuid::from_u128(5).to_string())
            .json(&form)
            .send()
            .await
            .unwrap();
        assert!(response.status().is_success(), "{}", response.status());
        let body: Value = response.json().await.unwrap();
        body["data"]["tender"]["_id"].as_str().unwrap().to_owned()
    });
    let ids = futures::future::join_all(sends).await;
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(all.stage.count("select count(*) from tender").await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn process_with_another_signing_key_says_so() {
    let all = Processes::new().await;
    let first = all.start_server(&[]).await;
    let other_key = "another key, which has more than 32 bytes";
    let other = all.start_server(&["--signing-key", other_key]).await;
    assert_eq!((has_signing_key(&first).await, has_signing_key(&other).await), (true, false));
    // The check waits for a matcher.
    let _worker = all.start_worker().await;
    let told = "each refuses the sessions and links of the other";
    assert_eq!(all.log().matches(told).count(), 1, "{}", all.log());
    let (_, report) = all.run(&["check"]);
    assert!(!report.contains("signing key ") && report.contains("signing keys: 1"), "{report}");
    let (is_clean, report) = all.run(&["check", "--signing-key", other_key]);
    assert!(!is_clean && report.contains("the processes of the portal have the signing key"), "{report}");
    assert!(!format!("{report}{}", all.log()).contains(other_key));

    // The key of the first process is lost.
    assert!(first.stop().success());
    let (_, forgotten) = all.run(&["admin", "key", "forget"]);
    assert!(forgotten.contains("is forgotten; restart all servers"), "{forgotten}");
    let other_again = all.start_server(&["--signing-key", other_key]).await;
    assert_eq!((has_signing_key(&other).await, has_signing_key(&other_again).await), (true, true));
    let first = all.start_server(&[]).await;
    assert!(!has_signing_key(&first).await);
    assert_eq!(all.log().matches(told).count(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rotation_of_the_signing_key_raises_no_alarm() {
    let all = Processes::new().await;
    let before = all.start_server(&[]).await;
    let path = all.stage.data().join("signing.key");
    let old = std::fs::read_to_string(&path).unwrap();
    let (done, rotated) = all.run(&["admin", "key", "rotate"]);
    assert!(done, "{rotated}");
    let new = SigningKey::load(&path).unwrap().unwrap();
    let after = all.start_server(&[]).await;
    // One process does not have the new key yet.
    assert_eq!((has_signing_key(&before).await, has_signing_key(&after).await), (true, true));
    let late = all.start_server(&["--signing-key", old.trim()]).await;
    assert!(has_signing_key(&late).await);
    let stored: Vec<u8> = sqlx::query_scalar("select signing_key_id from portal_state")
        .fetch_one(&all.stage.pool)
        .await
        .unwrap();
    assert_eq!(stored, new.id().as_bytes());
    let log = all.log();
    assert!(log.contains("the portal has a newer signing key"), "{log}");
    assert!(!log.contains("each refuses the sessions"), "{log}");

    // When the old key is removed, a process that still has it is told.
    let id = SigningKey::new(old.trim().to_owned().into()).unwrap().id().to_string();
    let (done, removed) = all.run(&["admin", "key", "remove", &id]);
    assert!(done, "{removed}");
    let restarted = all.start_server(&[]).await;
    assert_eq!((has_signing_key(&restarted).await, has_signing_key(&late).await), (true, false));
}

/// What the migrations of the next version may do, to every table: add columns that are nullable or have a
/// default, and add a table.
const NEXT_SCHEMA: &str = r"
    do $$
    declare found record;
    begin
        for found in select quote_ident(relname) as name from pg_class
            where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> '_sqlx_migrations'
        loop
            execute format('alter table %s add column of_next_text text, add column of_next_flag boolean not null default false', found.name);
        end loop;
    end
    $$;
    create table of_next_version (id uuid primary key);
    insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        values (9999, 'of the next version', true, '\x00', 0)";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn processes_go_on_while_the_next_version_migrates() {
    let all = Processes::new().await;
    let (first, worker) = (all.start_server(&[]).await, all.start_worker().await);
    // Connections of both processes have prepared their statements on the present schema.
    all.stage.publish(&first, 1).await;
    all.stage.assert_all_sent_once(1).await;
    let (status, made) = post(&first, "/api/auth/register", None, &registration()).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let token = made["data"]["token"].as_str().unwrap();
    assert_eq!(status_of_session(&first, token).await, StatusCode::OK);
    // The registration sends a mail of its own.
    all.stage.wait_for_count("select count(*) from delivery where state <> 'sent'", 0).await;

    sqlx::raw_sql(NEXT_SCHEMA).execute(&all.stage.pool).await.unwrap();
    all.stage.publish(&first, 2).await;
    all.stage.assert_all_sent_once(2).await;
    wait_until_listed(&first, 2).await;
    assert_eq!(status_of_session(&first, token).await, StatusCode::OK);
    let form = json!({"email": "nimal@example.lk", "password": "a long password"});
    let (status, signed_in) = post(&first, "/api/auth/login", None, &form).await;
    assert_eq!(status, StatusCode::OK, "{signed_in}");
    let renewal = json!({"refreshToken": made["data"]["refreshToken"]});
    let (status, renewed) = post(&first, "/api/auth/refresh", None, &renewal).await;
    assert_eq!(status, StatusCode::OK, "{renewed}");
    for process in [&first, &worker] {
        let ready = reqwest::get(format!("{}/readyz", process.base)).await.unwrap();
        assert_eq!(ready.status(), StatusCode::OK);
    }

    // A process of this version may also be restarted.
    worker.kill();
    let (worker, second) = (all.start_worker().await, all.start_server(&["--migrate"]).await);
    assert!(all.log().contains("a newer version has migrated the database"), "{}", all.log());
    all.stage.publish(&second, 3).await;
    all.stage.assert_all_sent_once(3).await;

    // The version after the next one removes something that this version uses.
    let removal = "update portal_state set usable_from_schema = 9999";
    sqlx::query(removal).execute(&all.stage.pool).await.unwrap();
    for command in [
        &["serve", "--mail-to-disk"][..],
        &["serve", "--migrate", "--mail-to-disk"],
        &["work", "--mail-to-disk"],
    ] {
        let (started, output) = all.run(command);
        assert!(
            !started && output.contains("schema 9999") && output.contains("removed what it uses"),
            "{output}"
        );
    }
    assert!(worker.stop().success() && second.stop().success() && first.stop().success());
}
