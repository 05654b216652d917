//! How the portal serves under load, compared with nginx that serves the same responses as files.
//! The portal is its own process with a private Postgres, and wrk sends the requests.

mod nginx;
pub(crate) mod queries;
mod report;
pub(crate) mod store;
pub(crate) mod wrk;

use crate::{
    lists::client::send,
    mails::{
        Collecting, MailsPlan,
        portal::{Portal, run as run_command},
        smtp::MailServer,
        store::Store,
        wait_until,
    },
    measure::{median, resident},
    server::Server,
    workload::{Alert, lines, uuid_of},
};
use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use nginx::Nginx;
use report::{Aim, Row, ServerFigures};
pub use report::{LoadMeasurement, table};
use serde_json::{Value, json};
use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};
use store::StoredTender;
use uuid::Uuid;
use wrk::{RunInput, Wrk, WrkSummary};

/// The number of different paths of the listing, the details and the suggestions.
const PATHS: usize = 1_000;
/// The number of different cold queries per second of a run, which must suffice for the fastest portal.
const COLD_QUERIES_A_SECOND: usize = 6_000;

/// The scenario that requests each path once.
const COLD: &str = "listing cold";

/// The user who sends the requests of a subscriber.
const SUBSCRIBER: &str = "subscriber@readers.example";
const PASSWORD: &str = "Kelaniya-7-Peradeniya";

/// How long the portal is left alone before its memory is read.
const REST: Duration = Duration::from_secs(3);

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct LoadPlan {
    /// The portal's executable.
    pub api: PathBuf,
    /// The file of the tenders that the stored tenders are mixed from.
    pub tenders: PathBuf,
    /// The number of tenders to store.
    pub stored: usize,
    /// The number of alerts to store. The alerts of the workload are stored several times.
    pub alerts: usize,
    /// The seed of tenders, queries and draws.
    pub seed: u64,
    /// The current time, which the tenders are published before.
    pub now: Timestamp,
    /// The numbers of connections.
    pub connections: Vec<usize>,
    /// The length of each run, in whole seconds.
    pub duration: Duration,
    /// The length of the run before each run, which is not measured.
    pub warm_up: Duration,
    /// The number of rounds. The results are medians.
    pub rounds: usize,
    /// Only the scenarios with these names. Empty: all.
    pub only: Vec<String>,
    /// The timeout of each wait for the portal.
    pub timeout: Duration,
    /// The file of the portal's log.
    pub log: Option<PathBuf>,
    /// Additional command-line arguments of the portal.
    pub settings: Vec<String>,
}

/// The requests of a scenario.
struct Scenario {
    name: &'static str,
    is_subscriber: bool,
    /// The file of the portal's paths. `None`: each path is requested only once.
    portal: Option<PathBuf>,
    /// The file of the paths under which nginx serves the same responses.
    nginx: PathBuf,
    /// The mean length of the responses.
    mean_bytes: usize,
}

/// A run of wrk, with the CPU seconds of the portal and of its database.
struct Run {
    summary: WrkSummary,
    portal_cpu_s: f64,
    database_cpu_s: f64,
}

