//! The metrics of this process that Prometheus scrapes: counters and histograms, which requests and
//! jobs update. The gauges ([`gauges`]) are measured at each scrape.
//!
//! The values of all labels come from fixed sets. Routes are templates, never paths.

mod families;
pub mod files;
pub mod gauges;
pub mod http;
pub mod jobs;
pub mod portal;

use self::{files::FileMetrics, gauges::Gauges, http::HttpMetrics, jobs::JobTable, portal::PortalMetrics};
use prometheus_client::{encoding::prometheus_text, registry::Registry};
use std::{fmt, sync::OnceLock, time::Instant};

/// The first word of the names of the portal's own metrics.
pub const PREFIX: &str = "serendib";

/// The media type of the exposition.
pub const CONTENT_TYPE: &str = prometheus_text::CONTENT_TYPE;

/// The metrics of this process.
pub struct Metrics {
    registry: Registry,
    /// Requests and connections.
    pub http: HttpMetrics,
    /// Searches, matching, messages, newspaper pages and notices.
    pub portal: PortalMetrics,
    /// Requests to the places of files.
    pub files: FileMetrics,
    /// The supervised jobs.
    pub jobs: JobTable,
    version: OnceLock<&'static str>,
    started: Instant,
}

impl Metrics {
    /// Creates the metrics. All counters with fixed labels begin with zero, so that the first event
    /// counts as an increase.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        Self {
            http: HttpMetrics::new(&mut registry),
            portal: PortalMetrics::new(&mut registry),
            files: FileMetrics::new(&mut registry),
            jobs: JobTable::new(&mut registry),
            registry,
            version: OnceLock::new(),
            started: Instant::now(),
        }
    }

    /// Sets the version of the program.
    pub fn set_version(&self, version: &'static str) {
        // A process has one version, so a second call would not change it.
        let _ = self.version.set(version);
    }

    /// The version of the program.
    #[must_use]
    pub fn version(&self) -> &'static str {
        self.version.get().copied().unwrap_or(env!("CARGO_PKG_VERSION"))
    }

    /// When the metrics began.
    #[must_use]
    pub const fn started(&self) -> Instant {
        self.started
    }

    /// Writes all metrics in the text format of Prometheus, with the gauges of this scrape.
    ///
    /// # Errors
    /// Fails only if a metric cannot be formatted.
    pub fn expose(&self, gauges: Gauges) -> Result<String, fmt::Error> {
        let mut text = String::new();
        prometheus_text::encode(&mut text, &self.registry)?;
        let mut measured = Registry::default();
        gauges.register(&mut measured);
        prometheus_text::encode(&mut text, &measured)?;
        Ok(text)
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
