//! Scores an engine's ranking for judged queries: `relevance --help`. Prints one line of JSON. The
//! library does the scoring.

use anyhow::Result;
use benches::relevance::{
    Half, JudgedQuery, Ranker, Scores, collection::Collection, mean, read_queries, score,
};
use clap::Parser;
use serde::Serialize;
use std::{collections::BTreeMap, path::PathBuf, process::ExitCode};

/// Scores an engine's ranking of tenders for judged queries: nDCG@10 and success@1, per kind of
/// query and in total, as one line of JSON.
#[derive(Parser)]
#[command(name = "relevance")]
struct Arguments {
    /// Real notices, one JSON object per line, gzip
    #[arg(long, value_name = "FILE")]
    notices: PathBuf,
    /// Notices read from newspapers
    #[arg(long, value_name = "DIR", default_value = "fixtures/notices")]
    fixtures: PathBuf,
    /// Judged queries, one JSON object per line
    #[arg(long, value_name = "FILE", default_value = "fixtures/queries/queries.jsonl")]
    queries: PathBuf,
    /// Use only the queries of one half
    #[arg(long, value_enum)]
    half: Option<Half>,
    /// The engine to score
    #[arg(long, value_enum, default_value = "ours")]
    engine: Ranker,
    /// A database for the Postgres engine; only a temporary table is created
    #[arg(long, value_name = "URL", env = "DATABASE_URL")]
    database: Option<String>,
    /// Print each query with its scores and results to standard error
    #[arg(long)]
    each: bool,
}

/// The printed line.
#[derive(Serialize)]
struct Report {
    engine: Ranker,
    tenders: usize,
    queries: usize,
    all: Scores,
    kinds: BTreeMap<String, Scores>,
}

fn main() -> ExitCode {
    match score_engine(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("relevance: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn score_engine(arguments: &Arguments) -> Result<()> {
    let mut queries = read_queries(&arguments.queries)?;
    queries.retain(|judged| arguments.half.is_none_or(|half| judged.half == half));
    let collection = Collection::open(&arguments.notices, &arguments.fixtures)?;
    let ranked = arguments.engine.rank(&collection, &queries, arguments.database.as_deref())?;
    let mut by_kind: BTreeMap<String, Vec<Scores>> = BTreeMap::new();
    for (JudgedQuery { query, kind, judgements, .. }, ranked) in queries.iter().zip(&ranked) {
        let scores = score(ranked, judgements);
        by_kind.entry(kind.clone()).or_default().push(scores);
        if arguments.each {
            let grade = |id: &String| judgements.get(id).copied().unwrap_or(0);
            let found: Vec<_> = ranked.iter().map(|id| format!("{id}={}", grade(id))).collect();
            eprintln!("{:.3} {kind}: {query}: {}", scores.ndcg_at_10, found.join(" "));
        }
    }
    let all: Vec<Scores> = by_kind.values().flatten().copied().collect();
    let report = Report {
        engine: arguments.engine,
        tenders: collection.tenders.len(),
        queries: queries.len(),
        all: mean(&all),
        kinds: by_kind.into_iter().map(|(kind, scores)| (kind, mean(&scores))).collect(),
    };
    println!("{}", serde_json::to_string(&report)?);
    Ok(())
}