/// Runs the measurement. Fails if any response is not successful.
pub fn run(plan: &LoadPlan, alerts: &[Alert], server: &Server) -> Result<LoadMeasurement> {
    let records = lines(&plan.tenders)?.map(|line| Ok(serde_json::from_str(&line?.1)?));
    let records = records.collect::<Result<Vec<Value>>>()?;
    let cores = thread::available_parallelism()?.get();
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("data");
    let mail = MailServer::start()?;
    let mut store = Store::create(server)?;
    run_command(&plan.api, store.url(), &["migrate"])?;
    let tenders = store::fill(store.url(), &records, plan.stored, (plan.seed, plan.now))?;
    store.fill(plan.alerts.div_ceil(10), &repeat_alerts(alerts, plan.alerts)?)?;
    store::finish(store.url())?;

    let settings = portal_settings(&plan.api, plan.log.as_deref(), plan.timeout, &plan.settings);
    let portal = Portal::start(&settings, store.url(), &data, mail.url())?;
    let head = store.head()?;
    wait_until("the index", plan.timeout, || Ok(portal.index_position()? >= head))?;
    let built_mb = resting_memory(&portal)?;
    // Most of the time, a portal has not just built its index.
    drop(portal);
    let portal = Portal::start(&settings, store.url(), &data, mail.url())?;
    let rest_mb = resting_memory(&portal)?;

    let token = sign_up(&portal, &store)?;
    let (scenarios, cold) = prepare(plan, &portal, &token, &tenders, folder.path())?;
    let nginx = Nginx::start(folder.path(), folder.path(), cores)?;
    let wrk = Wrk::new(folder.path(), cores)?;
    let mut bench = Bench { plan, portal, nginx, store, wrk, token, cold, folder: folder.path() };
    let rows = bench.measure(&scenarios)?;
    let after_mb = resting_memory(&bench.portal)?;
    Ok(LoadMeasurement {
        tenders: plan.stored,
        alerts: plan.alerts,
        cores,
        rounds: plan.rounds,
        seconds: plan.duration.as_secs(),
        built_mb,
        rest_mb,
        after_mb,
        aims: Aim::all(&rows, rest_mb),
        rows,
    })
}

/// The alerts of the workload again and again, with different ids.
fn repeat_alerts(alerts: &[Alert], count: usize) -> Result<Vec<(Uuid, Alert)>> {
    ensure!(!alerts.is_empty(), "the file contains no active alert");
    let repeated = alerts.iter().cycle().take(count).enumerate();
    Ok(repeated.map(|(place, alert)| (uuid_of(place), alert.clone())).collect())
}

/// The settings of a portal under load, with further arguments. It trusts this machine as a proxy, so that
/// the requests come from many clients, and its limits are raised.
pub(crate) fn portal_settings(
    api: &Path,
    log: Option<&Path>,
    timeout: Duration,
    arguments: &[String],
) -> MailsPlan {
    let limits = [
        "--trusted-proxies=127.0.0.1",
        "--rate-limit-factor=1000",
        "--guest-details-a-day=4000000000",
        "--max-connections-per-address=1000000",
    ];
    MailsPlan {
        api: api.to_owned(),
        users: 0,
        alerts: 0,
        notices: 0,
        seed: 0,
        at_once: 1,
        collecting: Collecting::Waited,
        timeout,
        log: log.map(Path::to_owned),
        settings: limits.map(str::to_owned).into_iter().chain(arguments.iter().cloned()).collect(),
    }
}

fn resting_memory(portal: &Portal) -> Result<f64> {
    thread::sleep(REST);
    resident(&portal.id().to_string())
}

/// Registers the subscriber. Returns the access token, which is valid for an hour.
pub(crate) fn sign_up(portal: &Portal, store: &Store) -> Result<String> {
    let form = json!({"firstName": "Kamala", "lastName": "Silva", "email": SUBSCRIBER, "password": PASSWORD});
    let body = form.to_string();
    let head = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
    let address = portal.base().trim_start_matches("http://");
    let (status, answer, _) = send(address, "POST", "/api/auth/register", &head, &body)?;
    ensure!(status == 201, "registering: {status} {answer}");
    store::subscribe(store.url(), SUBSCRIBER)?;
    let answer: Value = serde_json::from_str(&answer)?;
    Ok(answer["data"]["token"].as_str().context("the response has no token")?.to_owned())
}

