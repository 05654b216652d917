//! How far the background jobs of this process have come.

use tokio::sync::watch;

/// How far the jobs of this process have come, for whoever waits on them.
#[derive(Debug)]
pub struct Progress {
    /// The index follower.
    pub index: watch::Sender<JobProgress>,
    /// The matcher of this process; ready, and where it was, while another process matches.
    pub matcher: watch::Sender<JobProgress>,
    /// What seals mail.
    pub sealing: watch::Sender<JobProgress>,
    /// What sends it; not ready while no mail server is there.
    pub sending: watch::Sender<JobProgress>,
}

/// Where one job stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JobProgress {
    /// The log position it has worked off. Mail has none.
    pub position: i64,
    /// False before its start and after a failure, until it runs again.
    pub ready: bool,
}

impl Default for Progress {
    fn default() -> Self {
        let start = || watch::Sender::new(JobProgress::default());
        Self { index: start(), matcher: start(), sealing: start(), sending: start() }
    }
}

impl Progress {
    /// Waits until the index holds everything up to a position. False when it does not within `patience`.
    pub async fn reached(&self, position: i64, patience: std::time::Duration) -> bool {
        let mut station = self.index.subscribe();
        let wait = station.wait_for(|station| station.ready && station.position >= position);
        tokio::time::timeout(patience, wait).await.is_ok_and(|found| found.is_ok())
    }
}
