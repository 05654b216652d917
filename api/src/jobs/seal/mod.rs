//! Has messages sealed whose time has come ([`super::seal::batch`]), after what opens some by the day ([`super::scheduled`]).

pub mod batch;
pub mod composed;
pub mod monthly_report;

use super::scheduled;
use crate::{app::state::AppState, services::accounts::mailed_links, storage::deliveries};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it looks for messages that are due.
const POLL: Duration = Duration::from_millis(500);

/// By how much the clocks of two machines may differ, and no more.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Seals until told to stop.
///
/// # Errors
/// When the database fails.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut latest = None;
    loop {
        let now = state.clock.now();
        if was_set_back(&mut latest, now) {
            let count = deliveries::bring_back(&state.db, now, SKEW).await?;
            if count > 0 {
                tracing::warn!(count, "the clock was ahead: messages that would have waited for it go now");
            }
        }
        mailed_links::answer_requests(state).await?;
        scheduled::make(state).await?;
        let sealed = batch::due(state).await?;
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

/// Whether the clock stands before where it was seen last. At first it may: another process had another clock.
fn was_set_back(latest: &mut Option<Timestamp>, now: Timestamp) -> bool {
    latest.replace(now).is_none_or(|latest| now < latest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_goes_on_was_not_set_back() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut latest = None;
        let seen = [5, 5, 6, 4, 5].map(|second| was_set_back(&mut latest, at(second)));
        assert_eq!(seen, [true, false, false, true, false]);
    }
}
