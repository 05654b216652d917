//! What time does to subscriptions and payments: see [`crate::services::billing::lifecycle`].

use crate::{app::state::AppState, services::billing::lifecycle};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it looks for what is due.
const POLL: Duration = Duration::from_millis(500);

/// Does what is due until told to stop.
///
/// # Errors
/// When the database fails.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        lifecycle::pass(&state.billing()).await?;
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}
