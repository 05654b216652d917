//! Measures how an engine answers queries over many tenders: `search --help`. Prints one line of
//! JSON. The library does the measuring.

use anyhow::Result;
use benches::{
    mixer::{Mixer, SEED},
    search::{self, EngineName, SearchPlan},
};
use clap::Parser;
use std::{fs, path::PathBuf, process::ExitCode};
use tender_model::vocabulary::Moment;

/// Fills an engine with tenders that are generated from real notices, and runs queries. Each query
/// asks for a page, the total and all facets. Prints the times by kind of query as one line of
/// JSON.
#[derive(Parser)]
#[command(name = "search")]
struct Arguments {
    /// Real procurement notices, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    notices: PathBuf,
    /// The number of tenders; if there are fewer notices, each further title combines two of them
    #[arg(long, value_name = "N", default_value_t = 30_000)]
    size: usize,
    /// Queries, one JSON object per line; `built-in` generates them from the words of the notices
    #[arg(long, value_name = "FILE", default_value = "built-in")]
    queries: PathBuf,
    /// The number of built-in queries of each kind
    #[arg(long, value_name = "N", default_value_t = 20)]
    each: usize,
    /// The engine to measure
    #[arg(long, value_enum, default_value = "ours")]
    engine: EngineName,
    /// A Postgres server on this machine, without a database; its table `tender` in `postgres` is
    /// replaced [default: a private one]
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The time of the queries
    #[arg(long, value_name = "RFC3339", default_value = "2026-11-20T09:00:00+05:30")]
    now: Moment,
    /// The seed of the mixer
    #[arg(long, default_value_t = SEED)]
    seed: u64,
    /// How often each query is timed; the result is the median
    #[arg(long, value_name = "N", default_value_t = 3)]
    rounds: usize,
    /// Indexing threads of our engine, besides the one that generates the documents
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Write the number of results of each query to this file, to compare engines
    #[arg(long, value_name = "FILE")]
    found: Option<PathBuf>,
}

fn main() -> ExitCode {
    match measure_engine(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("search: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_engine(arguments: &Arguments) -> Result<()> {
    let mixer = Mixer::new(&arguments.notices, arguments.now, arguments.seed)?;
    let questions = if arguments.queries.as_os_str() == "built-in" {
        search::generate(&mixer.titles(), arguments.each, arguments.seed)
    } else {
        search::read(&arguments.queries)?
    };
    let plan = SearchPlan {
        size: arguments.size,
        now: arguments.now,
        rounds: arguments.rounds,
        threads: arguments.threads,
    };
    let (report, found) =
        search::run(arguments.engine, arguments.database.as_deref(), mixer, plan, &questions)?;
    if let Some(path) = &arguments.found {
        let lines = questions.iter().zip(&found).map(|(question, found)| {
            format!("{}\t{}\t{found}\n", question.class, question.text.as_deref().unwrap_or_default())
        });
        fs::write(path, lines.collect::<String>())?;
    }
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}
