//! Measures the gauges of monitoring: the state of this process, and figures of the database. The
//! figures are read on a connection of their own, so that a scrape neither waits for requests nor
//! delays them. They are kept for some seconds, so that frequent scrapes do not load the database.

use crate::{
    app::{
        context::Context,
        metrics::gauges::{self, Gauges},
    },
    base::config::DatabaseConfig,
    clients::disk_space::DiskSpace,
    domain::{canary::CanaryState, channel::Channel, delivery::DeliveryState, newspaper_page::PageState},
    storage::{
        connect_options, error,
        monitored_figures::{self, MonitoredFigures},
    },
};
use jiff::Timestamp;
use sqlx::{ConnectOptions, PgConnection, PgPool, postgres::PgConnectOptions};
use std::time::{Duration, Instant};
use tokio::{sync::Mutex, time::timeout};

/// How long the figures of the database are used again.
const FIGURES_LIFETIME: Duration = Duration::from_secs(5);
/// The time limit of one statement, in milliseconds.
const STATEMENT_TIMEOUT_MS: &str = "2000";
/// The time limit of all statements together, including the connection.
const FIGURES_TIMEOUT: Duration = Duration::from_secs(4);
/// How long a scrape waits for a connection of a pool.
const POOL_TIMEOUT: Duration = Duration::from_secs(1);

/// The states of messages that are shown.
const MESSAGE_STATES: [DeliveryState; 5] = [
    DeliveryState::Open,
    DeliveryState::Sealed,
    DeliveryState::Leased,
    DeliveryState::Retry,
    DeliveryState::Dead,
];
/// The states of pages that are shown.
const PAGE_STATES: [PageState; 4] =
    [PageState::Waiting, PageState::Leased, PageState::Failed, PageState::SetAside];

/// Reads the figures of the database.
pub struct FiguresReader {
    options: PgConnectOptions,
    state: Mutex<ReaderState>,
}

#[derive(Default)]
struct ReaderState {
    /// `None` before the first reading, and after one that failed.
    connection: Option<PgConnection>,
    /// When the figures were last read, and what was found.
    last: Option<(Instant, Option<MonitoredFigures>)>,
}

impl FiguresReader {
    /// Creates the reader of a database.
    ///
    /// # Errors
    /// Fails if the URL is malformed.
    pub fn new(config: &DatabaseConfig) -> Result<Self, sqlx::Error> {
        let options = connect_options(config)?.options([("statement_timeout", STATEMENT_TIMEOUT_MS)]);
        Ok(Self { options, state: Mutex::default() })
    }

    /// The figures, and their age. `None`: they could not be read. A failure is also kept for some
    /// seconds. Callers that wait at the same time share one reading.
    pub async fn figures(&self, context: &Context) -> Option<(MonitoredFigures, Duration)> {
        let mut state = self.state.lock().await;
        if let Some((read_at, figures)) = &state.last
            && read_at.elapsed() < FIGURES_LIFETIME
        {
            let age = read_at.elapsed();
            return figures.clone().map(|figures| (figures, age));
        }
        // If the caller disconnects meanwhile, the connection is dropped.
        let connection = state.connection.take();
        let (connection, figures) = match timeout(FIGURES_TIMEOUT, self.read(connection, context)).await {
            Ok(Ok((connection, figures))) => (Some(connection), Some(figures)),
            Ok(Err(error)) => {
                tracing::debug!(%error, "the figures of monitoring cannot be read");
                (None, None)
            }
            Err(_) => (None, None),
        };
        state.connection = connection;
        state.last = Some((Instant::now(), figures.clone()));
        figures.map(|figures| (figures, Duration::ZERO))
    }

    async fn read(
        &self,
        connection: Option<PgConnection>,
        context: &Context,
    ) -> Result<(PgConnection, MonitoredFigures), sqlx::Error> {
        let mut connection = match connection {
            Some(connection) => connection,
            None => self.options.connect().await?,
        };
        let position = context.progress.index.borrow().position;
        let figures = monitored_figures::read(&mut connection, position, context.clock.now()).await?;
        Ok((connection, figures))
    }
}

/// Measures the state of this process.
pub fn measure_process(context: &Context, gauges: &mut Gauges) {
    let metrics = &context.metrics;
    gauges.set_with(gauges::BUILD_INFO, &[("version", metrics.version())], 1.0);
    for job in metrics.jobs.states() {
        let labels = [("job_name", job.name)];
        gauges.set_with(gauges::JOB_UP, &labels, flag(job.is_up));
        if let Some(idle) = job.idle {
            gauges.set_with(gauges::JOB_IDLE, &labels, idle.as_secs_f64());
        }
    }
    if let Some(free) = DiskSpace::new(&context.config).free() {
        gauges.set(gauges::DISK_FREE, free as f64);
    }
    if let Some(nodes) = context.search_engine.nodes() {
        for (state, count) in [("working", nodes.working), ("failed", nodes.failed)] {
            gauges.set_with(gauges::SEARCH_NODES, &[("state", state)], count as f64);
        }
        gauges.set(gauges::SEARCH_UNANSWERED, nodes.unanswered as f64);
    }
    let now = context.clock.now();
    let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    gauges.set(gauges::PROCESS_CPU, cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9);
    gauges.set(gauges::PROCESS_START, seconds_since_1970(now) - metrics.started().elapsed().as_secs_f64());
    if let Some(bytes) = resident_memory() {
        gauges.set(gauges::PROCESS_MEMORY, bytes);
    }
    if let Ok(files) = std::fs::read_dir("/proc/self/fd") {
        gauges.set(gauges::PROCESS_FILES, files.count() as f64);
    }
    if let Some(limit) = rustix::process::getrlimit(rustix::process::Resource::Nofile).current {
        gauges.set(gauges::PROCESS_MAX_FILES, limit as f64);
    }
}

