//! Measures how many changes a second the database takes: `writes --help`. Prints a table and one line of
//! JSON. The library does the measuring.

use anyhow::{Context, Result};
use benches::{
    server::Server,
    writes::{self, WritesPlan},
};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Changes tenders in the portal's database over several connections, with the lock of the log, without it,
/// and with a queue instead, and counts requests. Postgres writes each commit to the disk.
#[derive(Parser)]
#[command(name = "writes")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// The portal's executable [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// The numbers of connections
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 8, 32])]
    connections: Vec<usize>,
    /// The times in microseconds that are added to the flush of a commit, as with a slower disk
    #[arg(long, value_name = "MICROSECONDS,…", value_delimiter = ',', default_values_t = [0, 2_000, 5_000], value_parser = clap::value_parser!(u32).range(..=100_000))]
    flush_us: Vec<u32>,
    /// The changes a second of the runs at a fixed rate
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..))]
    rate: u32,
    /// The length of each run in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    seconds: u64,
    /// The number of rounds; the results are medians
    #[arg(long, value_name = "N", default_value_t = 1)]
    rounds: usize,
    /// A Postgres server on this machine [default: a private one]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
}

fn main() -> ExitCode {
    match measure_writes(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("writes: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_writes(arguments: Arguments) -> Result<()> {
    let plan = WritesPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        tenders: arguments.tenders,
        connections: arguments.connections,
        flush_us: arguments.flush_us,
        rate: arguments.rate,
        duration: Duration::from_secs(arguments.seconds),
        rounds: arguments.rounds,
    };
    let server = Server::durable(arguments.database.as_deref())?;
    let measured = writes::run(&plan, &server)?;
    println!("{}", writes::table(&measured));
    println!("{}", serde_json::to_string(&measured)?);
    Ok(())
}
