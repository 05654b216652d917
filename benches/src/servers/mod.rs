//! How the throughput grows with the number of servers on one database. Each server gets the same small
//! share of a core, as if it were a small machine, so that one machine has room for all of them, for
//! Postgres and for wrk.

mod share;

use crate::{
    load::{
        portal_settings,
        queries::{subscriber_queries, suggest_texts, zipf_draws},
        sign_up, store, write_paths,
        wrk::{RunInput, Wrk, WrkSummary},
    },
    mails::{
        portal::{Portal, run as run_command},
        smtp::MailServer,
        store::Store,
        wait_until,
    },
    measure::{median, resident},
    server::Server,
    workload::lines,
};
use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;
use share::CpuShare;
use std::{fmt::Write as _, path::PathBuf, time::Duration};

/// The number of different paths of each kind.
const PATHS: usize = 1_000;

/// The number of different tenders that are read. A plan limits how many tenders a user may read.
const TENDERS_READ: usize = 50;
/// The servers sign their sessions with this key, so that a session is valid on all of them.
const SIGNING_KEY: &str = "the servers of this benchmark share this key";

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct ServersPlan {
    /// The portal's executable, a release build.
    pub api: PathBuf,
    /// The file of the tenders that the stored tenders are mixed from.
    pub tenders: PathBuf,
    /// The number of tenders to store.
    pub stored: usize,
    /// The numbers of servers to compare. The first one is the baseline.
    pub servers: Vec<usize>,
    /// The share of a core that each server gets, at most 1 for all servers together.
    pub share: f64,
    /// The number of connections of each server.
    pub connections: usize,
    /// The length of each run, in whole seconds.
    pub duration: Duration,
    /// The number of rounds. The results are medians.
    pub rounds: usize,
    /// The seed of tenders and queries.
    pub seed: u64,
    /// The current time, which the tenders are published before.
    pub now: Timestamp,
    /// The timeout of each wait for a server.
    pub timeout: Duration,
    /// The folder of the servers' logs.
    pub logs: Option<PathBuf>,
    /// Additional command-line arguments of the servers.
    pub settings: Vec<String>,
}

/// The results of a measurement.
#[derive(Debug, Serialize)]
pub struct ServersMeasurement {
    tenders: usize,
    share: f64,
    connections_per_server: usize,
    rounds: usize,
    seconds: u64,
    /// The mean resident memory of a server at the end, in MB (10^6 bytes).
    server_mb: f64,
    rows: Vec<Row>,
}

/// The medians for one number of servers.
#[derive(Debug, Serialize)]
struct Row {
    servers: usize,
    requests_a_second: f64,
    /// The requests per second divided by those of the baseline.
    ratio: f64,
    p50_ms: f64,
    p99_ms: f64,
    /// The CPU time of all servers per request, in microseconds.
    portal_cpu_us: f64,
    /// The CPU time of Postgres per request.
    database_cpu_us: f64,
}

/// A run of wrk, with the CPU seconds of the servers and of the database.
struct Run {
    summary: WrkSummary,
    portal_cpu_s: f64,
    database_cpu_s: f64,
}

