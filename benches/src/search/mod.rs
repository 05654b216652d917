//! Measures search: the same tenders and queries for each engine. Every answer has a page of
//! tenders, the total, and the facets. `questions` provides the queries.

mod ours;
mod postgres;
mod questions;

pub use questions::{Question, built_in, read};

use crate::{measure, mixer::Mixer};
use anyhow::Result;
use clap::ValueEnum;
use index::{tender::Tender, vocabulary::Moment};
use serde::Serialize;
use std::{
    collections::BTreeMap,
    fmt,
    time::{Duration, Instant},
};

/// Tenders per page.
const PAGE: usize = 20;
/// The maximum number of cities, organisations and newspapers counted.
const NAMES: usize = 10;
/// The number of tenders generated at a time while filling.
const BATCH: usize = 5000;

/// An engine, by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// `index::IndexStore`.
    Ours,
    /// Postgres full text search.
    Postgres,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// The parameters of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// The number of tenders.
    pub size: usize,
    /// The time of the queries.
    pub now: Moment,
    /// How often each query runs; its time is the median.
    pub rounds: usize,
    /// Indexing threads of our engine, beside the one that feeds them.
    pub threads: usize,
}

/// The results.
#[derive(Debug, Serialize)]
pub struct Report {
    engine: String,
    tenders: usize,
    /// Tenders per second while filling, by wall clock; generating them is not counted.
    tenders_per_s: f64,
    /// CPU time of filling.
    fill_cpu_s: f64,
    /// The size of the tenders as JSON.
    json_mb: f64,
    /// The size on disk.
    index_mb: f64,
    index_to_json: f64,
    /// Resident memory of the answering process, at the end.
    rss_mb: f64,
    /// By kind of query; `all` covers all but the empty one.
    classes: BTreeMap<String, Times>,
}

/// The times of one kind of query, in milliseconds.
#[derive(Debug, Serialize)]
pub struct Times {
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

    /// The size on disk in bytes.
    fn bytes(&mut self) -> Result<u64>;

    /// Prepares a query; this time is not counted.
    fn prepare(&mut self, _question: &Question) -> Result<()> {
        Ok(())
    }

    /// Runs a query for a page, facets and the total. Returns the total.
    fn ask(&mut self, question: &Question) -> Result<usize>;

    /// The CPU time of filling so far.
    fn fill_time(&self) -> Result<Duration>;

    /// The CPU time of answering so far.
    fn ask_time(&self) -> Result<Duration>;

    /// MB of memory of the answering process.
    fn memory(&self) -> Result<f64>;
}

/// Fills an engine (Postgres at the URL, or a private one) and runs all queries. Returns the
/// report, and the number of results of each query.
pub fn run(
    name: Name,
    url: Option<&str>,
    mixer: Mixer,
    plan: Plan,
    questions: &[Question],
) -> Result<(Report, Vec<usize>)> {
    match name {
        Name::Ours => measure_one(name, ours::Ours::new(plan.now, plan.threads)?, mixer, plan, questions),
        Name::Postgres => measure_one(name, postgres::Postgres::new(url, plan.now)?, mixer, plan, questions),
    }
}

fn measure_one(
    name: Name,
    mut engine: impl Engine,
    mixer: Mixer,
    plan: Plan,
    questions: &[Question],
) -> Result<(Report, Vec<usize>)> {
    let (mut wall, mut cpu, mut json, mut done) = (Duration::ZERO, Duration::ZERO, 0usize, 0);
    let mut tenders = mixer.take(plan.size);
    loop {
        let batch: Vec<Tender> = tenders.by_ref().take(BATCH).collect();
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
    let mut asked = Vec::with_capacity(questions.len());
    for question in questions {
        asked.push(ask(&mut engine, question, plan.rounds)?);
    }
    let times = |wanted: &dyn Fn(&Question) -> bool| {
        summary(questions.iter().zip(&asked).filter(|(question, _)| wanted(question)).map(|(_, asked)| asked))
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
    Ok((report, asked.iter().map(|asked| asked.found).collect()))
}

/// The medians of one query, in milliseconds.
struct Asked {
    wall: f64,
    cpu: f64,
    found: usize,
}

fn ask(engine: &mut impl Engine, question: &Question, rounds: usize) -> Result<Asked> {
    engine.prepare(question)?;
    let (mut wall, mut cpu, mut found) = (Vec::new(), Vec::new(), engine.ask(question)?);
    for _ in 0..rounds.max(1) {
        let (begin, used) = (Instant::now(), engine.ask_time()?);
        found = engine.ask(question)?;
        wall.push(begin.elapsed().as_secs_f64() * 1e3);
        cpu.push(engine.ask_time()?.saturating_sub(used).as_secs_f64() * 1e3);
    }
    Ok(Asked { wall: measure::median(wall), cpu: measure::median(cpu), found })
}

fn summary<'a>(asked: impl Iterator<Item = &'a Asked>) -> Times {
    let asked: Vec<&Asked> = asked.collect();
    let percentile = |percent: usize, value: &dyn Fn(&Asked) -> f64| {
        let mut values: Vec<f64> = asked.iter().map(|asked| value(asked)).collect();
        values.sort_unstable_by(f64::total_cmp);
        let place = (values.len() * percent / 100).min(values.len().saturating_sub(1));
        rounded(values.get(place).copied().unwrap_or_default())
    };
    Times {
        questions: asked.len(),
        p50_ms: percentile(50, &|asked| asked.wall),
        p99_ms: percentile(99, &|asked| asked.wall),
        cpu_p50_ms: percentile(50, &|asked| asked.cpu),
        cpu_p99_ms: percentile(99, &|asked| asked.cpu),
        found: (asked.iter().map(|asked| asked.found).sum::<usize>() as f64 / asked.len().max(1) as f64)
            .round(),
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
