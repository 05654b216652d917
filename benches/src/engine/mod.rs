//! The engines, behind one trait, and the one way in which all of those that answer in this process are measured. An engine that
//! runs in a process of its own measures itself and answers with the same [`Measured`].

mod lucene;
mod ours;
mod postgres;
mod tantivy;

use crate::{
    measure::{self, Round},
    server::Server,
    workload::Workload,
};
use anyhow::{Result, bail};
use clap::ValueEnum;
use index::{alert::AlertQuery, percolate::PercolationCounters, tender::Tender};
use std::{
    fmt,
    hint::black_box,
    time::{Duration, Instant},
};

/// An engine, by the name the command line gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// `index::percolate::Percolator`.
    Ours,
    /// An index of one document for each tender, and every alert's query run on it.
    Tantivy,
    /// Stored `tsquery`s in a private Postgres.
    Postgres,
    /// Lucene Monitor, on the JVM.
    LuceneMonitor,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// How long to measure.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Passes over all tenders, at most; the figures are the median's.
    pub rounds: usize,
    /// No further pass begins after this.
    pub patience: Duration,
}

/// What an engine did and what it cost.
#[derive(Debug, Default)]
pub struct Measured {
    /// The alerts' own ids, by number.
    pub alert_ids: Vec<String>,
    /// Tender and alert, by number.
    pub pairs: Vec<(u32, u32)>,
    /// CPU time until all alerts, in memory already, were registered.
    pub register: Duration,
    /// The passes over the tenders.
    pub rounds: Vec<Round>,
    /// CPU time of replacing one alert by another: the mean, the median of the rounds.
    pub update: Duration,
    /// MB of memory that the alerts took.
    pub added_mb: f64,
    /// MB of memory of the whole process with the alerts registered.
    pub total_mb: f64,
    /// The engine's own counters, over all tenders, as far as it has any.
    pub counters: Option<PercolationCounters>,
    /// How the engine was tuned, where there are several ways.
    pub variant: Option<String>,
}

/// Something that holds alerts, by number, and says which of them a tender matches.
trait Engine {
    /// Adds an alert, or puts another in its place.
    fn put(&mut self, alert: u32, query: &AlertQuery) -> Result<()>;

    /// Makes what was put take part in matching; called after one put or many.
    fn settle(&mut self) -> Result<()> {
        Ok(())
    }

    /// Appends the alerts that match the tender.
    fn percolate(&mut self, tender: &Tender, found: &mut Vec<u32>) -> Result<PercolationCounters>;

    /// MB of memory that the alerts take, where the engine knows, and of the process that matches.
    fn size(&mut self) -> Result<(Option<f64>, f64)> {
        Ok((None, measure::resident("self")?))
    }

    /// How it is tuned, where there are several ways.
    fn variant(&self) -> Option<String> {
        None
    }

    /// The CPU time used so far by whoever does the work of matching.
    fn time(&self) -> Result<Duration> {
        Ok(measure::thread_time())
    }
}

/// Replacements that are timed together.
const UPDATES: usize = 1000;

/// Measures an engine over a workload, in its best variant or the one named.
///
/// # Errors
/// When the workload can't be read, or the engine fails.
pub fn run(name: Name, variant: Option<&str>, workload: &Workload, effort: Effort) -> Result<Measured> {
    match name {
        Name::Ours => in_process(|| Ok(ours::Ours::new(workload)), workload, effort),
        Name::Tantivy => in_process(|| Ok(tantivy::Tantivy::new(workload)), workload, effort),
        Name::Postgres => {
            let server = Server::new(None)?;
            in_process(|| postgres::Postgres::new(&server, workload, variant), workload, effort)
        }
        Name::LuceneMonitor => lucene::run(workload, effort, variant.unwrap_or(lucene::BEST)),
    }
}

/// Two engines are made: one is filled straight from the file, with nothing else in memory, which is how its memory can be seen;
/// one from alerts that are in memory already, which is how its time can.
fn in_process<E: Engine>(
    make: impl Fn() -> Result<E>,
    workload: &Workload,
    effort: Effort,
) -> Result<Measured> {
    let mut measured = Measured::default();
    let before = measure::resident("self")?;
    let mut engine = make()?;
    for (number, alert) in workload.alerts()?.enumerate() {
        let alert = alert?;
        engine.put(number as u32, &alert.query)?;
        measured.alert_ids.push(alert.id);
    }
    engine.settle()?;
    let (own, total) = engine.size()?;
    measured.total_mb = total;
    measured.added_mb = own.unwrap_or(total - before);
    measured.variant = engine.variant();
    if measured.alert_ids.is_empty() {
        bail!("there is no active alert");
    }

    let queries: Vec<AlertQuery> =
        workload.alerts()?.map(|alert| alert.map(|alert| alert.query)).collect::<Result<_>>()?;
    let mut other = make()?;
    let start = other.time()?;
    for (number, query) in queries.iter().enumerate() {
        other.put(number as u32, query)?;
    }
    other.settle()?;
    measured.register = other.time()? - start;
    drop(other);

    let mut counters = PercolationCounters::default();
    for (number, tender) in workload.tenders.iter().enumerate() {
        let mut found = Vec::new();
        let here = engine.percolate(tender, &mut found)?;
        counters.candidates += here.candidates;
        counters.verified += here.verified;
        counters.matched += here.matched;
        measured.pairs.extend(found.into_iter().map(|alert| (number as u32, alert)));
    }
    measured.counters = (counters.matched > 0).then_some(counters);

    let begin = Instant::now();
    let mut updates = Vec::new();
    while measured.rounds.len() < effort.rounds
        && (measured.rounds.is_empty() || begin.elapsed() < effort.patience)
    {
        measured.rounds.push(round(&mut engine, workload)?);
        updates.push(update(&mut engine, &queries)?.as_secs_f64());
    }
    measured.update = Duration::from_secs_f64(measure::median(updates));
    Ok(measured)
}

fn round(engine: &mut impl Engine, workload: &Workload) -> Result<Round> {
    let mut found = Vec::new();
    let start = engine.time()?;
    for tender in &workload.tenders {
        found.clear();
        engine.percolate(tender, &mut found)?;
        black_box(&found);
    }
    let whole = engine.time()? - start;
    let split = measure::split_time(&workload.tenders);
    let mut each = Vec::with_capacity(workload.tenders.len());
    for tender in &workload.tenders {
        found.clear();
        let start = engine.time()?;
        engine.percolate(tender, &mut found)?;
        each.push(engine.time()? - start);
        black_box(&found);
    }
    Ok(Round { whole, each, split })
}

/// Replaces alerts by the one halfway through the list from it, and back again; each replacement takes part at once.
fn update(engine: &mut impl Engine, queries: &[AlertQuery]) -> Result<Duration> {
    let count = UPDATES.min(queries.len());
    let step = queries.len() / count;
    let (mut spent, mut done) = (Duration::ZERO, 0u32);
    for offset in [queries.len() / 2, 0] {
        for index in (0..count).map(|index| index * step) {
            let start = engine.time()?;
            engine.put(index as u32, &queries[(index + offset) % queries.len()])?;
            engine.settle()?;
            spent += engine.time()? - start;
            done += 1;
        }
    }
    Ok(spent / done.max(1))
}
