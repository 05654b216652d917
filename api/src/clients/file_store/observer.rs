//! Observes the requests to the places of files, for the metrics.

use std::{fmt, sync::Arc, time::Duration};
use strum::{EnumIter, IntoStaticStr};

/// What a request to a place of files does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FileOperation {
    /// Opens or reads a file. The time ends when its content begins to arrive.
    Read,
    /// Stores a file.
    Write,
    /// Looks for a file.
    Find,
    /// Deletes a file.
    Delete,
}

/// How a request to a place of files ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum FileOutcome {
    /// It succeeded, or there is no such file.
    Succeeded,
    /// The place did not do it.
    Failed,
}

/// Records the requests to the places of files.
pub trait FileObserver: Send + Sync {
    /// Records a request.
    fn record(&self, operation: FileOperation, outcome: FileOutcome, duration: Duration);
}

/// The observer of a place, if there is one.
#[derive(Clone, Default)]
pub(super) struct Observed(Option<Arc<dyn FileObserver>>);

impl Observed {
    pub(super) fn by(observer: Arc<dyn FileObserver>) -> Self {
        Self(Some(observer))
    }

    pub(super) fn record<T, E>(&self, operation: FileOperation, result: &Result<T, E>, duration: Duration) {
        if let Some(observer) = &self.0 {
            let outcome = if result.is_ok() { FileOutcome::Succeeded } else { FileOutcome::Failed };
            observer.record(operation, outcome, duration);
        }
    }

    /// Waits for a request and records it.
    pub(super) async fn request<T, E>(
        &self,
        operation: FileOperation,
        request: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        let started = std::time::Instant::now();
        let result = request.await;
        self.record(operation, &result, started.elapsed());
        result
    }
}

impl fmt::Debug for Observed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Observed({})", self.0.is_some())
    }
}
