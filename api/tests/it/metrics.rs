//! The metrics of a running portal, and the files for Prometheus and Grafana that use them.

use crate::{
    ingest::publish_notice,
    mail_delivery::{complaint, submit_report},
    newspaper_pages::{lease_path, reading, send_result, take, upload_page},
    operate_mail::{dead_mail, suppress},
    support::{
        TestDatabase, TestPortal, publishing::CLIP, shared_engine::SharedEngine, smtp::Behaviour,
        stage::Stage,
    },
};
use api::{
    cli::{bootstrap, serve},
    storage::{self, portal_state},
};
use regex::Regex;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    process::Command,
    time::{Duration, Instant},
};
use tempfile::TempDir;
use tokio_util::sync::{CancellationToken, DropGuard};

/// The folder of the files for Prometheus and Grafana.
const PACKAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/package/monitoring");
/// The document that explains the metrics and the alerts.
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/operate/monitor.md");

/// The settings of a portal whose canary runs at once.
const CANARY: [&str; 4] = ["--canary-mail", "canary@portal.example", "--collect-quiet-seconds", "0"];

/// The metrics of a portal.
struct Scraped {
    text: String,
}

impl Scraped {
    /// The value of a series, written as in the text.
    fn value(&self, series: &str) -> Option<f64> {
        let line = self.text.lines().find(|line| line.starts_with(&format!("{series} ")))?;
        Some(line.rsplit_once(' ').unwrap().1.parse().unwrap())
    }

    #[track_caller]
    fn expect(&self, series: &str, value: f64) {
        assert_eq!(self.value(series), Some(value), "{series} in\n{}", self.text);
    }

    /// The names of all series, and of the families of histograms.
    fn names(&self) -> BTreeSet<&str> {
        let series = self.text.lines().filter(|line| !line.starts_with('#'));
        series.filter_map(|line| line.split(['{', ' ']).next()).collect()
    }
}

/// A portal that serves metrics.
struct Monitored {
    portal: TestPortal,
    address: SocketAddr,
    _stop: DropGuard,
}

impl Monitored {
    async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts a portal with all metrics: its canary has gone all the way once, and its search engine is shared.
    async fn start_with_all() -> (TempDir, Self) {
        let (folder, engine) = SharedEngine::create();
        let database = TestDatabase::fresh().await;
        let portal = TestPortal::start_with_engine(database, &CANARY, engine).await;
        let monitored = Self::monitor(portal).await;
        monitored.wait_for("serendib_canary_last_success_timestamp_seconds", 1.0).await;
        (folder, monitored)
    }

    async fn start_with(settings: &[&str]) -> Self {
        Self::monitor(TestPortal::start_with(settings).await).await
    }

    async fn monitor(portal: TestPortal) -> Self {
        let listener = bootstrap::listen_for_metrics("127.0.0.1:0".parse().unwrap()).await.unwrap();
        let (address, stop) = (listener.local_addr().unwrap(), CancellationToken::new());
        tokio::spawn(serve::serve_metrics(portal.state.clone(), listener, stop.clone()));
        Self { portal, address, _stop: stop.drop_guard() }
    }

    async fn scrape(&self) -> Scraped {
        let response = reqwest::get(format!("http://{}/metrics", self.address)).await.unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/plain; version=0.0.4; charset=utf-8");
        Scraped { text: response.text().await.unwrap() }
    }
}

