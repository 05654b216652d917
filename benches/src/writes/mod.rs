//! How many changes a second the database takes. Every change of a tender or an alert locks one row, the
//! head of the log, until its commit is on the disk. So the changes wait for each other, and the disk
//! decides. The second such row is the count of a caller's requests. Postgres writes each commit to the disk.

mod statements;

use crate::{
    mails::{portal, store::Store},
    measure::median,
    server::Server,
    workload::lines,
};
use anyhow::{Context, Result, ensure};
use jiff::Timestamp;
use postgres::{Client, NoTls};
use serde::Serialize;
use serde_json::{Value, json};
use statements::{Log, PREPARE, Sequencer, Writer};
use std::{
    fmt::Write as _,
    path::PathBuf,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::{Duration, Instant},
};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The tenders that each connection changes in turn.
const TENDERS_PER_CONNECTION: usize = 20;

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct WritesPlan {
    /// The portal's executable, which creates the schema.
    pub api: PathBuf,
    /// The file of the tenders that are changed.
    pub tenders: PathBuf,
    /// The numbers of connections.
    pub connections: Vec<usize>,
    /// The times in microseconds that are added to the flush of a commit, as with a slower disk.
    pub flush_us: Vec<u32>,
    /// The changes a second of the runs at a fixed rate.
    pub rate: u32,
    /// The length of each run.
    pub duration: Duration,
    /// The number of rounds. The results are medians.
    pub rounds: usize,
}

/// The results of a measurement.
#[derive(Debug, Serialize)]
pub struct WritesMeasurement {
    rounds: usize,
    seconds: f64,
    rows: Vec<Row>,
}

/// The medians for one kind of write.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    case: Case,
    writes_a_second: f64,
    p50_ms: f64,
    p99_ms: f64,
    /// For a queue, the longest time that a change waited for its place.
    queued_ms: Option<f64>,
}

/// What the connections write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Write {
    /// Changes of tenders, with this number in a transaction.
    Changes { log: Log, in_transaction: usize },
    /// The requests of one caller, or of a caller for each connection.
    Requests { one_caller: bool },
}

#[derive(Debug, Clone, Copy, Serialize)]
struct Case {
    write: Write,
    connections: usize,
    flush_us: u32,
    /// `None`: as fast as possible.
    rate: Option<u32>,
}

/// What a run measured.
struct Run {
    writes: usize,
    elapsed: Duration,
    /// The times of the transactions, in order.
    times: Vec<Duration>,
    queued_s: Option<f64>,
}

/// Runs the measurement.
pub fn run(plan: &WritesPlan, server: &Server) -> Result<WritesMeasurement> {
    let most = plan.connections.iter().copied().max().context("there is no number of connections")?;
    let mut store = Store::create(server)?;
    portal::run(&plan.api, store.url(), &["migrate"])?;
    let records = lines(&plan.tenders)?.map(|line| Ok(serde_json::from_str(&line?.1)?));
    let records = records.collect::<Result<Vec<Value>>>()?;
    let tenders = fill(&mut store, &records, most * TENDERS_PER_CONNECTION)?;
    Client::connect(store.url(), NoTls)?.batch_execute(PREPARE)?;

    let writes = [
        Write::Changes { log: Log::Head, in_transaction: 1 },
        Write::Changes { log: Log::Queue, in_transaction: 1 },
        Write::Changes { log: Log::None, in_transaction: 1 },
        Write::Changes { log: Log::Head, in_transaction: 10 },
        Write::Requests { one_caller: true },
        Write::Requests { one_caller: false },
    ];
    let mut cases = Vec::new();
    for flush_us in &plan.flush_us {
        for write in writes {
            let fastest = plan.connections.iter().map(|connections| Case {
                write,
                connections: *connections,
                flush_us: *flush_us,
                rate: None,
            });
            cases.extend(fastest);
            if matches!(write, Write::Changes { in_transaction: 1, .. }) {
                cases.push(Case { write, connections: most, flush_us: *flush_us, rate: Some(plan.rate) });
            }
        }
    }
    let mut runs: Vec<Vec<Run>> = cases.iter().map(|_| Vec::new()).collect();
    for round in 0..plan.rounds {
        for (case, runs) in cases.iter().zip(&mut runs) {
            let run =
                measure(store.url(), &tenders, *case, plan.duration).with_context(|| format!("{case:?}"))?;
            eprintln!("round {}: {case:?}: {:.0} writes/s", round + 1, run.writes_a_second());
            runs.push(run);
        }
    }
    let rows = cases.iter().zip(&runs).map(|(case, runs)| Row::of(*case, runs)).collect();
    Ok(WritesMeasurement { rounds: plan.rounds, seconds: plan.duration.as_secs_f64(), rows })
}

