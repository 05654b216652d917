//! Background jobs: indexing, matching, sealing, sending, billing, daily figures, the withdrawal of
//! batches, the text of documents, the canary, and the deletion of unused files and old personal data.
//! Each job is a loop that keeps its state in the database or in the search index. It can be killed at
//! any point and restarted.

mod administrator_mails;
mod bid_reminders;
pub(crate) mod billing;
mod coverage_mails;
mod daily_figures;
pub mod delete_old_data;
pub mod delete_orphaned_files;
mod expiry_mails;
mod fill_tender_facts;
pub mod index_changes;
pub(crate) mod match_alerts;
mod read_documents;
pub mod run_canary;
pub(crate) mod scheduled_mails;
pub(crate) mod seal;
pub(crate) mod send;
mod silence;
mod silent_alert_mails;
pub(crate) mod supervise;
pub(crate) mod wake;
mod watch_disk_space;
pub mod withdraw_batches;

use crate::{
    app::{
        progress::{JobProgress, Progress},
        state::AppState,
    },
    services::{
        canary,
        notifications::senders::{email::EmailSender, phone::PhoneSender, webhook::WebhookSender},
    },
};
use futures::future::BoxFuture;
use tokio::sync::watch;
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// The loop of a job: it ends after the token is cancelled, and reports its progress to the sender.
type JobLoop = for<'a> fn(
    &'a AppState,
    &'a CancellationToken,
    &'a watch::Sender<JobProgress>,
) -> BoxFuture<'a, anyhow::Result<()>>;

/// Starts the jobs of the process's role. They end soon after `stop` is cancelled. The caller can wait
/// for their end with the returned tracker.
pub fn spawn(state: &AppState, stop: &CancellationToken) -> TaskTracker {
    let jobs = JobStarter { state: state.for_jobs(), stop: stop.clone(), tracker: TaskTracker::new() };
    jobs.start_shown(
        "index_changes",
        |all| &all.index,
        |state, stop, _| Box::pin(index_changes::follow(state, stop)),
    );
    jobs.start("sweep_files", |state, stop, _| Box::pin(delete_orphaned_files::run(state, stop)));
    jobs.start("watch_disk_space", |state, stop, _| Box::pin(watch_disk_space::run(state, stop)));
    if state.config.role().works() {
        jobs.start_work();
    } else {
        jobs.start("store_empty_searches", |state, stop, _| {
            Box::pin(daily_figures::store_empty_searches(state, stop))
        });
    }
    jobs.tracker.close();
    jobs.tracker
}

/// Starts jobs, each in a task of its own.
struct JobStarter {
    state: AppState,
    stop: CancellationToken,
    tracker: TaskTracker,
}

impl JobStarter {
    /// Starts the jobs of which the portal needs one process that runs them. Several processes take turns.
    fn start_work(&self) {
        self.start_shown(
            "match_alerts",
            |all| &all.matcher,
            |state, stop, _| Box::pin(match_alerts::run(state, stop)),
        );
        self.start_shown("deliver", |all| &all.sealing, |state, stop, _| Box::pin(seal::run(state, stop)));
        self.start_shown(
            "send_mail",
            |all| &all.sending,
            |state, stop, progress| {
                Box::pin(async move {
                    send::run(state, &EmailSender::new(state, &state.transport)?, progress, stop).await
                })
            },
        );
        if self.state.phones.is_some() {
            self.start("send_to_phones", |state, stop, progress| {
                Box::pin(async move {
                    let Some(gateway) = &state.phones else { return Ok(()) };
                    send::run(state, &PhoneSender::new(state, gateway), progress, stop).await
                })
            });
        }
        self.start("send_webhooks", |state, stop, progress| {
            Box::pin(async move { send::run(state, &WebhookSender::new(state)?, progress, stop).await })
        });
        self.start("charge", |state, stop, _| Box::pin(billing::run(state, stop)));
        self.start("withdraw_batches", |state, stop, _| Box::pin(withdraw_batches::run(state, stop)));
        self.start("daily_figures", |state, stop, _| Box::pin(daily_figures::run(state, stop)));
        self.start("read_documents", |state, stop, _| Box::pin(read_documents::run(state, stop)));
        self.start("fill_tender_facts", |state, stop, _| Box::pin(fill_tender_facts::run(state, stop)));
        self.start("delete_old_data", |state, stop, _| Box::pin(delete_old_data::run(state, stop)));
        if canary::address(&self.state).is_some() {
            self.start("run_canary", |state, stop, _| Box::pin(run_canary::run(state, stop)));
        }
    }

    /// Starts a job. `name` is its name in the log and in the metrics.
    fn start(&self, name: &'static str, job: JobLoop) {
        self.spawn(name, None, job);
    }

    /// Starts a job whose progress others can see.
    fn start_shown(
        &self,
        name: &'static str,
        progress: fn(&Progress) -> &watch::Sender<JobProgress>,
        job: JobLoop,
    ) {
        self.spawn(name, Some(progress), job);
    }

    fn spawn(
        &self,
        name: &'static str,
        shown: Option<fn(&Progress) -> &watch::Sender<JobProgress>>,
        job: JobLoop,
    ) {
        let (state, stop) = (self.state.clone(), self.stop.clone());
        self.tracker.spawn(async move {
            let own = watch::Sender::new(JobProgress::default());
            let progress = shown.map_or(&own, |shown| shown(&state.progress));
            let metrics = state.metrics.jobs.of(name);
            supervise::run(&metrics, &stop, progress, || job(&state, &stop, progress)).await;
        });
    }
}
