//! Measures which tenders reach the inbox: `inbox --help`. Prints a table, or with `--json` one
//! line of JSON. The library does the measuring.

use anyhow::{Context, Result};
use benches::{
    inbox::{self, InboxPlan, InboxTable},
    server::Server,
};
use clap::Parser;
use std::{num::NonZeroUsize, path::PathBuf, process::ExitCode, thread, time::Duration};

/// Reads pages with known content without manual work and publishes them to a real portal. Two
/// alerts for each tender show whether it arrives, with the right closing day, and how soon. Pages
/// are grouped by the part of their names after the last `_` (`p1_d2` is in group `d2`). Each group
/// has its own portal.
#[derive(Parser)]
#[command(name = "inbox")]
struct Arguments {
    /// Folders of pages, or single pages
    #[arg(required = true, value_name = "PAGES")]
    pages: Vec<PathBuf>,
    /// The folder with the expected content, as for `ingest eval --truth`
    #[arg(long, value_name = "DIR")]
    truth: PathBuf,
    /// The portal's executable [default: `api` beside this one]
    #[arg(long, value_name = "FILE")]
    api: Option<PathBuf>,
    /// Cores for reading [default: all]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// The timeout in seconds of each wait for the portal
    #[arg(long, value_name = "SECONDS", default_value_t = 300)]
    patience: u64,
    /// A Postgres server on this machine [default: a private one without fsync]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// Write the portal's log to this file
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Also list each tender that did not arrive, or arrived with a wrong closing day
    #[arg(long)]
    missed: bool,
    /// Print one line of JSON instead of a table
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    match measure(Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("inbox: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure(arguments: Arguments) -> Result<()> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let plan = InboxPlan {
        api: match arguments.api {
            Some(api) => api,
            None => std::env::current_exe()
                .context("the path of this executable is unknown")?
                .with_file_name("api"),
        },
        pages: arguments.pages,
        truth: arguments.truth,
        jobs: arguments.jobs.map_or(cores, NonZeroUsize::get),
        timeout: Duration::from_secs(arguments.patience),
        log: arguments.log,
    };
    let server = Server::new(arguments.database.as_deref())?;
    let groups = inbox::run(&plan, &server)?;
    if arguments.json {
        println!("{}", serde_json::to_string(&groups)?);
    } else {
        print!("{}", InboxTable(&groups));
        let missed = groups.iter().flat_map(|(name, inbox)| inbox.missed.iter().map(move |one| (name, one)));
        for (name, one) in missed.filter(|_| arguments.missed) {
            println!("{name}: {one}");
        }
    }
    Ok(())
}
