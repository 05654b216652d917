//! The progress of this process's background jobs.

use tokio::sync::watch;

/// The progress of this process's jobs. Callers can wait for it.
#[derive(Debug)]
pub struct Progress {
    /// The index follower.
    pub index: watch::Sender<JobProgress>,
    /// The matcher. While another process matches, it is ready and keeps its position.
    pub matcher: watch::Sender<JobProgress>,
    /// The job that seals mail.
    pub sealing: watch::Sender<JobProgress>,
    /// The job that sends mail. Not ready while the mail server is unavailable.
    pub sending: watch::Sender<JobProgress>,
}

/// The progress of one job.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobProgress {
    /// The change log position up to which the job is done. Jobs for mail do not set it.
    pub position: i64,
    /// Whether the job is running. It is false before the start and after a failure.
    pub ready: bool,
}

impl Default for Progress {
    fn default() -> Self {
        let start = || watch::Sender::new(JobProgress::default());
        Self { index: start(), matcher: start(), sealing: start(), sending: start() }
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