/// The resident memory in bytes. `None`: the system does not tell.
fn resident_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kibibytes = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(kibibytes.trim().strip_suffix("kB")?.trim().parse::<f64>().ok()? * 1024.0)
}

/// Measures a pool of connections. It waits for a free connection at most one second.
pub async fn measure_pool(name: &'static str, pool: &PgPool, gauges: &mut Gauges) {
    let (size, idle) = (f64::from(pool.size()), pool.num_idle() as f64);
    let labels = |state| [("pool", name), ("state", state)];
    // The two numbers are read one after the other, so the difference could be negative.
    gauges.set_with(gauges::POOL_CONNECTIONS, &labels("used"), (size - idle).max(0.0));
    gauges.set_with(gauges::POOL_CONNECTIONS, &labels("idle"), idle);
    let max = f64::from(pool.options().get_max_connections());
    gauges.set_with(gauges::POOL_MAX_CONNECTIONS, &[("pool", name)], max);
    let began = Instant::now();
    drop(timeout(POOL_TIMEOUT, pool.acquire()).await);
    gauges.set_with(gauges::POOL_WAIT, &[("pool", name)], began.elapsed().as_secs_f64());
}

/// Sets the gauges of the database. Without figures, they are absent.
pub fn set_figures(figures: Option<(MonitoredFigures, Duration)>, context: &Context, gauges: &mut Gauges) {
    let now = context.clock.now();
    gauges.set(gauges::POOL_TIMEOUTS, error::calls_without_database() as f64);
    gauges.set(gauges::DATABASE_FIGURES_UP, flag(figures.is_some()));
    let Some((figures, figures_age)) = figures else { return };
    gauges.set(gauges::DATABASE_FIGURES_AGE, figures_age.as_secs_f64());
    for (reader, changes, seconds) in [
        (figures.index, gauges::INDEX_LAG, gauges::INDEX_LAG_AGE),
        (figures.matcher, gauges::MATCHER_LAG, gauges::MATCHER_LAG_AGE),
    ] {
        gauges.set(changes, (figures.head - reader.position).max(0) as f64);
        gauges.set(seconds, reader.behind_since.map_or(0.0, |since| age(since, now)));
    }
    for channel in Channel::all() {
        let of_channel = || figures.messages.iter().filter(|messages| messages.channel == channel);
        for state in MESSAGE_STATES {
            let count: i64 =
                of_channel().filter(|messages| messages.state == state).map(|messages| messages.count).sum();
            let labels = [("channel", channel.as_str()), ("state", state.into())];
            gauges.set_with(gauges::MESSAGES, &labels, count as f64);
        }
        let oldest = of_channel().filter_map(|messages| messages.due_at).min();
        let overdue = oldest.map_or(0.0, |due_at| age(due_at, now));
        gauges.set_with(gauges::MESSAGES_OLDEST, &[("channel", channel.as_str())], overdue);
    }
    for state in PAGE_STATES {
        let count: i64 =
            figures.pages.iter().filter(|pages| pages.state == state).map(|pages| pages.count).sum();
        gauges.set_with(gauges::PAGES, &[("state", state.into())], count as f64);
    }
    let waiting =
        figures.pages.iter().filter(|pages| matches!(pages.state, PageState::Waiting | PageState::Failed));
    let oldest = waiting.filter_map(|pages| pages.due_at).min();
    gauges.set(gauges::PAGES_OLDEST, oldest.map_or(0.0, |due_at| age(due_at, now)));
    for work in &figures.tasks {
        let labels = [("task", <&'static str>::from(work.task))];
        gauges.set_with(gauges::TASKS, &labels, work.waiting as f64);
        let oldest = work.oldest_since.map_or(0.0, |since| age(since, now));
        gauges.set_with(gauges::TASKS_OLDEST, &labels, oldest);
    }
    gauges.set(gauges::SUPPRESSED, figures.suppressed as f64);
    gauges.set(gauges::SENDING_OFF, flag(figures.is_sending_off));
    let canary = &context.config.canary;
    if !figures.is_sending_off && canary.address(&context.config.mail, context.config.demo).is_some() {
        let state = canary.schedule().state(&figures.canary_runs, now);
        gauges.set(gauges::CANARY_LATE, flag(matches!(state, CanaryState::Late { .. })));
        if let Some(at) = figures.canary_success_at {
            gauges.set(gauges::CANARY_SUCCESS, seconds_since_1970(at));
        }
    }
    if let Some(at) = figures.backed_up_at {
        gauges.set(gauges::LAST_BACKUP, seconds_since_1970(at));
    }
}

/// The value of a gauge that is 0 or 1.
#[must_use]
pub fn flag(is_set: bool) -> f64 {
    f64::from(u8::from(is_set))
}

/// The seconds between two moments, at least zero.
fn age(since: Timestamp, now: Timestamp) -> f64 {
    now.duration_since(since).as_secs_f64().max(0.0)
}

fn seconds_since_1970(at: Timestamp) -> f64 {
    at.duration_since(Timestamp::UNIX_EPOCH).as_secs_f64()
}