/// Stores tenders. Returns their ids and records.
fn fill(store: &mut Store, records: &[Value], count: usize) -> Result<Vec<(String, String)>> {
    ensure!(!records.is_empty(), "the file contains no tender");
    #[expect(clippy::disallowed_methods, reason = "the tenders are published now")]
    let published = serde_json::to_value(Moment::new(Timestamp::now()))?;
    let tenders = records.iter().cycle().take(count).enumerate().map(|(nth, record)| {
        let id = Uuid::from_u128(7 << 76 | 2 << 62 | nth as u128);
        let mut record = record.clone();
        (record["_id"], record["status"]) = (json!(id), json!("published"));
        record["publishedAt"] = published.clone();
        (id.to_string(), record.to_string())
    });
    let tenders: Vec<(String, String)> = tenders.collect();
    let texts: Vec<String> = tenders.iter().map(|(_, record)| record.clone()).collect();
    store.fill_tenders(&texts)?;
    store.analyze()?;
    Ok(tenders)
}

fn measure(url: &str, tenders: &[(String, String)], case: Case, duration: Duration) -> Result<Run> {
    let connect = || Client::connect(url, NoTls).with_context(|| format!("no connection to {url}"));
    let writers = (0..case.connections).map(|_| Writer::new(connect()?, case.flush_us));
    let writers = writers.collect::<Result<Vec<_>>>()?;
    let queue = matches!(case.write, Write::Changes { log: Log::Queue, .. });
    let sequencer = if queue { Some(Sequencer::new(connect()?, case.flush_us)?) } else { None };
    let is_over = AtomicBool::new(false);
    let begin = Instant::now();
    thread::scope(|scope| {
        let sequencer = sequencer.map(|sequencer| scope.spawn(|| sequence(sequencer, &is_over)));
        let writing: Vec<_> = writers
            .into_iter()
            .enumerate()
            .map(|(nth, writer)| {
                let own = tenders.chunks(TENDERS_PER_CONNECTION).nth(nth).unwrap_or_default();
                let pace = case.rate.map(|rate| Pace::of(nth, case.connections, rate));
                scope.spawn(move || write(writer, nth, own, case.write, begin, duration, pace))
            })
            .collect();
        let times = writing.into_iter().map(|writing| joined(writing.join())).collect::<Result<Vec<_>>>();
        let elapsed = begin.elapsed();
        is_over.store(true, Ordering::Relaxed);
        let queued_s = sequencer.map(|sequencer| joined(sequencer.join())).transpose()?;
        let mut times = times?.concat();
        times.sort_unstable();
        let in_transaction = match case.write {
            Write::Changes { in_transaction, .. } => in_transaction,
            Write::Requests { .. } => 1,
        };
        Ok(Run { writes: times.len() * in_transaction, elapsed, times, queued_s })
    })
}

/// Flattens the result of a thread.
fn joined<T>(result: thread::Result<Result<T>>) -> Result<T> {
    result.map_err(|_| anyhow::anyhow!("a thread panicked"))?
}

/// When the transactions of a connection are due.
#[derive(Debug, Clone, Copy)]
struct Pace {
    first: Duration,
    every: Duration,
}

impl Pace {
    /// Divides a rate among connections, whose transactions are due one after the other.
    fn of(nth: usize, connections: usize, rate: u32) -> Self {
        let between = Duration::from_secs(1) / rate.max(1);
        Self { first: between * nth as u32, every: between * connections as u32 }
    }
}

