//! Metrics of the places of files.

use super::families::{Histograms, Labels, registered};
use crate::clients::file_store::{FileObserver, FileOperation, FileOutcome};
use prometheus_client::{
    metrics::{family::Family, histogram::Histogram},
    registry::Registry,
};
use std::time::Duration;
use strum::IntoEnumIterator;

/// The upper bounds of the histogram, in seconds.
const BUCKETS: [f64; 10] = [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 5.0, 15.0, 60.0];

/// Metrics of the requests to the places of files. Clones share them.
#[derive(Clone)]
pub struct FileMetrics {
    requests: Histograms<Labels<2>>,
}

impl FileMetrics {
    pub(super) fn new(registry: &mut Registry) -> Self {
        let requests: Histograms<Labels<2>> = Family::new_with_constructor(|| Histogram::new(BUCKETS));
        for operation in FileOperation::iter() {
            for outcome in FileOutcome::iter() {
                drop(requests.get_or_create(&labels(operation, outcome)));
            }
        }
        Self {
            requests: registered(
                registry,
                "file_request_duration_seconds",
                "Seconds of a request to the place of the files, by operation and outcome",
                requests,
            ),
        }
    }
}

impl FileObserver for FileMetrics {
    fn record(&self, operation: FileOperation, outcome: FileOutcome, duration: Duration) {
        self.requests.get_or_create(&labels(operation, outcome)).observe(duration.as_secs_f64());
    }
}

fn labels(operation: FileOperation, outcome: FileOutcome) -> Labels<2> {
    [("operation", operation.into()), ("outcome", outcome.into())]
}
