//! Keeps one job running: whatever ends it but the stop signal is logged, and it starts anew after a pause.

use crate::app::progress::JobProgress;
use std::{future::Future, time::Duration};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The pause before a failed job starts anew.
const PAUSE: Duration = Duration::from_secs(1);

/// Runs `job` until it ends by itself, which it does only when told to stop.
pub(super) async fn run<F, Fut>(
    name: &'static str,
    stop: &CancellationToken,
    station: &watch::Sender<JobProgress>,
    job: F,
) where
    F: Fn() -> Fut,
    Fut: Future<Output = anyhow::Result<()>>,
{
    while let Err(error) = job().await {
        station.send_modify(|station| station.ready = false);
        tracing::error!(job = name, error = format!("{error:#}"), "a job failed and starts anew");
        tokio::select! {
            () = tokio::time::sleep(PAUSE) => {}
            () = stop.cancelled() => return,
        }
    }
    tracing::debug!(job = name, "stopped");
}
