//! The job of the daily figures. It stores the searches that found nothing, observes the age of the
//! queues, and records the figures of each day after its end.

use crate::{app::state::AppState, services::daily_figures};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause between two runs.
const INTERVAL: Duration = Duration::from_secs(30);

/// Runs the job until stopped. At the end, it stores the searches that were counted last.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        daily_figures::store_empty_searches(state).await?;
        daily_figures::sample_queues(state).await?;
        daily_figures::record_days(state).await?;
        tokio::select! {
            () = stop.cancelled() => {
                daily_figures::store_empty_searches(state).await?;
                return Ok(());
            }
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Stores the searches of this process that found nothing, until stopped. Another process records the
/// figures.
pub(super) async fn store_empty_searches(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        daily_figures::store_empty_searches(state).await?;
        tokio::select! {
            () = stop.cancelled() => return Ok(daily_figures::store_empty_searches(state).await?),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}
