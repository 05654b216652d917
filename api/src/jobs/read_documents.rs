//! Reads the text of attached PDFs, one at a time. A document that was not read when the server stopped is
//! found again in the database.

use crate::{app::state::AppState, services::tenders::attachments};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause after a run that found nothing to read.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Reads documents until stopped.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    while !stop.is_cancelled() {
        if attachments::read_next_text(state, &state.documents).await? {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => break,
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
    Ok(())
}