/// Writes the files of paths, and the portal's responses for nginx. Returns the scenarios and the cold
/// paths.
fn prepare(
    plan: &LoadPlan,
    portal: &Portal,
    token: &str,
    tenders: &[StoredTender],
    folder: &Path,
) -> Result<(Vec<Scenario>, Vec<String>)> {
    let prefixed = |prefix: &str, queries: Vec<String>| -> Vec<String> {
        queries.iter().map(|query| format!("{prefix}?{query}")).collect()
    };
    let runs = plan.rounds * plan.connections.len();
    let cold_count = (plan.duration + plan.warm_up).as_secs() as usize * COLD_QUERIES_A_SECOND * runs;
    let mut cold = prefixed("/api/tenders", queries::guest_queries(tenders, PATHS + cold_count, plan.seed)?);
    let cold_samples = cold.split_off(cold_count);
    let hot = vec!["/api/tenders".to_owned()];
    let queries = queries::subscriber_queries(tenders, PATHS, plan.seed)?;
    // The page of the listing requests the facets too.
    let listing =
        queries.iter().flat_map(|query| ["", "/facets"].map(|path| format!("/api/tenders{path}?{query}")));
    let listing: Vec<String> = listing.collect();
    // Guests can open the tenders of the last days. The ids are in the order of publication.
    let mut newest: Vec<Uuid> = tenders.iter().map(|tender| tender.id).collect();
    newest.sort_unstable_by(|one, other| other.cmp(one));
    newest.truncate(PATHS.min(tenders.len().div_ceil(20)));
    let details = newest.iter().map(|id| format!("/api/tenders/{id}"));
    let suggest = prefixed("/api/tenders/suggestions", queries::suggest_texts(tenders, PATHS, plan.seed)?);
    let all: [(&'static str, bool, Vec<String>); 6] = [
        ("listing", true, listing),
        ("listing cold", false, cold_samples),
        ("listing hot", false, hot),
        ("detail", false, details.collect()),
        ("stats", false, vec!["/api/tenders/stats".to_owned()]),
        ("suggest", false, suggest),
    ];
    let is_wanted = |name: &str| plan.only.is_empty() || plan.only.iter().any(|only| only == name);
    let mut scenarios = Vec::new();
    for (name, is_subscriber, paths) in all.into_iter().filter(|(name, _, _)| is_wanted(name)) {
        let nginx = store_responses(portal, is_subscriber.then_some(token), name, &paths, folder)?;
        let mean_bytes = nginx.iter().map(|(_, bytes)| bytes).sum::<usize>() / nginx.len().max(1);
        let nginx: Vec<String> = nginx.into_iter().map(|(path, _)| path).collect();
        // The facets follow their listing.
        let unit = if name == "listing" { 2 } else { 1 };
        let write = |server: &str, paths: &[String]| -> Result<PathBuf> {
            let groups: Vec<&[String]> = paths.chunks(unit).collect();
            let drawn = queries::zipf_draws(&groups, plan.seed)?.concat();
            write_paths(&folder.join(format!("{server}-{}.txt", name.replace(' ', "-"))), &drawn)
        };
        let portal = if name == COLD { None } else { Some(write("portal", &paths)?) };
        scenarios.push(Scenario { name, is_subscriber, portal, nginx: write("nginx", &nginx)?, mean_bytes });
    }
    ensure!(!scenarios.is_empty(), "there is no such scenario");
    Ok((scenarios, cold))
}

/// Stores the portal's responses. Returns their paths for nginx and their lengths.
fn store_responses(
    portal: &Portal,
    token: Option<&str>,
    name: &str,
    paths: &[String],
    folder: &Path,
) -> Result<Vec<(String, usize)>> {
    let name = name.replace(' ', "-");
    fs::create_dir(folder.join(&name))?;
    let head = token.map_or_else(String::new, |token| format!("Authorization: Bearer {token}\r\n"));
    let address = portal.base().trim_start_matches("http://");
    let store = |(place, path): (usize, &String)| {
        let (status, answer, _) = send(address, "GET", path, &head, "")?;
        ensure!(status == 200, "{path}: {status} {answer}");
        fs::write(folder.join(&name).join(format!("{place}.json")), &answer)?;
        Ok((format!("/{name}/{place}.json"), answer.len()))
    };
    paths.iter().enumerate().map(store).collect()
}

pub(crate) fn write_paths(file: &Path, paths: &[String]) -> Result<PathBuf> {
    fs::write(file, paths.join("\n") + "\n")?;
    Ok(file.to_owned())
}

/// The two servers, and what the runs need.
struct Bench<'a> {
    plan: &'a LoadPlan,
    portal: Portal,
    nginx: Nginx,
    store: Store,
    wrk: Wrk,
    token: String,
    /// Paths that were not requested yet.
    cold: Vec<String>,
    folder: &'a Path,
}

