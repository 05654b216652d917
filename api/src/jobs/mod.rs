//! Background jobs: indexing, matching, sealing, sending, billing and the removal of unused files.
//! Each job is a loop with its state in the database. It can be killed at any point and restarted.

pub mod billing;
pub mod index_changes;
pub mod match_alerts;
pub mod scheduled;
pub mod seal;
pub mod send;
pub mod supervise;
pub mod sweep;
pub mod wake;

use crate::{
    app::{progress::JobProgress, state::AppState},
    services::notifications::senders::{email::Email, phone::Phones, webhook::Webhooks},
};
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Starts all jobs. They end soon after `stop` is cancelled; wait for the tracker.
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
        let job = || seal::run(&own, &ended);
        supervise::run("deliver", &ended, &own.progress.sealing, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let station = &own.progress.sending;
        let job = || async { send::run(&own, &Email::new(&own, &own.transport)?, station, &ended).await };
        supervise::run("send_mail", &ended, station, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let Some(gateway) = &own.phones else { return };
        let station = watch::Sender::new(JobProgress::default());
        let job = || async { send::run(&own, &Phones::new(&own, gateway), &station, &ended).await };
        supervise::run("send_to_phones", &ended, &station, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let station = watch::Sender::new(JobProgress::default());
        let job = || async { send::run(&own, &Webhooks::new(&own)?, &station, &ended).await };
        supervise::run("send_webhooks", &ended, &station, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || sweep::run(&own, &ended);
        supervise::run("sweep_documents", &ended, &watch::Sender::new(JobProgress::default()), job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || billing::run(&own, &ended);
        supervise::run("charge", &ended, &watch::Sender::new(JobProgress::default()), job).await;
    });
    jobs.close();
    jobs
}
