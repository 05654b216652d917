//! Measures the way from publishing to mail: `mails --help`. Prints one line of JSON. What is measured and how is the library's part.

use anyhow::{Context, Result};
use benches::{
    mails::{self, Collecting, Plan},
    server::Server,
    workload::Workload,
};
use clap::Parser;
use index::vocabulary::{Moment, Rates};
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Publishes notices to a real portal that watches for many readers, takes their mails, looks whether each match was mailed once, and
/// prints where the time went as one line of JSON: moments in seconds from the answer to the last notice, CPU seconds and peak memory.
#[derive(Parser)]
#[command(name = "mails")]
struct Arguments {
    /// Tenders, one JSON object a line, plain or gzip.
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// Alerts, one JSON object a line, plain or gzip. Those with `isActive: false` are left out.
    #[arg(long, value_name = "FILE")]
    alerts: PathBuf,
    /// The portal's executable, built for release [default: `api` beside this one].
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// Notices that are published.
    #[arg(long, value_name = "N", default_value_t = 400)]
    notices: usize,
    /// Alerts that are stored.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    stored: usize,
    /// Users among whom the alerts are dealt out.
    #[arg(long, value_name = "N", default_value_t = 5_000)]
    users: usize,
    /// Notices on their way at once.
    #[arg(long, value_name = "N", default_value_t = 8)]
    at_once: usize,
    /// What becomes of the time in which an alert's items are collected.
    #[arg(long, value_enum, default_value = "waited")]
    collecting: Collecting,
    /// Decides which tenders and alerts of the files are used.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Give up what takes longer than this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// A Postgres of this machine [default: a private one, which does not wait for its disk].
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Keep what the portal says.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// More settings of the portal, behind two dashes.
    #[arg(last = true)]
    settings: Vec<String>,
}

fn main() -> ExitCode {
    match measure_it(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("mails: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_it(arguments: Arguments) -> Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the portal that is measured has the machine's clock")]
    let now = Moment::new(jiff::Timestamp::now());
    let workload = Workload::open(
        (&arguments.alerts, &arguments.tenders),
        (usize::MAX, usize::MAX),
        (now, Rates::default()),
    )?;
    let plan = Plan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe().context("where this executable is")?.with_file_name("api"),
        },
        users: arguments.users,
        alerts: arguments.stored,
        notices: arguments.notices,
        seed: arguments.seed,
        at_once: arguments.at_once,
        collecting: arguments.collecting,
        patience: Duration::from_secs(arguments.patience),
        log: arguments.log,
        settings: arguments.settings,
    };
    let server = Server::new(arguments.database.as_deref())?;
    println!("{}", serde_json::to_string(&mails::run(&plan, &workload, &server)?)?);
    Ok(())
}
