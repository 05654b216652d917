//! Applies due changes of subscriptions and payments: see [`crate::services::billing::lifecycle`].

use crate::{app::state::AppState, services::billing::lifecycle};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause between two runs.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Processes due changes until stopped.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        lifecycle::run_due(&state.billing()).await?;
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}
