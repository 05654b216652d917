//! The matching engines behind one trait, and their measurement. Lucene Monitor does not implement
//! the trait. Its program measures itself, and the results are returned as an
//! [`EngineMeasurement`].

mod lucene;
mod opensearch;
mod ours;
mod postgres;
mod tantivy;

use crate::{
    measure::{self, RoundTimes},
    search_node::SearchNode,
    server::Server,
    workload::Workload,
};
use anyhow::{Result, bail};
use clap::ValueEnum;
use index::percolate::PercolationCounters;
use std::{
    fmt,
    hint::black_box,
    time::{Duration, Instant},
};
use tender_model::{alert::AlertQuery, tender::Tender};

/// An engine, by its name on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineName {
    /// `index::percolate::Percolator`.
    Ours,
    /// A Tantivy index of one document per tender, against which every alert's query runs.
    Tantivy,
    /// `tsquery`s stored in a private Postgres.
    Postgres,
    /// Lucene Monitor, on the JVM.
    LuceneMonitor,
    /// The percolator of a private OpenSearch node, on the JVM.
    #[value(name = "opensearch")]
    OpenSearch,
}

impl fmt::Display for EngineName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_possible_value().map_or(Ok(()), |value| f.write_str(value.get_name()))
    }
}

/// The limits of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct MeasurementLimits {
    /// The maximum number of rounds over all tenders. The results are medians over the rounds.
    pub rounds: usize,
    /// No further round starts after this time.
    pub timeout: Duration,
}

/// The results and costs of an engine.
#[derive(Debug, Default)]
pub struct EngineMeasurement {
    /// The alerts' ids, by number.
    pub alert_ids: Vec<String>,
    /// The matching tenders and alerts, by number.
    pub pairs: Vec<(u32, u32)>,
    /// CPU time for registering all alerts from memory.
    pub register: Duration,
    /// The times of the rounds over the tenders.
    pub rounds: Vec<RoundTimes>,
    /// The CPU time for replacing one alert: the median, over the rounds, of the mean time in a
    /// round. For Lucene Monitor, the median of single replacements.
    pub update: Duration,
    /// The memory of the alerts in MB.
    pub added_mb: f64,
    /// The memory of the whole matching process with all alerts in MB.
    pub total_mb: f64,
    /// The engine's own counters over all tenders, if it has any.
    pub counters: Option<PercolationCounters>,
    /// The engine's variant, if it has several.
    pub variant: Option<String>,
}

/// An engine that stores numbered alerts and returns those that match a tender.
trait Engine {
    /// Adds or replaces an alert.
    fn put(&mut self, alert: u32, query: &AlertQuery) -> Result<()>;

    /// Applies the preceding calls of `put`.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    /// Appends the alerts that match the tender.
    fn percolate(&mut self, tender: &Tender, found: &mut Vec<u32>) -> Result<PercolationCounters>;

    /// Returns the memory of the alerts, if known, and of the matching process, both in MB.
    fn memory(&mut self) -> Result<(Option<f64>, f64)> {
        Ok((None, measure::resident("self")?))
    }

    /// Returns the variant, if there are several.
    fn variant(&self) -> Option<String> {
        None
    }

    /// Returns the CPU time used for matching so far.
    fn cpu_time(&self) -> Result<Duration> {
        Ok(measure::thread_time())
    }
}

/// The maximum number of timed replacements in each direction of a round.
const UPDATES_PER_ROUND: usize = 1000;