/// Runs the measurement. Fails if any response is not successful.
pub fn run(plan: &ServersPlan, server: &Server) -> Result<ServersMeasurement> {
    let most = plan.servers.iter().copied().max().context("there is no number of servers")?;
    ensure!(plan.servers.iter().all(|count| *count > 0), "there must be at least one server");
    ensure!(plan.share * most as f64 <= 1.0, "the shares of {most} servers are more than a core");
    let records = lines(&plan.tenders)?.map(|line| Ok(serde_json::from_str(&line?.1)?));
    let records = records.collect::<Result<Vec<Value>>>()?;
    let folder = tempfile::tempdir()?;
    let mail = MailServer::start()?;
    let mut store = Store::create(server)?;
    run_command(&plan.api, store.url(), &["migrate"])?;
    let tenders = store::fill(store.url(), &records, plan.stored, (plan.seed, plan.now))?;
    store::finish(store.url())?;

    // The key of the sessions must be the same for all. Nothing is matched or mailed.
    let arguments = ["--jobs-elsewhere", "--shared-limits", "--signing-key", SIGNING_KEY].map(str::to_owned);
    let arguments: Vec<String> = arguments.into_iter().chain(plan.settings.clone()).collect();
    let head = store.head()?;
    let mut servers = Vec::new();
    for nth in 0..most {
        let log = plan.logs.as_ref().map(|folder| folder.join(format!("server-{}.log", nth + 1)));
        let settings = portal_settings(&plan.api, log.as_deref(), plan.timeout, &arguments);
        // A server on one core, as its threads count their cores when they start.
        let portal = share::on_one_core(nth, || {
            Portal::start(&settings, store.url(), &folder.path().join(nth.to_string()), mail.url())
        })?;
        wait_until("the index", plan.timeout, || Ok(portal.index_position()? >= head))?;
        servers.push(portal);
    }
    let token = sign_up(&servers[0], &store)?;
    let paths = write_paths(&folder.path().join("paths.txt"), &mixed_paths(&tenders, plan.seed)?)?;
    let wrk = Wrk::new(folder.path(), 1)?;

    let measure = |count: usize| -> Result<Run> {
        let servers = &servers[..count];
        let bases: Vec<&str> = servers.iter().map(Portal::base).collect();
        let cpu_s = || servers.iter().map(|server| Ok(server.usage()?.cpu_s)).sum::<Result<f64>>();
        let _share = CpuShare::limit(&servers.iter().map(Portal::id).collect::<Vec<_>>(), plan.share)?;
        let send = |duration| {
            let connections = plan.connections * count;
            let input = RunInput { bases: &bases, paths: &paths, token: Some(&token), connections, duration };
            wrk.run(&input)
        };
        send(Duration::from_secs(1))?;
        let before = (cpu_s()?, store.usage()?);
        let summary = send(plan.duration)?;
        let database_cpu_s = store.usage()?.since(before.1).cpu_s;
        ensure!(summary.errors() == 0, "{} requests failed: {summary:?}", summary.errors());
        Ok(Run { summary, portal_cpu_s: cpu_s()? - before.0, database_cpu_s })
    };
    let mut runs: Vec<Vec<Run>> = plan.servers.iter().map(|_| Vec::new()).collect();
    for round in 0..plan.rounds {
        for (count, runs) in plan.servers.iter().zip(&mut runs) {
            let run = measure(*count).with_context(|| format!("{count} servers"))?;
            eprintln!(
                "round {}: {count} servers: {:.0} requests/s",
                round + 1,
                run.summary.requests_a_second()
            );
            runs.push(run);
        }
    }
    let memory = servers.iter().map(|server| resident(&server.id().to_string()));
    let server_mb = memory.sum::<Result<f64>>()? / most as f64;
    let baseline = median(runs[0].iter().map(|run| run.summary.requests_a_second()).collect());
    let rows = plan.servers.iter().zip(&runs).map(|(count, runs)| Row::of(*count, runs, baseline)).collect();
    Ok(ServersMeasurement {
        tenders: plan.stored,
        share: plan.share,
        connections_per_server: plan.connections,
        rounds: plan.rounds,
        seconds: plan.duration.as_secs(),
        server_mb,
        rows,
    })
}

/// The paths of subscribers: of ten, six are the listing with its facets, three a tender and one a
/// suggestion.
fn mixed_paths(tenders: &[store::StoredTender], seed: u64) -> Result<Vec<String>> {
    let listings = subscriber_queries(tenders, PATHS, seed)?;
    let suggestions = suggest_texts(tenders, PATHS, seed)?;
    let groups = listings.iter().zip(suggestions).enumerate().map(|(nth, (query, text))| {
        let details = (0..3).map(|place| {
            let tender = (nth * 3 + place) % TENDERS_READ * (tenders.len() / TENDERS_READ).max(1);
            format!("/api/tenders/{}", tenders[tender % tenders.len()].id)
        });
        let listing = ["", "/facets"].map(|path| format!("/api/tenders{path}?{query}"));
        let suggestion = format!("/api/tenders/suggestions?{text}");
        listing.iter().cycle().take(6).cloned().chain(details).chain([suggestion]).collect::<Vec<_>>()
    });
    Ok(zipf_draws(&groups.collect::<Vec<_>>(), seed)?.concat())
}

impl Row {
    fn of(servers: usize, runs: &[Run], baseline: f64) -> Self {
        let over = |value: &dyn Fn(&Run) -> f64| median(runs.iter().map(value).collect());
        let per_request = |seconds: f64, run: &Run| seconds * 1e6 / run.summary.requests as f64;
        let requests_a_second = over(&|run| run.summary.requests_a_second());
        Self {
            servers,
            requests_a_second,
            ratio: requests_a_second / baseline.max(1e-9),
            p50_ms: over(&|run| run.summary.p50_us as f64 / 1e3),
            p99_ms: over(&|run| run.summary.p99_us as f64 / 1e3),
            portal_cpu_us: over(&|run| per_request(run.portal_cpu_s, run)),
            database_cpu_us: over(&|run| per_request(run.database_cpu_s, run)),
        }
    }
}

/// The results as a table in Markdown.
#[must_use]
pub fn table(measured: &ServersMeasurement) -> String {
    let mut table = String::from(
        "| servers | requests/s | of the first | p50, p99 (ms) | CPU of a request: servers, Postgres (µs) |\n|---|---|---|---|---|\n",
    );
    for row in &measured.rows {
        let _ = writeln!(
            table,
            "| {} | {:.0} | {:.2} | {:.1}, {:.1} | {:.0}, {:.0} |",
            row.servers,
            row.requests_a_second,
            row.ratio,
            row.p50_ms,
            row.p99_ms,
            row.portal_cpu_us,
            row.database_cpu_us
        );
    }
    table
}
