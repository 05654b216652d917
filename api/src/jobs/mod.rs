//! Background jobs: indexing, matching, sealing, sending, billing, daily figures, the withdrawal of
//! batches, the text of documents, the canary, and the deletion of unused files and old personal data.
//! Each job is a loop that keeps its state in the database or in the search index. It can be killed at
//! any point and restarted.

mod administrator_mails;
pub(crate) mod billing;
mod coverage_mails;
mod daily_figures;
pub mod delete_old_data;
pub mod delete_orphaned_files;
pub mod index_changes;
pub(crate) mod match_alerts;
mod read_documents;
pub mod run_canary;
pub(crate) mod scheduled_mails;
pub(crate) mod seal;
pub(crate) mod send;
pub(crate) mod supervise;
pub(crate) mod wake;
mod watch_disk_space;
pub mod withdraw_batches;

use crate::{
    app::{progress::JobProgress, state::AppState},
    services::notifications::senders::{email::EmailSender, phone::PhoneSender, webhook::WebhookSender},
};
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Starts all jobs. They end soon after `stop` is cancelled. The caller can wait for their end
/// with the returned tracker.
pub fn spawn(state: &AppState, stop: &CancellationToken) -> TaskTracker {
    let state = &state.for_jobs();
    let jobs = TaskTracker::new();
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || index_changes::follow(&own, &ended);
        supervise::run(&own.metrics.jobs.of("index_changes"), &ended, &own.progress.index, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || match_alerts::run(&own, &ended);
        supervise::run(&own.metrics.jobs.of("match_alerts"), &ended, &own.progress.matcher, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || seal::run(&own, &ended);
        supervise::run(&own.metrics.jobs.of("deliver"), &ended, &own.progress.sealing, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let progress = &own.progress.sending;
        let job =
            || async { send::run(&own, &EmailSender::new(&own, &own.transport)?, progress, &ended).await };
        supervise::run(&own.metrics.jobs.of("send_mail"), &ended, progress, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let Some(gateway) = &own.phones else { return };
        let progress = watch::Sender::new(JobProgress::default());
        let job = || async { send::run(&own, &PhoneSender::new(&own, gateway), &progress, &ended).await };
        supervise::run(&own.metrics.jobs.of("send_to_phones"), &ended, &progress, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let progress = watch::Sender::new(JobProgress::default());
        let job = || async { send::run(&own, &WebhookSender::new(&own)?, &progress, &ended).await };
        supervise::run(&own.metrics.jobs.of("send_webhooks"), &ended, &progress, job).await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || delete_orphaned_files::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("sweep_documents"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || billing::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("charge"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || withdraw_batches::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("withdraw_batches"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || daily_figures::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("daily_figures"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || read_documents::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("read_documents"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || watch_disk_space::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("watch_disk_space"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || delete_old_data::run(&own, &ended);
        supervise::run(
            &own.metrics.jobs.of("delete_old_data"),
            &ended,
            &watch::Sender::new(JobProgress::default()),
            job,
        )
        .await;
    });
    let (own, ended) = (state.clone(), stop.clone());
    jobs.spawn(async move {
        let job = || run_canary::run(&own, &ended);
        let progress = watch::Sender::new(JobProgress::default());
        supervise::run(&own.metrics.jobs.of("run_canary"), &ended, &progress, job).await;
    });
    jobs.close();
    jobs
}
