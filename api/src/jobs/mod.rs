//! What runs beside the requests: following the change log into the index, matching alerts, sealing and sending mail, what time does to
//! subscriptions, and taking away files that nothing needs.
//! Each job is a loop that can be killed between any two statements and started again; its state is rows.

pub mod charge;
pub mod deliver;
pub mod index_changes;
pub mod match_alerts;
mod monthly_report;
mod passes;
mod seal;
pub mod send;
mod supervise;
pub mod sweep_documents;
mod wake;

use crate::{
    channels::{email::Email, phone::Phones, webhook::Webhooks},
    state::AppState,
};
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// How far the jobs of this process have come, for whoever waits on them.
#[derive(Debug)]
pub struct Progress {
    /// The index follower.
    pub index: watch::Sender<Station>,
    /// The matcher of this process; ready, and where it was, while another process matches.
    pub matcher: watch::Sender<Station>,
    /// What seals mail.
    pub sealing: watch::Sender<Station>,
    /// What sends it; not ready while no mail server is there.
    pub sending: watch::Sender<Station>,
}

/// Where one job stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Station {
    /// The log position it has worked off. Mail has none.
    pub position: i64,
    /// False before its start and after a failure, until it runs again.
    pub ready: bool,
}

impl Default for Progress {
    fn default() -> Self {
        let start = || watch::Sender::new(Station::default());
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

/// Starts all jobs. They end soon after `stop` is cancelled; wait on the tracker.
pub fn spawn(state: &AppState, stop: &CancellationToken) -> TaskTracker {
    let jobs = TaskTracker::new();
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || index_changes::follow(&own, &ended);
        supervise::run("index_changes", &ended, &own.progress.index, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || match_alerts::run(&own, &ended);
        supervise::run("match_alerts", &ended, &own.progress.matcher, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || deliver::run(&own, &ended);
        supervise::run("deliver", &ended, &own.progress.sealing, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let station = &own.progress.sending;
        let job = || async { send::run(&own, &Email::new(&own)?, station, &ended).await };
        supervise::run("send_mail", &ended, station, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let Some(gateway) = &own.phones else { return };
        let station = watch::Sender::new(Station::default());
        let job = || async { send::run(&own, &Phones::new(&own, gateway), &station, &ended).await };
        supervise::run("send_to_phones", &ended, &station, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let station = watch::Sender::new(Station::default());
        let job = || async { send::run(&own, &Webhooks::new(&own)?, &station, &ended).await };
        supervise::run("send_webhooks", &ended, &station, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || sweep_documents::run(&own, &ended);
        supervise::run("sweep_documents", &ended, &watch::Sender::new(Station::default()), job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || charge::run(&own, &ended);
        supervise::run("charge", &ended, &watch::Sender::new(Station::default()), job).await;
    });
    jobs.close();
    jobs
}
