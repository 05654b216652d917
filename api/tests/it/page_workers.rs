//! Workers and servers that are killed while a newspaper page is read and published. The page is
//! read in the end, and each of its notices is published once.
//!
//! The worker is a process of its own: this test binary, which runs the test [`worker_process`].

use crate::support::{Client, server::Server, smtp::Behaviour, stage::Stage};
use axum::http::Method;
use ingest::{
    batch::{Options, Worker},
    ocr::Readers,
    portal_client::Portal,
};
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use std::{
    net::SocketAddr,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

/// A digital page with 16 tender notices in three languages.
const PAGE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/newspapers/daily-lanka/2026-11-20/p2.pdf");
const COUNT_NOTICES: &str = "select count(*) from notice";
const COUNT_READ_PAGES: &str = "select count(*) from page where state = 'read'";
/// What a table lock of the test stops while a worker has the page.
#[derive(Clone, Copy)]
enum Step {
    Publication,
    Result,
}

impl Step {
    fn lock(self) -> &'static str {
        match self {
            Self::Publication => "lock table notice in share mode",
            Self::Result => "lock table page_block in share mode",
        }
    }

    /// Counts the leased pages while a session waits for the lock.
    fn count_stopped(self) -> &'static str {
        match self {
            Self::Publication => {
                "select count(*) from page where state = 'leased'
                    and exists (select from pg_locks where not granted and relation = 'notice'::regclass)"
            }
            Self::Result => {
                "select count(*) from page where state = 'leased'
                    and exists (select from pg_locks where not granted and relation = 'page_block'::regclass)"
            }
        }
    }
}

/// Runs a worker until it is killed. It only runs as a process of another test.
#[test]
#[ignore = "it is a part of the tests that kill workers"]
fn worker_process() {
    let Ok(portal) = std::env::var("WORKER_PORTAL") else { return };
    let token = std::env::var("WORKER_TOKEN").unwrap();
    let clock = || "2026-11-20T09:00:00+05:30".parse().unwrap();
    let options = Options { jobs: 2, ..Options::new(Vec::new(), PathBuf::new(), clock) };
    let worker = Worker::new(Portal::new(&portal).unwrap(), &token, "killed".into()).unwrap();
    worker.run(&options, &Readers::new, false, &|event| eprintln!("{event:?}")).unwrap();
}

/// A worker process. It is killed when dropped.
struct WorkerProcess(Child);

