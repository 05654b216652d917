//! The progress of this process's background jobs.

use std::sync::atomic::AtomicBool;
use tokio::sync::watch;

/// The progress of this process's jobs. Requests can wait for a job.
#[derive(Debug)]
pub struct Progress {
    /// The progress of the index follower.
    pub index: watch::Sender<JobProgress>,
    /// The progress of the matcher. While another process matches, this process's matcher is ready
    /// and keeps its position.
    pub matcher: watch::Sender<JobProgress>,
    /// The progress of the job that seals messages.
    pub sealing: watch::Sender<JobProgress>,
    /// The progress of the job that sends mail. It is not ready while the mail server is
    /// unavailable.
    pub sending: watch::Sender<JobProgress>,
    /// Whether there is no usable index, as far as is known, so that one must be built first. It is false if
    /// an index of a cluster cannot be reached.
    pub lacks_index: AtomicBool,
    /// Whether this process has divided the alerts into the number of shards of its settings.
    pub has_divided_alerts: AtomicBool,
}

/// The progress of one job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobProgress {
    /// The change log position up to which the job has processed all changes. The sealing and
    /// sending jobs leave it at zero.
    pub position: i64,
    /// Whether the job works normally. It is false before the start, after an error, and during a
    /// rebuild of the index or an outage of the mail server.
    pub ready: bool,
}

impl Default for Progress {
    fn default() -> Self {
        let start = || watch::Sender::new(JobProgress::default());
        Self {
            index: start(),
            matcher: start(),
            sealing: start(),
            sending: start(),
            lacks_index: AtomicBool::new(true),
            has_divided_alerts: AtomicBool::new(false),
        }
    }
}

impl Progress {
    /// Waits until the index contains all changes up to a position. Returns false after the
    /// timeout.
    pub async fn wait_until_indexed(&self, position: i64, timeout: std::time::Duration) -> bool {
        let mut job = self.index.subscribe();
        let wait = job.wait_for(|job| job.ready && job.position >= position);
        tokio::time::timeout(timeout, wait).await.is_ok_and(|found| found.is_ok())
    }
}
