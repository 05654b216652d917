//! Measures workers that match many alerts: `takeover --help`. Prints one line of JSON. The library
//! does the measuring.

use anyhow::{Context, Result};
use benches::{
    server::Server,
    takeover::{self, TakeoverPlan},
    workload::Workload,
};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tender_model::vocabulary::{Moment, Rates};

/// Fills the portal's database with alerts, starts workers that share them, matches tenders, kills the
/// first worker, and measures how long it takes until another one matches.
#[derive(Parser)]
#[command(name = "takeover")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// Alerts, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    alerts: PathBuf,
    /// Add alerts that combine those of the file, until there are N
    #[arg(long, value_name = "N")]
    mix_alerts: Option<usize>,
    /// The portal's executable, a release build [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// The number of users, who own the alerts in turn
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    users: usize,
    /// The number of shards of the alerts
    #[arg(long, value_name = "N", default_value_t = 1)]
    shards: u16,
    /// The number of workers; the first one is killed
    #[arg(long, value_name = "N", default_value_t = 2)]
    workers: usize,
    /// The number of tenders that are matched before the kill
    #[arg(long, value_name = "N", default_value_t = 100)]
    matched: usize,
    /// The timeout in seconds of each wait
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// A Postgres server on this machine [default: a private one without fsync]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

fn main() -> ExitCode {
    match measure_takeover(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("takeover: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_takeover(arguments: Arguments) -> Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the measured portal uses the machine's clock")]
    let now = Moment::new(jiff::Timestamp::now());
    let mut workload = Workload::open(
        (&arguments.alerts, &arguments.tenders),
        (usize::MAX, usize::MAX),
        (now, Rates::default()),
    )?;
    if let Some(count) = arguments.mix_alerts {
        workload.mix_alerts(count)?;
    }
    let plan = TakeoverPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        users: arguments.users,
        shards: arguments.shards,
        workers: arguments.workers,
        tenders: arguments.matched,
        timeout: Duration::from_secs(arguments.patience),
    };
    let server = Server::new(arguments.database.as_deref())?;
    println!("{}", serde_json::to_string(&takeover::run(&plan, &workload, &server)?)?);
    Ok(())
}
