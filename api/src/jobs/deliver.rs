//! Has messages sealed whose time has come ([`super::seal`]), after what opens some by the day ([`super::passes`]).

use super::{passes, seal};
use crate::{auth::mailed_link, state::AppState};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it looks for messages that are due.
const POLL: Duration = Duration::from_millis(500);

/// Seals until told to stop.
///
/// # Errors
/// When the database fails.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        mailed_link::answer_requests(state).await?;
        passes::make(state).await?;
        let sealed = seal::due(state).await?;
        state.progress.sealing.send_modify(|station| station.ready = true);
        if sealed > 0 && !stop.is_cancelled() {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}
