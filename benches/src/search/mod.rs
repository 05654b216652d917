//! Search measured: the same tenders put into each engine, the same questions asked of it, every answer with a page of tenders, their
//! number, and the facets. What is asked is `questions`' part.

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

/// Tenders on a page.
const PAGE: usize = 20;
/// Cities, organisations and newspapers counted, at most.
const NAMES: usize = 10;
/// Tenders made at a time while an engine is filled.
const BATCH: usize = 5000;

/// An engine, by the name the command line gives it.
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

/// What is measured.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// How many tenders.
    pub size: usize,
    /// The moment of asking.
    pub now: Moment,
    /// How often each question is asked; its time is the median's.
    pub rounds: usize,
    /// Threads that index for ours, beside the one that hands them the tenders.
    pub threads: usize,
}

/// What was measured.
#[derive(Debug, Serialize)]
pub struct Report {
    engine: String,
    tenders: usize,
    /// Tenders a second while filling, by the clock on the wall; making them is not counted.
    tenders_per_s: f64,
    /// CPU time of filling.
    fill_cpu_s: f64,
    /// The tenders as JSON.
    json_mb: f64,
    /// What the engine wrote on disk.
    index_mb: f64,
    index_to_json: f64,
    /// Resident memory of the process that answers, at the end.
    rss_mb: f64,
    /// By the kind of question; `all` but the empty one are `asked`.
    classes: BTreeMap<String, Times>,
}

/// Times of one kind of question, in milliseconds.
#[derive(Debug, Serialize)]
pub struct Times {
    questions: usize,
    /// By the clock on the wall.
    p50_ms: f64,
    p99_ms: f64,
    /// CPU time.
    cpu_p50_ms: f64,
    cpu_p99_ms: f64,
    /// Tenders found, on average.
    found: f64,
}

/// Something that can be filled with tenders and asked.
trait Engine {
    /// Takes in some tenders.
    fn add(&mut self, tenders: &[Tender]) -> Result<()>;

    /// Makes everything ready to be asked.
    fn finish(&mut self) -> Result<()>;

    /// Bytes on disk.
    fn bytes(&mut self) -> Result<u64>;

    /// Makes ready what could be made ready before a question comes; its time isn't counted.
    fn prepare(&mut self, _question: &Question) -> Result<()> {
        Ok(())
    }

    /// A page, facets, and the number of tenders, which is what is handed back.
    fn ask(&mut self, question: &Question) -> Result<usize>;

    /// The CPU time used so far by whoever fills.
    fn fill_time(&self) -> Result<Duration>;

    /// The CPU time used so far by whoever answers.
    fn ask_time(&self) -> Result<Duration>;

    /// MB of memory of the process that answers.
    fn memory(&self) -> Result<f64>;
}

/// Fills an engine (Postgres at the URL, or a private one) and asks it all questions; answers the report and, question by question, how many tenders were found.
///
/// # Errors
/// When the engine fails.
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

/// One question's medians, in milliseconds.
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