impl Monitored {
    /// Scrapes until a series has at least this value.
    async fn wait_for(&self, series: &str, value: f64) -> Scraped {
        let started = Instant::now();
        loop {
            let scraped = self.scrape().await;
            if scraped.value(series).is_some_and(|reached| reached >= value) {
                return scraped;
            }
            assert!(started.elapsed() < Duration::from_secs(30), "{series} in\n{}", scraped.text);
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

impl Monitored {
    /// Scrapes when the figures of the database, which are kept for some seconds, contain the backup.
    async fn scrape_after_backup(&self) -> Scraped {
        self.wait_for("serendib_backup_last_success_timestamp_seconds", 1.0).await
    }
}

/// Lets a portal do one of each thing that is measured.
async fn do_one_of_each(portal: &TestPortal) {
    let operator = portal.operator().await;
    publish_notice(&operator).await;
    portal.wait_until_indexed().await;
    portal.wait_until_matched().await;
    let guest = portal.guest();
    let subscriber = portal.subscriber("nimal", "supplier", Some("professional")).await;
    for path in ["/tenders?limit=5", "/tenders/facets", "/tenders/stats", "/tenders/suggestions?text=road"] {
        subscriber.get(path).await.expect(200);
    }
    guest.get("/tenders/no-such-id").await.expect_error(422);
    guest.get_unchecked("/no/such/page").await;
    upload_page(&operator, "A paper of one page").await;
    let task = take(&operator, "a").await;
    portal.advance(7);
    send_result(&operator, &task, &reading(&[]), CLIP).await.expect(200);
    upload_page(&operator, "A paper that waits").await;
    let failing = take(&operator, "a").await;
    let failure = json!({"reason": "no text"});
    operator.put(&format!("{}/failure", lease_path(&failing)), &failure).await.expect(200);
    let db = &portal.state.db;
    portal.user("kamala", "buyer").await;
    let dead = dead_mail(db, 1, "kamala@example.lk", "550 mailbox full").await;
    suppress(db, "gone@example.lk", "bounce").await;
    let report = complaint(&format!("<{}@portal.test>", dead.replace('-', "")));
    assert_eq!(submit_report(&operator, &report).await, "suppressed");
    portal_state::record_backup(db, portal.state.clock.now()).await.unwrap();
}

#[tokio::test]
async fn requests_are_counted_by_the_template_of_their_route() {
    let monitored = Monitored::start().await;
    let guest = monitored.portal.guest();
    for id in 0..3 {
        guest.get(&format!("/tenders/00000000-0000-7000-8000-{id:012}")).await.expect_error(404);
    }
    // The portal has no web app, so it answers 503 to requests for pages.
    for nth in 0..20 {
        guest.get_unchecked(&format!("/secret-{nth}")).await;
        let method = format!("BREW{nth}").parse().unwrap();
        let brewed = reqwest::Client::new()
            .request(method, format!("http://{}/api/health", monitored.portal.address))
            .send();
        assert_eq!(brewed.await.unwrap().status(), 405);
    }
    let scraped = monitored.scrape().await;
    scraped
        .expect(r#"serendib_http_requests_total{route="/api/tenders/{id}",method="GET",status="404"}"#, 3.0);
    scraped.expect(r#"serendib_http_requests_total{route="other",method="GET",status="503"}"#, 20.0);
    scraped.expect(r#"serendib_http_requests_total{route="/api/health",method="other",status="405"}"#, 20.0);
    scraped.expect(r#"serendib_http_request_duration_seconds_count{route="/api/tenders/{id}"}"#, 3.0);
    scraped.expect("serendib_http_requests_in_flight", 0.0);
    assert!(scraped.value("serendib_http_connections").unwrap() >= 1.0, "{}", scraped.text);
    assert!(!scraped.text.contains("secret-") && !scraped.text.contains("BREW"), "{}", scraped.text);
}

#[tokio::test]
async fn refused_requests_are_counted_by_the_class_of_their_limit() {
    let monitored = Monitored::start_with(&["--rate-limit-factor", "1"]).await;
    let guest = monitored.portal.guest();
    for _ in 0..11 {
        guest.post("/auth/forgot-password", &json!({"email": "nobody@example.lk"})).await;
    }
    let scraped = monitored.scrape().await;
    scraped.expect(r#"serendib_http_requests_limited_total{class="public_message"}"#, 1.0);
    scraped.expect(r#"serendib_http_requests_limited_total{class="write"}"#, 0.0);
}

#[tokio::test]
async fn every_job_of_a_portal_without_options_runs() {
    let monitored = Monitored::start().await;
    let scraped = monitored.scrape().await;
    let series = scraped.text.lines().filter_map(|line| line.rsplit_once(' ')).map(|(series, _)| series);
    let jobs: Vec<&str> = series.filter(|series| series.starts_with("serendib_job_up{")).collect();
    assert!(jobs.len() > 10, "{jobs:?}");
    for job in jobs {
        monitored.wait_for(job, 1.0).await;
    }
}

#[tokio::test]
async fn work_of_the_portal_is_measured() {
    let monitored = Monitored::start().await;
    let portal = &monitored.portal;
    do_one_of_each(portal).await;
    // The two users who registered get a mail.
    let sent = r#"serendib_message_attempts_total{channel="email",outcome="sent"}"#;
    let scraped = monitored.wait_for(sent, 2.0).await;
    for (series, value) in [
        (r#"serendib_notices_total{outcome="created"}"#, 1.0),
        (r#"serendib_newspaper_pages_read_total{reader="worker"}"#, 1.0),
        ("serendib_newspaper_page_failures_total", 1.0),
        ("serendib_newspaper_page_reading_seconds_sum", 7.0),
        (r#"serendib_newspaper_pages{state="failed"}"#, 1.0),
        ("serendib_percolation_duration_seconds_count", 1.0),
        (r#"serendib_messages{channel="email",state="dead"}"#, 1.0),
        (r#"serendib_mail_reports_total{outcome="suppressed"}"#, 1.0),
        ("serendib_suppressed_addresses", 2.0),
        ("serendib_sending_off", 0.0),
        ("serendib_database_up", 1.0),
        ("serendib_database_figures_up", 1.0),
        ("serendib_index_lag_changes", 0.0),
        ("serendib_matcher_lag_changes", 0.0),
        (r#"serendib_component_up{component="search"}"#, 1.0),
        (r#"serendib_job_up{job_name="send_mail"}"#, 1.0),
        (r#"serendib_database_pool_max_connections{pool="requests"}"#, 8.0),
        (r#"serendib_search_duration_seconds_count{kind="facets"}"#, 1.0),
    ] {
        scraped.expect(series, value);
    }
    let now = portal.state.clock.now().as_second() as f64;
    scraped.expect("serendib_backup_last_success_timestamp_seconds", now);
    assert!(scraped.value("process_resident_memory_bytes").unwrap() > 1e6);
    assert!(scraped.value("serendib_disk_free_bytes").unwrap() > 1e6);
}

#[tokio::test]
async fn nodes_of_a_search_cluster_are_counted() {
    let (_folder, monitored) = Monitored::start_with_all().await;
    let scraped = monitored.scrape().await;
    // As `SharedEngine` says.
    scraped.expect(r#"serendib_search_nodes{state="working"}"#, 2.0);
    scraped.expect(r#"serendib_search_nodes{state="failed"}"#, 1.0);
    scraped.expect("serendib_search_unanswered_total", 5.0);
    let without = Monitored::start().await.scrape().await;
    assert_eq!(without.value(r#"serendib_search_nodes{state="working"}"#), None);
}

#[tokio::test]
async fn frequent_scrapes_read_the_database_once() {
    let monitored = Monitored::start().await;
    monitored.scrape().await.expect("serendib_suppressed_addresses", 0.0);
    suppress(&monitored.portal.state.db, "gone@example.lk", "bounce").await;
    let again = monitored.scrape().await;
    again.expect("serendib_suppressed_addresses", 0.0);
    assert!(again.value("serendib_database_figures_age_seconds").unwrap() > 0.0);
}

#[tokio::test]
async fn without_the_figures_of_the_database_the_rest_is_still_served() {
    let monitored = Monitored::start().await;
    // The matcher keeps no lock between its steps, so the statement of the scrape waits for this one.
    let mut lock = storage::begin(&monitored.portal.state.job_db).await.unwrap();
    sqlx::query("lock table suppression in access exclusive mode").execute(&mut *lock).await.unwrap();
    let scraped = monitored.scrape().await;
    scraped.expect("serendib_database_figures_up", 0.0);
    scraped.expect("serendib_database_up", 1.0);
    assert_eq!(scraped.value("serendib_suppressed_addresses"), None);
    assert!(scraped.text.contains("serendib_http_requests_in_flight 0"), "{}", scraped.text);
}

#[tokio::test]
async fn without_the_database_the_rest_is_still_served() {
    let monitored = Monitored::start().await;
    monitored.portal.database.refuse_connections().await;
    let scraped = monitored.scrape().await;
    for series in ["serendib_database_up", "serendib_database_figures_up"] {
        scraped.expect(series, 0.0);
    }
    scraped.expect(r#"serendib_component_up{component="search"}"#, 0.0);
    assert_eq!(scraped.value("serendib_index_lag_seconds"), None);
    assert!(scraped.value("process_resident_memory_bytes").is_some());
}

#[tokio::test]
async fn metrics_have_their_own_address_with_the_probes() {
    let monitored = Monitored::start().await;
    let client = reqwest::Client::new();
    let metrics = format!("http://{}", monitored.address);
    assert_eq!(client.post(format!("{metrics}/metrics")).send().await.unwrap().status(), 405);
    for path in ["/livez", "/readyz"] {
        assert_eq!(client.get(format!("{metrics}{path}")).send().await.unwrap().status(), 200, "{path}");
    }
    for path in ["/", "/api/health"] {
        assert_eq!(client.get(format!("{metrics}{path}")).send().await.unwrap().status(), 404, "{path}");
    }
    let portal = monitored.portal.guest().get_unchecked("/metrics").await;
    assert!(!portal.text().contains("serendib_"), "the portal itself serves no metrics");
}

#[tokio::test]
async fn server_serves_metrics_until_it_stops() {
    let stage = Stage::new(Behaviour::Accept).await;
    // The port is free again after this statement.
    let address = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let settings = ["--metrics-listen", &address];
    let database = stage.database.url();
    let server =
        crate::support::server::Server::start_with(&database, stage.data(), &stage.smtp, true, &settings)
            .await;
    let text = reqwest::get(format!("http://{address}/metrics")).await.unwrap().text().await.unwrap();
    assert!(text.contains("serendib_build_info{version="), "{text}");
    assert!(server.stop().success());
}

#[test]
fn public_address_is_refused() {
    for (address, is_refused) in [("10.77.0.1:9464", false), ("8.8.8.8:9464", true), ("[2600::1]:9464", true)]
    {
        let mut command: Command = crate::support::server::command();
        let serve = command.args(["serve", "--database-url", "postgres://nobody@127.0.0.1:1/none"]);
        let output = serve.args(["--mail-to-disk", "--metrics-listen", address]).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert_eq!(error.contains("is a public address"), is_refused, "{address}: {error}");
    }
}

/// The names of metrics in an expression.
fn names_in(expression: &str) -> BTreeSet<String> {
    let name = Regex::new(r"\b(?:serendib|process)_[a-z_]+\b").unwrap();
    name.find_iter(expression).map(|found| found.as_str().to_owned()).collect()
}

fn read_package(file: &str) -> String {
    std::fs::read_to_string(format!("{PACKAGE}/{file}")).unwrap()
}

/// All objects in a JSON value that have this key.
fn objects_with<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v Value>) {
    if value.get(key).is_some() {
        found.push(value);
    }
    match value {
        Value::Array(values) => values.iter().for_each(|value| objects_with(value, key, found)),
        Value::Object(fields) => fields.values().for_each(|value| objects_with(value, key, found)),
        _ => {}
    }
}

#[tokio::test]
async fn dashboard_and_rules_use_only_metrics_that_exist() {
    let (_folder, monitored) = Monitored::start_with_all().await;
    do_one_of_each(&monitored.portal).await;
    let scraped = monitored.scrape_after_backup().await;
    let dashboard: Value = serde_json::from_str(&read_package("dashboard.json")).unwrap();
    let mut targets = Vec::new();
    objects_with(&dashboard, "expr", &mut targets);
    assert!(targets.len() > 40, "{}", targets.len());
    let expressions = targets.iter().map(|target| target["expr"].as_str().unwrap().to_owned());
    let used: BTreeSet<String> = expressions
        .chain(["alerts.yml", "alerts.test.yml"].map(read_package))
        .flat_map(|expression| names_in(&expression))
        .collect();
    let exposed = scraped.names();
    let missing: Vec<&String> = used.iter().filter(|name| !exposed.contains(name.as_str())).collect();
    assert_eq!(missing, Vec::<&String>::new(), "of the names in dashboard.json and alerts.yml");
}

#[test]
fn dashboard_is_consistent() {
    let dashboard: Value = serde_json::from_str(&read_package("dashboard.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap();
    let ids: BTreeSet<i64> = panels.iter().map(|panel| panel["id"].as_i64().unwrap()).collect();
    assert_eq!(ids.len(), panels.len(), "ids are unique");
    let mut occupied = BTreeSet::new();
    for panel in panels {
        let title = panel["title"].as_str().unwrap();
        let place = |key: &str| panel["gridPos"][key].as_i64().unwrap();
        assert!(place("x") + place("w") <= 24, "{title} is wider than the page");
        for x in place("x")..place("x") + place("w") {
            for y in place("y")..place("y") + place("h") {
                assert!(occupied.insert((x, y)), "{title} overlaps another panel");
            }
        }
        if panel["type"] == "row" {
            continue;
        }
        assert_eq!(panel["datasource"]["uid"], "${datasource}", "{title}");
        let unit = panel["fieldConfig"]["defaults"]["unit"].as_str().unwrap();
        let units = ["none", "s", "bytes", "reqps", "ops", "percentunit"];
        assert!(units.contains(&unit), "{title}: {unit}");
        let targets = panel["targets"].as_array().unwrap();
        let references: BTreeSet<&str> =
            targets.iter().map(|target| target["refId"].as_str().unwrap()).collect();
        assert_eq!(references.len(), targets.len(), "{title}");
        for target in targets {
            let expression = target["expr"].as_str().unwrap();
            assert!(expression.contains(r#"instance=~"$instance""#), "{title}: {expression}");
            let is_of_seconds = expression.contains("_seconds_bucket") || unit == "s";
            assert_eq!(is_of_seconds, unit == "s", "{title}: {expression}");
        }
    }
    let variables = dashboard["templating"]["list"].as_array().unwrap();
    let names: Vec<&str> = variables.iter().map(|variable| variable["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["datasource", "instance"]);
    assert_eq!(variables[0]["type"], "datasource");
}

/// The lines of a rule file that follow each `- alert:`, by the name of the alert.
fn alerts() -> BTreeMap<String, String> {
    let rules = read_package("alerts.yml");
    let parts = rules.split("- alert: ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap()).map(|(name, rest)| (name.into(), rest.into())).collect()
}

#[test]
fn every_alert_is_explained() {
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let tests = read_package("alerts.test.yml");
    let alerts = alerts();
    assert!(alerts.len() > 15);
    for (name, rule) in &alerts {
        for key in ["severity: ", "summary: ", "description: ", "action: "] {
            assert!(rule.contains(key), "{name} has no {key}");
        }
        let section = format!("runbook: docs/operate/monitor.md#{}", name.to_lowercase());
        assert!(rule.contains(&section), "{name}: {section}");
        assert!(document.contains(&format!("#### {name}\n")), "monitor.md has no section {name}");
        assert!(tests.contains(&format!("alertname=\"{name}\"")), "no test lets {name} fire");
    }
    let sections = document.lines().filter_map(|line| line.strip_prefix("#### "));
    for section in sections {
        assert!(alerts.contains_key(section), "monitor.md explains an alert that does not exist: {section}");
    }
}

/// The rows of the table of metrics: name, type, labels and meaning, as scraped.
fn table_of(scraped: &Scraped) -> Vec<String> {
    let (mut rows, mut help) = (Vec::new(), "");
    let label = Regex::new("([a-z_]+)=\"").unwrap();
    for line in scraped.text.lines() {
        if let Some(text) = line.strip_prefix("# HELP ") {
            help = text.split_once(' ').unwrap().1.trim_end_matches('.');
        }
        let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|line| line.split_once(' ')) else {
            continue;
        };
        let of_metric = scraped.text.lines().filter(|line| {
            let rest = line.strip_prefix(name).map(|rest| rest.trim_start_matches("_bucket"));
            rest.is_some_and(|rest| rest.starts_with('{'))
        });
        let labels: BTreeSet<&str> = of_metric
            .flat_map(|line| label.captures_iter(line).map(|found| found.get(1).unwrap().as_str()))
            .filter(|label| *label != "le")
            .collect();
        let labels: Vec<String> = labels.iter().map(|label| format!("`{label}`")).collect();
        rows.push(format!("| `{name}` | {kind} | {} | {help} |", labels.join(", ")));
    }
    rows.sort();
    rows
}

#[tokio::test]
async fn document_lists_all_metrics() {
    let (_folder, monitored) = Monitored::start_with_all().await;
    do_one_of_each(&monitored.portal).await;
    let expected = table_of(&monitored.scrape_after_backup().await);
    let document = std::fs::read_to_string(DOCUMENT).unwrap();
    let documented: Vec<&str> = document
        .lines()
        .filter(|line| line.starts_with("| `serendib_") || line.starts_with("| `process_"))
        .collect();
    assert_eq!(documented, expected, "the table should be:\n{}", expected.join("\n"));
}
