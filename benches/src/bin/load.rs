//! Measures the portal under load: `load --help`. Prints tables and one line of JSON. The library does
//! the measuring.

use anyhow::{Context, Result};
use benches::{
    load::{self, LoadPlan},
    server::Server,
    workload::Workload,
};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tender_model::vocabulary::{Moment, Rates};

/// Fills the database of a real portal, and sends requests with wrk to the portal and to nginx, which
/// serves the same responses as files. Fails if a response is not successful.
#[derive(Parser)]
#[command(name = "load")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// Alerts, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    alerts: PathBuf,
    /// The portal's executable, a release build [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// The number of tenders to store
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    stored: usize,
    /// The number of alerts to store
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    stored_alerts: usize,
    /// The numbers of connections
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [16, 64, 256])]
    connections: Vec<usize>,
    /// The length of each run in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// The length in seconds of the run before each run, which is not measured
    #[arg(long, value_name = "SECONDS", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    warm_up: u64,
    /// The number of rounds; the results are medians
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Measure only these scenarios, such as stats,listing hot
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
    /// The seed of tenders, queries and draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The timeout in seconds of each wait for the portal
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// A Postgres server on this machine [default: a private one without fsync]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Write the portal's log to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Additional arguments of the portal, after two dashes
    #[arg(last = true)]
    settings: Vec<String>,
}

fn main() -> ExitCode {
    match measure_load(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("load: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_load(arguments: Arguments) -> Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the measured portal uses the machine's clock")]
    let now = jiff::Timestamp::now();
    let files = (arguments.alerts.as_path(), arguments.tenders.as_path());
    let workload = Workload::open(files, (arguments.stored_alerts, 1), (Moment::new(now), Rates::default()))?;
    let alerts = workload.alerts()?.collect::<Result<Vec<_>>>()?;
    let plan = LoadPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        tenders: arguments.tenders,
        stored: arguments.stored,
        alerts: arguments.stored_alerts,
        seed: arguments.seed,
        now,
        connections: arguments.connections,
        duration: Duration::from_secs(arguments.seconds),
        warm_up: Duration::from_secs(arguments.warm_up),
        rounds: arguments.rounds,
        only: arguments.only,
        timeout: Duration::from_secs(arguments.patience),
        log: arguments.log,
        settings: arguments.settings,
    };
    let server = Server::new(arguments.database.as_deref())?;
    let measured = load::run(&plan, &alerts, &server)?;
    println!("{}", load::table(&measured));
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}
