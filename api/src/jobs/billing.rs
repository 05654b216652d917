//! Applies due changes of subscriptions and payments: see [`crate::services::billing::lifecycle`].

use crate::{app::state::AppState, services::billing::lifecycle, storage::portal_state};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause between two runs.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Processes due changes until stopped. While sending is off, it does nothing, because the changes
/// charge cards and tell the payment provider.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        if portal_state::sending_off(&state.db).await?.is_none() {
            lifecycle::run_due(&state.billing()).await?;
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}