impl WorkerProcess {
    fn start(address: SocketAddr, token: &str) -> Self {
        let command = Command::new(std::env::current_exe().unwrap())
            .args(["page_workers::worker_process", "--exact", "--ignored"])
            .env("WORKER_PORTAL", format!("http://{address}"))
            .env("WORKER_TOKEN", token)
            .stdout(Stdio::null())
            .spawn();
        Self(command.unwrap())
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An address that stays while the server behind it is killed and started again on another port.
struct StableAddress {
    address: SocketAddr,
    target: Arc<Mutex<String>>,
}

impl StableAddress {
    async fn new(server: &Server) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let target = Arc::new(Mutex::new(String::new()));
        let current = Arc::clone(&target);
        tokio::spawn(async move {
            while let Ok((mut from, _)) = listener.accept().await {
                let target = current.lock().unwrap().clone();
                tokio::spawn(async move {
                    if let Ok(mut to) = TcpStream::connect(target).await {
                        let _ = copy_bidirectional(&mut from, &mut to).await;
                    }
                });
            }
        });
        let stable = Self { address, target };
        stable.lead_to(server);
        stable
    }

    fn lead_to(&self, server: &Server) {
        *self.target.lock().unwrap() = server.base.trim_start_matches("http://").to_owned();
    }
}

async fn upload(address: SocketAddr, token: &str) -> Value {
    let client = Client::new(address).with_token(token);
    let file = Part::bytes(std::fs::read(PAGE).unwrap()).file_name("p2.pdf");
    let request = client.request(Method::POST, "/operate/pages").multipart(Form::new().part("file", file));
    client.send(request, Method::POST, "/operate/pages").await.expect(201)
}

/// Uploads a page and starts a worker. While the lock blocks the work, kills the worker or the
/// server, and replaces it. Returns how often the page was tried.
async fn kill_while_locked(step: Step, kills_worker: bool) -> i64 {
    let stage = Stage::new(Behaviour::Accept).await;
    let metrics = free_address();
    let settings = ["--metrics-listen", &metrics];
    let mut server =
        Server::start_with(&stage.database.url(), stage.data(), &stage.smtp, true, &settings).await;
    let stable = StableAddress::new(&server).await;
    let token = stage.subscriber.operator_token.clone();
    upload(stable.address, &token).await;
    let mut other = PgConnection::connect(&stage.database.url()).await.unwrap();
    let mut held = other.begin().await.unwrap();
    sqlx::query(step.lock()).execute(&mut *held).await.unwrap();
    let mut worker = WorkerProcess::start(stable.address, &token);
    wait_for_count(&stage, step.count_stopped(), 1).await;
    if kills_worker {
        drop(worker);
        // Until the server has noticed it, the request of the killed worker could still succeed.
        wait_until_idle(&metrics).await;
        held.rollback().await.unwrap();
        // The lease of a killed worker expires after two minutes.
        sqlx::query("update page set lease_until = '2000-01-01Z' where state = 'leased'")
            .execute(&stage.pool)
            .await
            .unwrap();
        worker = WorkerProcess::start(stable.address, &token);
    } else {
        server.kill();
        held.rollback().await.unwrap();
        server = stage.start().await;
        stable.lead_to(&server);
    }
    wait_for_count(&stage, COUNT_READ_PAGES, 1).await;
    drop(worker);
    assert_eq!(stage.count(COUNT_NOTICES).await, 16);
    assert_eq!(stage.count("select count(*) from tender").await, 16);
    assert_eq!(stage.count("select count(*) from tender_revision").await, 16, "no notice changed a tender");
    let shown = "select count(distinct b.notice_key) from page_block b join notice n on n.key = b.notice_key";
    assert_eq!(stage.count(shown).await, 16, "the page shows all its notices");
    assert!(server.stop().success());
    stage.count("select attempts::bigint from page").await
}

/// An address that nobody uses.
fn free_address() -> String {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// Waits until the server with its metrics at this address processes no request.
async fn wait_until_idle(metrics: &str) {
    let url = format!("http://{metrics}/metrics");
    for _ in 0..600 {
        let text = reqwest::get(&url).await.unwrap().text().await.unwrap();
        if text.lines().any(|line| line == "serendib_http_requests_in_flight 0") {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the server still processes a request after half a minute");
}

/// Waits longer than [`Stage::wait_for_count`], because a page is read.
async fn wait_for_count(stage: &Stage, sql: &'static str, expected: i64) {
    for _ in 0..3600 {
        if stage.count(sql).await == expected {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{sql} is not {expected} within three minutes");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_is_read_after_its_worker_was_killed_while_publishing() {
    assert_eq!(kill_while_locked(Step::Publication, true).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_is_read_after_its_worker_was_killed_while_sending_the_result() {
    assert_eq!(kill_while_locked(Step::Result, true).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_is_read_once_although_the_server_was_killed_while_publishing() {
    assert_eq!(kill_while_locked(Step::Publication, false).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn page_is_read_once_although_the_server_was_killed_while_storing_the_result() {
    assert_eq!(kill_while_locked(Step::Result, false).await, 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn worker_reads_drawn_boxes_and_leaves_dismissed_ones() {
    let stage = Stage::new(Behaviour::Accept).await;
    let server = stage.start().await;
    let address: SocketAddr = server.base.trim_start_matches("http://").parse().unwrap();
    let token = stage.subscriber.operator_token.clone();
    let client = Client::new(address).with_token(&token);
    let uploaded = upload(address, &token).await;
    let path = format!("/operate/pages/{}", uploaded["data"]["pages"][0]["_id"].as_str().unwrap());
    let _worker = WorkerProcess::start(address, &token);
    wait_for_count(&stage, COUNT_READ_PAGES, 1).await;
    let page = client.get(&path).await.expect(200)["data"].clone();
    let block = page["blocks"].as_array().unwrap().iter().find(|block| block["outcome"] == "tender").unwrap();
    let area: Vec<f64> = serde_json::from_value(block["box"].clone()).unwrap();
    let decide = async |area: &[f64], decision: &str| {
        let form = json!({"box": area, "decision": decision});
        client.post(&format!("{path}/boxes"), &form).await.expect(201)
    };
    decide(&area, "dismissed").await;
    // The drawn box is a little smaller than the dismissed one.
    let drawn: Vec<f64> = vec![area[0], area[1], area[2], ((area[3] - 0.001) * 10_000.0).round() / 10_000.0];
    decide(&drawn, "notice").await;
    wait_for_count(&stage, COUNT_READ_PAGES, 1).await;

    let page = client.get(&path).await.expect(200)["data"].clone();
    let at = |area: &[f64]| {
        let found = page["blocks"].as_array().unwrap().iter().filter(|block| block["box"] == json!(area));
        found.cloned().collect::<Vec<_>>()
    };
    let dismissed = at(&area);
    assert_eq!(dismissed.len(), 1);
    assert_eq!(
        (&dismissed[0]["outcome"], &dismissed[0]["reason"]),
        (&json!("not-a-notice"), &json!("dismissed by a person"))
    );
    let read = at(&drawn);
    assert_eq!((read.len(), &read[0]["title"]), (1, &block["title"]));
    assert!(read[0]["tenderId"].is_string(), "{}", read[0]);
    assert_eq!(stage.count(COUNT_NOTICES).await, 17);
    assert_eq!(stage.count("select count(*) from notice where role = 'rejected'").await, 1);
}
