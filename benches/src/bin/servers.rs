//! Compares one, two and three servers on one database: `servers --help`. Prints a table and one line of
//! JSON. The library does the measuring.

use anyhow::{Context, Result};
use benches::{
    server::Server,
    servers::{self, ServersPlan},
};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Starts several servers on one database, limits each to a share of a core, and sends requests with wrk to
/// some of them. Fails if a response is not successful.
#[derive(Parser)]
#[command(name = "servers")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// The portal's executable, a release build [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// The number of tenders to store
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    stored: usize,
    /// The numbers of servers to compare. The first one is the baseline
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 2, 3])]
    servers: Vec<usize>,
    /// The share of a core that each server gets, at most 1 for all servers together
    #[arg(long, value_name = "SHARE", default_value_t = 0.15)]
    share: f64,
    /// The number of connections of each server
    #[arg(long, value_name = "N", default_value_t = 16)]
    connections: usize,
    /// The length of each run in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// The number of rounds; the results are medians
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// The seed of tenders and queries
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The timeout in seconds of each wait for a server
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// A Postgres server on this machine [default: a private one without fsync]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Write the servers' logs to files in this folder
    #[arg(long, value_name = "FOLDER")]
    logs: Option<PathBuf>,
    /// Additional arguments of the servers, after two dashes
    #[arg(last = true)]
    settings: Vec<String>,
}

fn main() -> ExitCode {
    match compare(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("servers: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn compare(arguments: Arguments) -> Result<()> {
    #[expect(clippy::disallowed_methods, reason = "the measured servers use the machine's clock")]
    let now = jiff::Timestamp::now();
    let plan = ServersPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        tenders: arguments.tenders,
        stored: arguments.stored,
        servers: arguments.servers,
        share: arguments.share,
        connections: arguments.connections,
        duration: Duration::from_secs(arguments.seconds),
        rounds: arguments.rounds,
        seed: arguments.seed,
        now,
        timeout: Duration::from_secs(arguments.patience),
        logs: arguments.logs,
        settings: arguments.settings,
    };
    let server = Server::new(arguments.database.as_deref())?;
    let measured = servers::run(&plan, &server)?;
    println!("{}", servers::table(&measured));
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}
