//! Restarts a job after a delay if it fails, and logs the error. The same error again within a minute
//! is logged at the level DEBUG, because an outage of the database makes each job fail every second.

use crate::{
    app::{metrics::jobs::JobMetrics, progress::JobProgress},
    base::log_throttle::LogThrottle,
};
use std::{future::Future, time::Duration};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The delay before a failed job restarts.
const RESTART_DELAY: Duration = Duration::from_secs(1);

/// The minimum interval between log lines about the same error.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

/// Runs `job` again and again until it returns successfully, which a job does only when stopped.
pub(super) async fn run<F, Fut>(
    metrics: &JobMetrics,
    stop: &CancellationToken,
    progress: &watch::Sender<JobProgress>,
    job: F,
) where
    F: Fn() -> Fut,
    Fut: Future<Output = anyhow::Result<()>>,
{
    let name = metrics.name();
    let mut throttle = ErrorThrottle::default();
    while let Err(error) = metrics.watch(job()).await {
        progress.send_modify(|progress| progress.ready = false);
        let error = format!("{error:#}");
        if throttle.is_due(&error) {
            tracing::error!(job = name, error, "a job failed and will restart");
        } else {
            tracing::debug!(job = name, error, "a job failed again and will restart");
        }
        tokio::select! {
            () = tokio::time::sleep(RESTART_DELAY) => {}
            () = stop.cancelled() => return,
        }
    }
    tracing::debug!(job = name, "stopped");
}

/// Limits the log lines about the same error.
struct ErrorThrottle {
    last_error: String,
    throttle: LogThrottle,
}

impl Default for ErrorThrottle {
    fn default() -> Self {
        Self { last_error: String::new(), throttle: LogThrottle::new(LOG_INTERVAL) }
    }
}

impl ErrorThrottle {
    /// Whether an error should be logged now.
    fn is_due(&mut self, error: &str) -> bool {
        if self.last_error != error {
            *self = Self { last_error: error.to_owned(), ..Self::default() };
        }
        self.throttle.is_due()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_error_is_logged_once() {
        let mut throttle = ErrorThrottle::default();
        let due = ["a", "a", "b", "b", "a"].map(|error| throttle.is_due(error));
        assert_eq!(due, [true, false, true, false, true]);
    }
}
