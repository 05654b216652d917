//! Several processes of one portal: servers that share the data folder and leave the jobs to workers.

use crate::support::{poll, server::Server, smtp::Behaviour, stage::Stage};
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

async fn get(server: &Server, path: &str) -> Value {
    let response = reqwest::get(format!("{}{path}", server.base)).await.unwrap();
    assert_eq!(response.status(), StatusCode::OK, "{path}");
    response.json().await.unwrap()
}

async fn wait_until_listed(server: &Server, expected: u64) {
    let listed = poll(async || {
        let found = get(server, "/api/tenders").await["data"]["pagination"]["total"].as_u64();
        found.filter(|found| *found == expected)
    });
    assert!(listed.await.is_some(), "{expected} tenders are not listed");
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

async fn status_of_session(server: &Server, token: &str) -> StatusCode {
    let url = format!("{}/api/auth/me", server.base);
    reqwest::Client::new().get(url).bearer_auth(token).send().await.unwrap().status()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn session_of_one_server_is_valid_and_ends_on_all() {
    let all = Processes::new().await;
    let servers = [all.start_server(&[]).await, all.start_server(&[]).await, all.start_server(&[]).await];
    let form = json!({
        "email": "nimal@example.lk", "password": "a long password", "firstName": "Nimal", "lastName": "Perera",
        "role": "supplier",
    });
    let (status, made) = post(&servers[0], "/api/auth/register", None, &form).await;
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
