//! Stores the facts of tenders that an earlier version of the program stored, or that its rules derived.
//! The current version stores them with each revision.

use crate::{app::state::AppState, services::market};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause after a run that found nothing. During an upgrade, processes of the last release store tenders.
const INTERVAL: Duration = Duration::from_mins(1);

/// Fills in facts until stopped.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    while !stop.is_cancelled() {
        if market::fill_facts(state).await? {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
    Ok(())
}
