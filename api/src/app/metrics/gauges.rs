//! Gauges that are measured at each scrape. A gauge whose value is not known is absent.

use prometheus_client::{
    encoding::{DescriptorEncoder, EncodeMetric},
    metrics::{MetricType, gauge::ConstGauge},
    registry::Registry,
};
use std::{collections::BTreeMap, fmt};

/// A gauge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GaugeName {
    /// The full name.
    pub name: &'static str,
    /// What it shows.
    pub help: &'static str,
}

macro_rules! gauges {
    ($($constant:ident = $name:literal, $help:literal;)*) => {
        $(
            #[doc = $help]
            pub const $constant: GaugeName = GaugeName { name: $name, help: $help };
        )*
    };
}

gauges! {
    BUILD_INFO = "serendib_build_info", "Always 1; the label has the version of the program";
    COMPONENT_UP = "serendib_component_up", "Whether a component works, as in /api/health";
    DATABASE_UP = "serendib_database_up", "Whether the database responds";
    DATABASE_FIGURES_UP = "serendib_database_figures_up",
        "Whether the figures from the database were read; if not, they are absent";
    DATABASE_FIGURES_AGE = "serendib_database_figures_age_seconds", "Age of the figures from the database";
    POOL_CONNECTIONS = "serendib_database_pool_connections", "Open connections of a pool, by state";
    POOL_MAX_CONNECTIONS = "serendib_database_pool_max_connections", "The maximum number of connections of a pool";
    POOL_WAIT = "serendib_database_pool_wait_seconds",
        "How long this scrape waited for a free connection of a pool, at most one second";
    POOL_TIMEOUTS = "serendib_database_pool_timeouts_total",
        "Calls that found no free connection, or no database";
    INDEX_LAG = "serendib_index_lag_changes", "Changes that the search index lacks";
    INDEX_LAG_AGE = "serendib_index_lag_seconds", "Age of the oldest change that the search index lacks";
    SEARCH_NODES = "serendib_search_nodes", "Nodes of the search cluster, by whether they answer this process";
    SEARCH_UNANSWERED = "serendib_search_unanswered_total",
        "Requests that no node of the search cluster answered in time";
    MATCHER_LAG = "serendib_matcher_lag_changes", "Changes that were not matched yet";
    MATCHER_LAG_AGE = "serendib_matcher_lag_seconds", "Age of the oldest change that was not matched yet";
    JOB_UP = "serendib_job_up", "Whether a job runs, and has not failed in the last ten seconds";
    JOB_IDLE = "serendib_job_idle_seconds", "Seconds since a job last did something";
    MESSAGES = "serendib_messages", "Messages that are not sent, by channel and state";
    MESSAGES_OLDEST = "serendib_message_overdue_seconds", "How long the oldest due message of a channel has been due";
    SENDING_OFF = "serendib_sending_off", "Whether an operator has switched all messages and charges off";
    SUPPRESSED = "serendib_suppressed_addresses", "Mail addresses that get no more mail";
    PAGES = "serendib_newspaper_pages", "Newspaper pages that are not read, by state";
    PAGES_OLDEST = "serendib_newspaper_page_waiting_seconds", "How long the oldest page waits for a worker";
    TASKS = "serendib_operator_tasks", "Work that waits for administrators and reviewers, by kind";
    TASKS_OLDEST = "serendib_operator_task_waiting_seconds", "How long the oldest work of a kind waits";
    DISK_FREE = "serendib_disk_free_bytes", "Free bytes on the disk of the data folder";
    LAST_BACKUP = "serendib_backup_last_success_timestamp_seconds", "When `api backup` last made a backup";
    CANARY_LATE = "serendib_canary_late", "Whether the test of the way from a tender to its mail is late";
    CANARY_SUCCESS = "serendib_canary_last_success_timestamp_seconds",
        "When the last test began that went all the way";
    PROCESS_CPU = "process_cpu_seconds_total", "Processor time of the process";
    PROCESS_MEMORY = "process_resident_memory_bytes", "Resident memory of the process";
    PROCESS_FILES = "process_open_fds", "Open file descriptors of the process";
    PROCESS_MAX_FILES = "process_max_fds", "The maximum number of open file descriptors";
    PROCESS_START = "process_start_time_seconds", "When the process started, in seconds since 1970";
}

/// The labels of a gauge.
type GaugeLabels = Vec<(&'static str, &'static str)>;

/// The values of gauges at one moment.
#[derive(Debug, Default)]
pub struct Gauges(BTreeMap<GaugeName, Vec<(GaugeLabels, f64)>>);

impl Gauges {
    /// Sets a gauge without labels.
    pub fn set(&mut self, gauge: GaugeName, value: f64) {
        self.set_with(gauge, &[], value);
    }

    /// Sets a gauge for these labels.
    pub fn set_with(&mut self, gauge: GaugeName, labels: &[(&'static str, &'static str)], value: f64) {
        self.0.entry(gauge).or_default().push((labels.to_vec(), value));
    }

    pub(super) fn register(self, registry: &mut Registry) {
        registry.register_collector(Box::new(self));
    }
}

impl prometheus_client::collector::Collector for Gauges {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        for (gauge, samples) in &self.0 {
            // The encoder appends the ending of counters to their names.
            let (name, kind) = match gauge.name.strip_suffix("_total") {
                Some(name) => (name, MetricType::Counter),
                None => (gauge.name, MetricType::Gauge),
            };
            let mut metric = encoder.encode_descriptor(name, gauge.help, None, kind)?;
            for (labels, value) in samples {
                let encoder = metric.encode_family(labels)?;
                match kind {
                    MetricType::Counter => {
                        prometheus_client::metrics::counter::ConstCounter::new(*value).encode(encoder)?;
                    }
                    _ => ConstGauge::new(*value).encode(encoder)?,
                }
            }
        }
        Ok(())
    }
}
