//! Measures the path from publishing to mail: `mails --help`. Prints one line of JSON. The library
//! does the measuring.

use anyhow::{Context, Result};
use benches::{
    mails::{self, Collecting, MailsPlan},
    server::Server,
    workload::Workload,
};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tender_model::vocabulary::{Moment, Rates};

/// Publishes notices to a real portal with many subscribers, receives their mails, and checks that
/// each match was mailed once. Prints one line of JSON with times in seconds after the response to
/// the last notice, CPU seconds and peak memory.
#[derive(Parser)]
#[command(name = "mails")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// Alerts, one JSON object per line, plain or gzip; those with `isActive: false` are skipped
    #[arg(long, value_name = "FILE")]
    alerts: PathBuf,
    /// The portal's executable, a release build [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// The number of notices to publish
    #[arg(long, value_name = "N", default_value_t = 400)]
    notices: usize,
    /// The number of alerts to store
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    stored: usize,
    /// The number of users who own the alerts
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    users: usize,
    /// The number of notices sent in parallel
    #[arg(long, value_name = "N", default_value_t = 8)]
    at_once: usize,
    /// How to treat the collection time of alerts
    #[arg(long, value_enum, default_value = "waited")]
    collecting: Collecting,
    /// The seed that selects tenders and alerts
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
    match measure_mails(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mails: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_mails(arguments: Arguments) -> Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the measured portal uses the machine's clock")]
    let now = Moment::new(jiff::Timestamp::now());
    let workload = Workload::open(
        (&arguments.alerts, &arguments.tenders),
        (usize::MAX, usize::MAX),
        (now, Rates::default()),
    )?;
    let plan = MailsPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        users: arguments.users,
        alerts: arguments.stored,
        notices: arguments.notices,
        seed: arguments.seed,
        at_once: arguments.at_once,
        collecting: arguments.collecting,
        timeout: Duration::from_secs(arguments.patience),
        log: arguments.log,
        settings: arguments.settings,
    };
    let server = Server::new(arguments.database.as_deref())?;
    println!("{}", serde_json::to_string(&mails::run(&plan, &workload, &server)?)?);
    Ok(())
}