/// Measures an engine with a workload, in the given variant or in the fastest variant.
pub fn run(
    name: EngineName,
    variant: Option<&str>,
    workload: &Workload,
    limits: MeasurementLimits,
) -> Result<EngineMeasurement> {
    match name {
        EngineName::Ours => measure_in_process(|| Ok(ours::Ours::new(workload)), workload, limits),
        EngineName::Tantivy => measure_in_process(|| Ok(tantivy::Tantivy::new(workload)), workload, limits),
        EngineName::Postgres => {
            let server = Server::new(None)?;
            measure_in_process(|| postgres::Postgres::new(&server, workload, variant), workload, limits)
        }
        EngineName::OpenSearch => {
            let node = SearchNode::start()?;
            measure_in_process(|| opensearch::Percolator::new(&node, workload), workload, limits)
        }
        EngineName::LuceneMonitor => {
            lucene::run(workload, limits, variant.unwrap_or(lucene::FASTEST_VARIANT))
        }
    }
}

/// Measures an engine with two instances. The first is filled from the file, before the queries
/// are in memory, and serves to measure memory, matching and replacing. The second is filled from
/// queries in memory and serves only to measure the time of registering.
fn measure_in_process<E: Engine>(
    make: impl Fn() -> Result<E>,
    workload: &Workload,
    limits: MeasurementLimits,
) -> Result<EngineMeasurement> {
    let mut measured = EngineMeasurement::default();
    let before = measure::resident("self")?;
    let mut engine = make()?;
    for (number, alert) in workload.alerts()?.enumerate() {
        let alert = alert?;
        engine.put(number as u32, &alert.query)?;
        measured.alert_ids.push(alert.id);
    }
    engine.flush()?;
    let (own, total) = engine.memory()?;
    measured.total_mb = total;
    measured.added_mb = own.unwrap_or(total - before);
    measured.variant = engine.variant();
    if measured.alert_ids.is_empty() {
        bail!("there is no active alert");
    }

    let queries: Vec<AlertQuery> =
        workload.alerts()?.map(|alert| alert.map(|alert| alert.query)).collect::<Result<_>>()?;
    let mut timed_engine = make()?;
    let start = timed_engine.cpu_time()?;
    for (number, query) in queries.iter().enumerate() {
        timed_engine.put(number as u32, query)?;
    }
    timed_engine.flush()?;
    measured.register = timed_engine.cpu_time()? - start;
    drop(timed_engine);

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
    while measured.rounds.len() < limits.rounds
        && (measured.rounds.is_empty() || begin.elapsed() < limits.timeout)
    {
        measured.rounds.push(measure_round(&mut engine, workload)?);
        updates.push(measure_update(&mut engine, &queries)?.as_secs_f64());
    }
    measured.update = Duration::from_secs_f64(measure::median(updates));
    Ok(measured)
}

fn measure_round(engine: &mut impl Engine, workload: &Workload) -> Result<RoundTimes> {
    let mut found = Vec::new();
    let start = engine.cpu_time()?;
    for tender in &workload.tenders {
        found.clear();
        engine.percolate(tender, &mut found)?;
        black_box(&found);
    }
    let whole = engine.cpu_time()? - start;
    let split = measure::split_time(&workload.tenders);
    let mut each = Vec::with_capacity(workload.tenders.len());
    for tender in &workload.tenders {
        found.clear();
        let start = engine.cpu_time()?;
        engine.percolate(tender, &mut found)?;
        each.push(engine.cpu_time()? - start);
        black_box(&found);
    }
    Ok(RoundTimes { whole, each, split })
}

/// Replaces alerts by others that are half the list away, and then back. Each replacement takes
/// effect at once. Returns the mean time.
fn measure_update(engine: &mut impl Engine, queries: &[AlertQuery]) -> Result<Duration> {
    let count = UPDATES_PER_ROUND.min(queries.len());
    let step = queries.len() / count;
    let (mut spent, mut done) = (Duration::ZERO, 0u32);
    for offset in [queries.len() / 2, 0] {
        for index in (0..count).map(|index| index * step) {
            let start = engine.cpu_time()?;
            engine.put(index as u32, &queries[(index + offset) % queries.len()])?;
            engine.flush()?;
            spent += engine.cpu_time()? - start;
            done += 1;
        }
    }
    Ok(spent / done.max(1))
}
