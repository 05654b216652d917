//! Measures how an engine matches tenders with stored alerts: `matching --help`. Prints one line of
//! JSON and writes the pairs. The library does the measuring.

use anyhow::Result;
use benches::{
    engine::{self, EngineMeasurement, EngineName, MeasurementLimits},
    measure::{self, Cost},
    pairs,
    workload::Workload,
};
use clap::Parser;
use serde::Serialize;
use std::{path::PathBuf, process::ExitCode, time::Duration};
use tender_model::vocabulary::{Moment, Rates};

/// Matches tenders with stored alerts on one thread and prints the costs as one line of JSON. CPU
/// times are per tender (µs), for registering all alerts (ms) and for replacing one (µs). Memory
/// is in MB. The times per tender and per replacement are medians over several rounds.
#[derive(Parser)]
#[command(name = "matching")]
struct Arguments {
    /// Tenders, one JSON object per line, plain or gzip
    #[arg(long, value_name = "FILE")]
    tenders: PathBuf,
    /// Alerts, one JSON object per line, plain or gzip; those with `isActive: false` are skipped
    #[arg(long, value_name = "FILE")]
    alerts: PathBuf,
    /// The time of matching, such as 2026-11-20T09:00:00+05:30
    #[arg(long, value_name = "RFC3339")]
    now: Moment,
    /// Exchange rates to rupees, such as USD:300,EUR:330
    #[arg(long, value_name = "RATES")]
    rates: Option<Rates>,
    /// Use only the first N lines of the alerts
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    alerts_limit: usize,
    /// Add alerts that combine those of the file, until there are N
    #[arg(long, value_name = "N")]
    mix_alerts: Option<usize>,
    /// Use only the alerts of one of N shards, as a process that holds one shard does
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=64))]
    shards: usize,
    /// Use only the first N lines of the tenders
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    tenders_limit: usize,
    /// Write the pairs to this file, one line `tender alert` each, sorted
    #[arg(long, value_name = "FILE")]
    pairs: Option<PathBuf>,
    /// The engine to measure
    #[arg(long, value_enum, default_value = "ours")]
    engine: EngineName,
    /// The engine's variant, if it has several; see the README [default: the fastest]
    #[arg(long)]
    variant: Option<String>,
    /// The maximum number of rounds over all tenders; the results are medians
    #[arg(long, value_name = "N", default_value_t = 5)]
    rounds: usize,
    /// Start no further round after this many seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    patience: u64,
}

fn main() -> ExitCode {
    match measure_engine(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("matching: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn measure_engine(arguments: &Arguments) -> Result<()> {
    let mut workload = Workload::open(
        (&arguments.alerts, &arguments.tenders),
        (arguments.alerts_limit, arguments.tenders_limit),
        (arguments.now, arguments.rates.clone().unwrap_or_default()),
    )?;
    if let Some(count) = arguments.mix_alerts {
        workload.mix_alerts(count)?;
    }
    workload.use_first_shard(arguments.shards);
    let limits =
        MeasurementLimits { rounds: arguments.rounds, timeout: Duration::from_secs(arguments.patience) };
    let measured = engine::run(arguments.engine, arguments.variant.as_deref(), &workload, limits)?;
    let lines = pairs::lines(&measured.pairs, &workload.tender_ids, &measured.alert_ids);
    if let Some(path) = &arguments.pairs {
        pairs::write(path, &lines)?;
    }
    println!("{}", serde_json::to_string(&report(arguments.engine, &workload, measured, &lines))?);
    Ok(())
}

/// The printed line.
#[derive(Serialize)]
struct Report {
    engine: String,
    tenders: usize,
    alerts: usize,
    pairs: usize,
    sha256: String,
    register_ms: f64,
    cpu_us_per_tender: Cost,
    update_us: f64,
    /// The memory added by the alerts.
    rss_mb: f64,
    rss_total_mb: f64,
    split_us_per_tender: f64,
    /// The CPU time divided by the time for splitting: the median of the rounds.
    times_split: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    counters_per_tender: Option<CountersPerTender>,
    rounds: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
}

#[derive(Serialize)]
struct CountersPerTender {
    candidates: f64,
    verified: f64,
    matched: f64,
}

fn report(engine: EngineName, workload: &Workload, measured: EngineMeasurement, lines: &str) -> Report {
    let tenders = workload.tenders.len();
    let (cost, split, ratio) = measure::summarize(&measured.rounds, tenders);
    let each = |number: usize| rounded(number as f64 / tenders as f64);
    Report {
        engine: engine.to_string(),
        tenders,
        alerts: measured.alert_ids.len(),
        pairs: measured.pairs.len(),
        sha256: pairs::sha256(lines),
        register_ms: rounded(measured.register.as_secs_f64() * 1e3),
        cpu_us_per_tender: Cost { mean: rounded(cost.mean), p50: rounded(cost.p50), p99: rounded(cost.p99) },
        update_us: rounded(measured.update.as_secs_f64() * 1e6),
        rss_mb: rounded(measured.added_mb),
        rss_total_mb: rounded(measured.total_mb),
        split_us_per_tender: rounded(split),
        times_split: rounded(ratio),
        counters_per_tender: measured.counters.map(|counters| CountersPerTender {
            candidates: each(counters.candidates),
            verified: each(counters.verified),
            matched: each(counters.matched),
        }),
        rounds: measured.rounds.len(),
        variant: measured.variant,
    }
}

fn rounded(number: f64) -> f64 {
    (number * 1000.0).round() / 1000.0
}
