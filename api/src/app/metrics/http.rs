//! Metrics of requests and connections.

use super::families::{Counters, Histograms, counters_of, registered};
use crate::app::route_class::RouteClass;
use prometheus_client::{
    metrics::{counter::Counter, family::Family, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use std::{sync::Arc, time::Duration};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};

/// The upper bounds of the histogram of requests, in seconds.
const BUCKETS: [f64; 12] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// The route of the pages and files of the web app, and of all unknown addresses.
pub const OTHER_ROUTE: &str = "other";

/// Label values that are names of routes, methods and statuses.
type RequestLabels<const N: usize> = [(&'static str, Arc<str>); N];

/// What the database said about a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ChunkOutcome {
    /// The caller has an allowance left.
    Permitted,
    /// The caller has no allowance left.
    Refused,
    /// The database did not answer in time.
    Failed,
}

/// Metrics of requests and connections.
pub struct HttpMetrics {
    requests: Family<RequestLabels<3>, Counter>,
    durations: Histograms<RequestLabels<1>>,
    requests_in_flight: Gauge,
    connections: Gauge,
    refused_connections: Counter,
    limited: Counters<1>,
    chunks: Counters<1>,
}

impl HttpMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let durations: Histograms<RequestLabels<1>> =
            Family::new_with_constructor(|| Histogram::new(BUCKETS));
        let classes = RouteClass::iter().map(<&'static str>::from);
        Self {
            requests: registered(
                registry,
                "http_requests",
                "Answered requests, by the template of the route",
                Family::default(),
            ),
            durations: registered(
                registry,
                "http_request_duration_seconds",
                "Seconds until the head of the response",
                durations,
            ),
            requests_in_flight: registered(
                registry,
                "http_requests_in_flight",
                "Requests whose handlers run",
                Gauge::default(),
            ),
            connections: registered(
                registry,
                "http_connections",
                "Open connections of clients",
                Gauge::default(),
            ),
            refused_connections: registered(
                registry,
                "http_connections_refused",
                "Connections closed because their address has too many",
                Counter::default(),
            ),
            limited: counters_of(
                registry,
                "http_requests_limited",
                "Requests refused by a rate limit, by the class of the limit",
                "class",
                classes,
            ),
            chunks: counters_of(
                registry,
                "shared_limit_counts",
                "Counts of requests in the database for all servers, by its answer",
                "outcome",
                ChunkOutcome::iter().map(Into::into),
            ),
        }
    }

    /// Counts a request that runs until the returned guard is dropped.
    pub fn begin_request(&self) -> GaugeGuard {
        GaugeGuard::new(&self.requests_in_flight)
    }

    /// Counts a connection that is open until the returned guard is dropped.
    pub fn open_connection(&self) -> GaugeGuard {
        GaugeGuard::new(&self.connections)
    }

    /// Counts a connection that was refused because of the limit per address.
    pub fn refuse_connection(&self) {
        self.refused_connections.inc();
    }

    /// Counts a request that a limit refused.
    pub fn refuse_request(&self, class: RouteClass) {
        self.limited.get_or_create(&[("class", class.into())]).inc();
    }

    /// Counts that the database was asked to count requests for all servers.
    pub fn count_chunk(&self, outcome: ChunkOutcome) {
        self.chunks.get_or_create(&[("outcome", outcome.into())]).inc();
    }

    /// Counts an answered request. The route is a template, and the method is one of HTTP's.
    pub fn record_request(&self, route: Arc<str>, method: &'static str, status: u16, duration: Duration) {
        let labels =
            [("route", route.clone()), ("method", method.into()), ("status", status.to_string().into())];
        self.requests.get_or_create(&labels).inc();
        self.durations.get_or_create(&[("route", route)]).observe(duration.as_secs_f64());
    }
}

/// Counts in a gauge until it is dropped.
pub struct GaugeGuard(Gauge);

impl GaugeGuard {
    fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}
