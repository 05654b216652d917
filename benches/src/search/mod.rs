//! Measures search with the same tenders and queries for each engine. Every response has a page of
//! tenders, the total, and the facets. `questions` provides the queries.

mod opensearch;
mod ours;
mod postgres;
mod questions;

pub use questions::{Question, generate, read};

use crate::{measure, mixer::Mixer};
use anyhow::{Context, Result};
use clap::ValueEnum;
use index::{ListingRequest, SearchEngine};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};
use tender_model::{tender::Tender, vocabulary::Moment};

/// Tenders per page.
const PAGE_SIZE: usize = 20;
/// The maximum number of each of cities, organisations and newspapers that our engine returns.
const MAX_NAMES: usize = 10;
/// The number of tenders generated at a time while filling.
const BATCH_SIZE: usize = 5000;

/// An engine, by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// `index::IndexStore`.
    Ours,
    /// Postgres full text search.
    Postgres,
    /// `opensearch_engine` on a private node.
    #[value(name = "opensearch")]
    OpenSearch,
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// The parameters of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct SearchPlan {
    /// The number of tenders.
    pub size: usize,
    /// The time of the queries.
    pub now: Moment,
    /// How often each query is timed, after one run that is not timed. The result is the median.
    pub rounds: usize,
    /// Indexing threads of our engine, besides the one that feeds them.
    pub threads: usize,
}

/// The results.
#[derive(Debug, Serialize)]
pub struct Report {
    engine: String,
    tenders: usize,
    /// Tenders per second while filling, by wall clock. Generating them is not counted.
    tenders_per_s: f64,
    /// CPU time of filling.
    fill_cpu_s: f64,
    /// The size of the tenders as JSON.
    json_mb: f64,
    /// The size on disk.
    index_mb: f64,
    index_to_json: f64,
    /// Resident memory of the searching process, at the end.
    rss_mb: f64,
    /// The times by kind of query. `all but empty` covers all queries except the empty one.
    classes: BTreeMap<String, ClassTimes>,
}

/// The times of one kind of query, in milliseconds.
#[derive(Debug, Serialize)]
pub struct ClassTimes {
    questions: usize,
    /// Wall clock time.
    p50_ms: f64,
    p99_ms: f64,
    /// CPU time.
    cpu_p50_ms: f64,
    cpu_p99_ms: f64,
    /// The average number of results.
    found: f64,
}

/// A search engine.
trait Engine {
    /// Adds tenders.
    fn add(&mut self, tenders: &[Tender]) -> Result<()>;

    /// Finishes indexing.
    fn finish(&mut self) -> Result<()>;

    /// Returns the size on disk in bytes.
    fn bytes(&mut self) -> Result<u64>;

    /// Prepares a query. This time is not counted.
    fn prepare(&mut self, _question: &Question) -> Result<()> {
        Ok(())
    }

    /// Runs a query for a page, facets and the total. Returns the total.
    fn run_query(&mut self, question: &Question) -> Result<usize>;

    /// Returns the CPU time of filling so far.
    fn fill_time(&self) -> Result<Duration>;

    /// Returns the CPU time of queries so far.
    fn query_time(&self) -> Result<Duration>;

    /// Returns the memory of the searching process in MB.
    fn memory(&self) -> Result<f64>;
}

/// Runs a query of the portal for a page, facets and the total. Returns the total.
fn run_listing(engine: &dyn SearchEngine, question: &Question, now: Moment) -> Result<usize> {
    let request = ListingRequest {
        text: question.text.clone(),
        filter: question.filter(),
        sort: question.sort(),
        limit: PAGE_SIZE,
        facets: Some(MAX_NAMES),
        ..ListingRequest::default()
    };
    let listing = engine.listing(&request, now)?;
    listing.facets.as_ref().context("there are no facets")?;
    Ok(listing.total)
}

/// Fills an engine (Postgres at the URL, or a private one) and runs all queries. Returns the
/// report, and the number of results of each query.
pub fn run(
    name: EngineName,
    url: Option<&str>,
    mixer: Mixer,
    plan: SearchPlan,
    questions: &[Question],
) -> Result<(Report, Vec<usize>)> {
    match name {
        EngineName::Ours => {
            measure_engine(name, ours::Ours::new(plan.now, plan.threads)?, mixer, plan, questions)
        }
        EngineName::OpenSearch => {
            measure_engine(name, opensearch::OnCluster::new(plan.now)?, mixer, plan, questions)
        }
        EngineName::Postgres => {
            measure_engine(name, postgres::Postgres::new(url, plan.now)?, mixer, plan, questions)
        }
    }
}

