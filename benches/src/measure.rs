//! Clocks, memory and statistics.

use anyhow::{Context, Result};
use rustix::time::{ClockId, clock_gettime};
use serde::Serialize;
use std::{fs, hint::black_box, path::Path, time::Duration};
use tender_model::tender::Tender;

use crate::workload::Workload;

/// Returns the CPU time of this thread.
#[must_use]
pub fn thread_time() -> Duration {
    read_clock(ClockId::ThreadCPUTime)
}

/// Returns the CPU time of all threads of this process.
#[must_use]
pub fn process_time() -> Duration {
    read_clock(ClockId::ProcessCPUTime)
}

fn read_clock(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec.unsigned_abs() as u32)
}

/// Returns the resident memory of a process (`self` or its id) in MB (10^6 bytes).
pub fn resident(process: &str) -> Result<f64> {
    memory(process, "VmRSS:")
}

/// Returns the peak of the resident memory of a process (`self` or its id) in MB (10^6 bytes).
pub fn peak_resident(process: &str) -> Result<f64> {
    memory(process, "VmHWM:")
}

fn memory(process: &str, field: &str) -> Result<f64> {
    let path = format!("/proc/{process}/status");
    let status = fs::read_to_string(&path).with_context(|| format!("{path} can't be read"))?;
    let kilobytes = status
        .lines()
        .find_map(|line| line.strip_prefix(field)?.trim().strip_suffix(" kB")?.parse::<f64>().ok())
        .with_context(|| format!("{path} has no {field}"))?;
    Ok(kilobytes * 1024.0 / 1e6)
}

/// The times of one round over all tenders.
#[derive(Debug, Clone, Default)]
pub struct RoundTimes {
    /// The CPU time of a pass that reads the clock only at its start and at its end.
    pub whole: Duration,
    /// The CPU time of each tender, from a separate pass.
    pub each: Vec<Duration>,
    /// The CPU time for splitting all texts at spaces. For an engine in this process, it is
    /// measured right after the pass. For Lucene Monitor, it is the mean of a measurement before
    /// its process starts and one after its process has ended.
    pub split: Duration,
}

/// CPU time in microseconds.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Cost {
    /// The mean per tender, from whole passes.
    pub mean: f64,
    /// The median of the single tenders.
    pub p50: f64,
    /// The 99th percentile of the single tenders.
    pub p99: f64,
}

/// Returns the medians over the rounds: the cost per tender, the time for splitting a tender's
/// texts, and their ratio.
#[must_use]
pub fn summarize(rounds: &[RoundTimes], tenders: usize) -> (Cost, f64, f64) {
    let micros = |duration: Duration| duration.as_secs_f64() * 1e6;
    let over = |value: &dyn Fn(&RoundTimes) -> f64| median(rounds.iter().map(value).collect());
    let percentile = |round: &RoundTimes, percent: usize| {
        let mut each = round.each.clone();
        each.sort_unstable();
        each.get((each.len() * percent / 100).min(each.len().saturating_sub(1))).copied().map_or(0.0, micros)
    };
    let cost = Cost {
        mean: over(&|round| micros(round.whole) / tenders as f64),
        p50: over(&|round| percentile(round, 50)),
        p99: over(&|round| percentile(round, 99)),
    };
    let split = over(&|round| micros(round.split) / tenders as f64);
    (cost, split, over(&|round| round.whole.as_secs_f64() / round.split.as_secs_f64().max(1e-12)))
}

/// Returns the median, or 0 if there are no values. For an even number of values, it is the upper
/// of the two middle values.
#[must_use]
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

/// Returns the CPU time for splitting the tenders' texts at spaces.
#[must_use]
pub fn split_time(tenders: &[Tender]) -> Duration {
    let before = thread_time();
    for tender in tenders {
        for text in Workload::texts(tender) {
            for word in text.split(' ') {
                black_box(word);
            }
        }
    }
    thread_time() - before
}

/// Returns the size of all files in a directory in bytes.
pub fn size_of(directory: &Path) -> Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() { size_of(&entry.path())? } else { metadata.len() };
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summary_uses_medians_over_the_rounds() {
        let round = |micros: u64| RoundTimes {
            whole: Duration::from_micros(micros * 100),
            each: (1..=100).map(|tender| Duration::from_micros(tender * micros)).collect(),
            split: Duration::from_micros(100),
        };
        let (cost, split, ratio) = summarize(&[round(9), round(1), round(2)], 100);
        assert_eq!((cost.mean, cost.p50, cost.p99), (2.0, 102.0, 200.0));
        assert_eq!((split, ratio), (1.0, 2.0));
    }

    #[test]
    fn process_reports_time_and_memory() {
        assert!(resident("self").unwrap() > 0.1);
        let before = thread_time();
        black_box((0..1_000_000u64).map(black_box).sum::<u64>());
        assert!(thread_time() > before && process_time() >= thread_time());
    }
}