/// Writes until the time is over. Returns how long each transaction took. At a fixed rate, this includes the
/// time for which it was late.
fn write(
    mut writer: Writer,
    nth: usize,
    tenders: &[(String, String)],
    write: Write,
    begin: Instant,
    duration: Duration,
    pace: Option<Pace>,
) -> Result<Vec<Duration>> {
    let own_caller = nth.to_be_bytes().repeat(4);
    let mut times = Vec::new();
    for count in 0.. {
        let mut due = begin.elapsed();
        if let Some(Pace { first, every }) = pace {
            due = first + every * count as u32;
            thread::sleep(due.saturating_sub(begin.elapsed()));
        }
        if due >= duration {
            break;
        }
        match write {
            Write::Changes { log, in_transaction } => {
                let chosen = tenders.iter().cycle().skip(count * in_transaction % tenders.len());
                let chosen = chosen.take(in_transaction).map(|(id, record)| (id.as_str(), record.as_str()));
                writer.change(&chosen.collect::<Vec<_>>(), log)?;
            }
            Write::Requests { one_caller } => {
                writer.count(if one_caller { &[0; 32] } else { &own_caller })?;
            }
        }
        times.push(begin.elapsed().saturating_sub(due));
    }
    Ok(times)
}

/// Moves changes until all writers have ended and the queue is empty. Returns the longest wait of a change.
fn sequence(mut sequencer: Sequencer, is_over: &AtomicBool) -> Result<f64> {
    let mut longest: f64 = 0.0;
    loop {
        let was_over = is_over.load(Ordering::Relaxed);
        let (moved, waited) = sequencer.take()?;
        longest = longest.max(waited);
        if moved == 0 {
            if was_over {
                return Ok(longest);
            }
            // The portal would wait for a notification.
            thread::sleep(Duration::from_millis(1));
        }
    }
}

impl Run {
    fn writes_a_second(&self) -> f64 {
        self.writes as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    fn time_ms(&self, share: f64) -> f64 {
        let place = (self.times.len() as f64 * share) as usize;
        self.times
            .get(place.min(self.times.len().saturating_sub(1)))
            .map_or(0.0, |time| time.as_secs_f64() * 1e3)
    }
}

impl Row {
    fn of(case: Case, runs: &[Run]) -> Self {
        let over = |value: &dyn Fn(&Run) -> f64| median(runs.iter().map(value).collect());
        let queued = runs.iter().filter_map(|run| run.queued_s).map(|seconds| seconds * 1e3).reduce(f64::max);
        Self {
            case,
            writes_a_second: over(&Run::writes_a_second),
            p50_ms: over(&|run| run.time_ms(0.5)),
            p99_ms: over(&|run| run.time_ms(0.99)),
            queued_ms: queued,
        }
    }
}

/// The results as a table in Markdown.
#[must_use]
pub fn table(measured: &WritesMeasurement) -> String {
    let mut table = String::from(
        "| flush + | write | connections | rate | writes/s | p50, p99 (ms) | queued at most |\n|---|---|---|---|---|---|---|\n",
    );
    for row in &measured.rows {
        let what = match row.case.write {
            Write::Changes { log: Log::Head, in_transaction: 1 } => "change".to_owned(),
            Write::Changes { log: Log::Head, in_transaction } => format!("change, {in_transaction} at once"),
            Write::Changes { log: Log::Queue, .. } => "change, queued".to_owned(),
            Write::Changes { log: Log::None, .. } => "change without the log".to_owned(),
            Write::Requests { one_caller: true } => "request of one caller".to_owned(),
            Write::Requests { one_caller: false } => "request of many callers".to_owned(),
        };
        let rate = row.case.rate.map_or_else(|| "all".to_owned(), |rate| format!("{rate}/s"));
        let queued = row.queued_ms.map_or_else(String::new, |queued| format!("{queued:.0} ms"));
        let _ = writeln!(
            table,
            "| {} µs | {what} | {} | {rate} | {:.0} | {:.1}, {:.1} | {queued} |",
            row.case.flush_us, row.case.connections, row.writes_a_second, row.p50_ms, row.p99_ms
        );
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_share_a_rate_in_turn() {
        let paces: Vec<Pace> = (0..4).map(|nth| Pace::of(nth, 4, 500)).collect();
        assert_eq!(paces[1].first, Duration::from_millis(2));
        assert!(paces.iter().all(|pace| pace.every == Duration::from_millis(8)));
    }
}