fn measure_engine(
    name: EngineName,
    mut engine: impl Engine,
    mixer: Mixer,
    plan: SearchPlan,
    questions: &[Question],
) -> Result<(Report, Vec<usize>)> {
    let (mut wall, mut cpu, mut json, mut done) = (Duration::ZERO, Duration::ZERO, 0usize, 0);
    let mut tenders = mixer.take(plan.size);
    loop {
        let batch: Vec<Tender> = tenders.by_ref().take(BATCH_SIZE).collect();
        if batch.is_empty() {
            break;
        }
        for tender in &batch {
            json += serde_json::to_string(tender)?.len() + 1;
        }
        let (begin, used) = (Instant::now(), engine.fill_time()?);
        engine.add(&batch)?;
        wall += begin.elapsed();
        cpu += engine.fill_time()?.saturating_sub(used);
        done += batch.len();
    }
    let (begin, used) = (Instant::now(), engine.fill_time()?);
    engine.finish()?;
    wall += begin.elapsed();
    cpu += engine.fill_time()?.saturating_sub(used);

    let bytes = engine.bytes()? as f64;
    let mut measured = Vec::with_capacity(questions.len());
    for question in questions {
        measured.push(measure_query(&mut engine, question, plan.rounds)?);
    }
    let times = |wanted: &dyn Fn(&Question) -> bool| {
        summarize(
            questions
                .iter()
                .zip(&measured)
                .filter(|(question, _)| wanted(question))
                .map(|(_, measured)| measured),
        )
    };
    let mut classes = BTreeMap::new();
    for question in questions {
        let class = &question.class;
        if !classes.contains_key(class) {
            classes.insert(class.clone(), times(&|question| question.class == *class));
        }
    }
    classes.insert("all but empty".to_owned(), times(&|question| question.class != "empty"));
    let report = Report {
        engine: name.to_string(),
        tenders: done,
        tenders_per_s: (done as f64 / wall.as_secs_f64()).round(),
        fill_cpu_s: rounded(cpu.as_secs_f64()),
        json_mb: rounded(json as f64 / 1e6),
        index_mb: rounded(bytes / 1e6),
        index_to_json: rounded(bytes / json as f64),
        rss_mb: rounded(engine.memory()?),
        classes,
    };
    Ok((report, measured.iter().map(|measured| measured.found).collect()))
}

/// The median times of one query in milliseconds, and its number of results.
struct QueryTimes {
    wall: f64,
    cpu: f64,
    found: usize,
}

fn measure_query(engine: &mut impl Engine, question: &Question, rounds: usize) -> Result<QueryTimes> {
    engine.prepare(question)?;
    let (mut wall, mut cpu, mut found) = (Vec::new(), Vec::new(), engine.run_query(question)?);
    for _ in 0..rounds.max(1) {
        let (begin, used) = (Instant::now(), engine.query_time()?);
        found = engine.run_query(question)?;
        wall.push(begin.elapsed().as_secs_f64() * 1e3);
        cpu.push(engine.query_time()?.saturating_sub(used).as_secs_f64() * 1e3);
    }
    Ok(QueryTimes { wall: measure::median(wall), cpu: measure::median(cpu), found })
}

fn summarize<'a>(measured: impl Iterator<Item = &'a QueryTimes>) -> ClassTimes {
    let measured: Vec<&QueryTimes> = measured.collect();
    let percentile = |percent: usize, value: &dyn Fn(&QueryTimes) -> f64| {
        let mut values: Vec<f64> = measured.iter().map(|measured| value(measured)).collect();
        values.sort_unstable_by(f64::total_cmp);
        let place = (values.len() * percent / 100).min(values.len().saturating_sub(1));
        rounded(values.get(place).copied().unwrap_or_default())
    };
    ClassTimes {
        questions: measured.len(),
        p50_ms: percentile(50, &|measured| measured.wall),
        p99_ms: percentile(99, &|measured| measured.wall),
        cpu_p50_ms: percentile(50, &|measured| measured.cpu),
        cpu_p99_ms: percentile(99, &|measured| measured.cpu),
        found: (measured.iter().map(|measured| measured.found).sum::<usize>() as f64
            / measured.len().max(1) as f64)
            .round(),
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
