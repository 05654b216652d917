//! Measures the lists of the administrators' desk: `lists --help`. Prints a table, or one line of
//! JSON. The library does the measuring.

use anyhow::{Context, Result};
use benches::{
    lists::{self, ListsPlan},
    server::Server,
};
use clap::Parser;
use std::{path::PathBuf, process::ExitCode, time::Duration};

/// Fills the database of a real portal, and reads every list for administrators over HTTP from its
/// first to its last page. Prints the response times of the pages in milliseconds.
#[derive(Parser)]
#[command(name = "lists")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// The portal's executable, a release build [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// The number of notices to store
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    notices: u32,
    /// The number of users to store
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    users: u32,
    /// The minimum number of requests for each list
    #[arg(long, value_name = "N", default_value_t = 200)]
    requests: usize,
    /// The maximum number of requests for each list
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    limit: usize,
    /// The timeout in seconds of each wait for the portal
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    patience: u64,
    /// A Postgres server on this machine [default: a private one without fsync]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Write the portal's log to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Additional arguments of the portal, after two dashes
    #[arg(last = true)]
    settings: Vec<String>,
}

fn main() -> ExitCode {
    match measure_lists(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("lists: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_lists(arguments: Arguments) -> Result<()> {
    let plan = ListsPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        tenders: arguments.tenders,
        notices: arguments.notices,
        users: arguments.users,
        requests: (arguments.requests, arguments.limit),
        timeout: Duration::from_secs(arguments.patience),
        log: arguments.log,
        settings: arguments.settings,
    };
    let server = Server::new(arguments.database.as_deref())?;
    let measured = lists::run(&plan, &server)?;
    if arguments.json {
        println!("{}", serde_json::to_string(&measured)?);
    } else {
        print!("{}", lists::table(&measured));
    }
    Ok(())
}
