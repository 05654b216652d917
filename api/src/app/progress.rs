//! The progress of this process's background jobs.

use std::sync::{Mutex, MutexGuard, PoisonError, atomic::AtomicBool};
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
    /// What is known about an index that all processes share.
    pub shared_index: SharedIndex,
    /// Whether this process has divided the alerts into the number of shards of its settings.
    pub has_divided_alerts: AtomicBool,
}

/// What a process knows about an index that all processes share.
#[derive(Debug, Default)]
pub struct SharedIndex(Mutex<IndexState>);

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum IndexState {
    /// The process has just started.
    #[default]
    Unknown,
    /// The cluster has not responded since the start.
    Unreachable,
    /// There has been no usable index since the start. It is being built.
    Missing,
    /// There has been an index. If it is lost, it is lost for all processes.
    Present,
}

impl SharedIndex {
    /// The cluster does not respond.
    pub fn set_unreachable(&self) {
        let mut state = self.lock();
        if *state == IndexState::Unknown {
            *state = IndexState::Unreachable;
        }
    }

    /// There is no usable index.
    pub fn set_missing(&self) {
        let mut state = self.lock();
        if *state != IndexState::Present {
            *state = IndexState::Missing;
        }
    }

    /// There is an index.
    pub fn set_present(&self) {
        *self.lock() = IndexState::Present;
    }

    /// Whether this process can search as well as any other. An unreachable cluster, and an index that is
    /// lost, are the same for all.
    #[must_use]
    pub fn is_as_good_as_elsewhere(&self) -> bool {
        matches!(*self.lock(), IndexState::Unreachable | IndexState::Present)
    }

    fn lock(&self) -> MutexGuard<'_, IndexState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
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
            shared_index: SharedIndex::default(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_that_is_missing_stays_missing_when_the_cluster_does_not_respond() {
        let index = SharedIndex::default();
        assert!(!index.is_as_good_as_elsewhere());
        index.set_unreachable();
        assert!(index.is_as_good_as_elsewhere());
        index.set_missing();
        index.set_unreachable();
        assert!(!index.is_as_good_as_elsewhere());
        index.set_present();
        index.set_unreachable();
        assert!(index.is_as_good_as_elsewhere());
        index.set_missing();
        assert!(index.is_as_good_as_elsewhere(), "details and accounts go on");
    }
}