impl Bench<'_> {
    /// Measures all scenarios in each round. The servers take turns, and begin in turn.
    fn measure(&mut self, scenarios: &[Scenario]) -> Result<Vec<Row>> {
        let cells =
            scenarios.iter().flat_map(|scenario| self.plan.connections.iter().map(move |n| (scenario, *n)));
        let cells: Vec<(&Scenario, usize)> = cells.collect();
        let mut runs: Vec<(Vec<Run>, Vec<Run>)> = cells.iter().map(|_| (Vec::new(), Vec::new())).collect();
        for round in 0..self.plan.rounds {
            for ((scenario, connections), (portal, nginx)) in cells.iter().zip(&mut runs) {
                let portal_first = round % 2 == 0;
                for is_portal in [portal_first, !portal_first] {
                    let what = if is_portal { "portal" } else { "nginx" };
                    let run = self.measure_run(scenario, *connections, is_portal);
                    let run =
                        run.with_context(|| format!("{what}, {}, {connections} connections", scenario.name))?;
                    eprintln!(
                        "round {}, {}, {connections} connections: {what} {:.0} requests/s",
                        round + 1,
                        scenario.name,
                        run.summary.requests_a_second()
                    );
                    if is_portal { portal.push(run) } else { nginx.push(run) }
                }
            }
        }
        let rows = cells.into_iter().zip(runs).map(|((scenario, connections), (portal, nginx))| Row {
            scenario: scenario.name,
            connections,
            mean_bytes: scenario.mean_bytes,
            portal: figures(&portal),
            nginx: figures(&nginx),
        });
        Ok(rows.collect())
    }

    fn measure_run(&mut self, scenario: &Scenario, connections: usize, is_portal: bool) -> Result<Run> {
        self.send(scenario, connections, is_portal, self.plan.warm_up)?;
        let before = (self.portal.usage()?, self.store.usage()?);
        let summary = self.send(scenario, connections, is_portal, self.plan.duration)?;
        let after = (self.portal.usage()?, self.store.usage()?);
        Ok(Run {
            summary,
            portal_cpu_s: after.0.since(before.0).cpu_s,
            database_cpu_s: after.1.since(before.1).cpu_s,
        })
    }

    fn send(
        &mut self,
        scenario: &Scenario,
        connections: usize,
        is_portal: bool,
        duration: Duration,
    ) -> Result<WrkSummary> {
        let cold_file = self.folder.join("cold.txt");
        let mut share = usize::MAX;
        let paths = match (&scenario.portal, is_portal) {
            (_, false) => &scenario.nginx,
            (Some(paths), true) => paths,
            (None, true) => {
                let count = duration.as_secs() as usize * COLD_QUERIES_A_SECOND;
                ensure!(self.cold.len() >= count, "there are too few cold queries");
                let paths = self.cold.split_off(self.cold.len() - count);
                share = self.wrk.share(count);
                write_paths(&cold_file, &paths)?;
                &cold_file
            }
        };
        let base = if is_portal { self.portal.base() } else { self.nginx.base() };
        let token = scenario.is_subscriber.then_some(self.token.as_str());
        let summary = self.wrk.run(&RunInput { bases: &[base], paths, token, connections, duration })?;
        ensure!(summary.errors() == 0, "{} requests failed: {summary:?}", summary.errors());
        ensure!(summary.most_sent <= share as u64, "a cold query was repeated: the portal is too fast");
        Ok(summary)
    }
}

/// The medians of the rounds.
fn figures(runs: &[Run]) -> ServerFigures {
    let over = |value: &dyn Fn(&Run) -> f64| median(runs.iter().map(value).collect());
    let per_request = |seconds: f64, run: &Run| seconds * 1e6 / run.summary.requests as f64;
    ServerFigures {
        requests_a_second: over(&|run| run.summary.requests_a_second()),
        p50_ms: over(&|run| run.summary.p50_us as f64 / 1e3),
        p99_ms: over(&|run| run.summary.p99_us as f64 / 1e3),
        max_ms: over(&|run| run.summary.max_us as f64 / 1e3),
        errors: runs.iter().map(|run| run.summary.errors()).sum(),
        portal_cpu_us: over(&|run| per_request(run.portal_cpu_s, run)),
        database_cpu_us: over(&|run| per_request(run.database_cpu_s, run)),
    }
}
