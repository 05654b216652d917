//! Restarts a job after a delay if it fails, and logs the error.

use crate::app::progress::JobProgress;
use std::{future::Future, time::Duration};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The delay before a failed job restarts.
const RESTART_DELAY: Duration = Duration::from_secs(1);

/// Runs `job` again and again until it returns successfully, which a job does only when stopped.
pub(super) async fn run<F, Fut>(
    name: &'static str,
    stop: &CancellationToken,
    progress: &watch::Sender<JobProgress>,
    job: F,
) where
    F: Fn() -> Fut,
    Fut: Future<Output = anyhow::Result<()>>,
{
    while let Err(error) = job().await {
        progress.send_modify(|progress| progress.ready = false);
        tracing::error!(job = name, error = format!("{error:#}"), "a job failed and will restart");
        tokio::select! {
            () = tokio::time::sleep(RESTART_DELAY) => {}
            () = stop.cancelled() => return,
        }
    }
    tracing::debug!(job = name, "stopped");
}
