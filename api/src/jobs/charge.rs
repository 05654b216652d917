//! What time does to subscriptions and payments: see [`crate::billing::work`].

use crate::{billing::work, state::AppState};
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
        work::pass(state).await?;
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}
