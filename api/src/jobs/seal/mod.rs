//! Opens scheduled messages ([`super::scheduled`]) and seals those that are due
//! ([`super::seal::batch`]).

pub mod batch;
pub mod composed_message;
pub mod monthly_report;

use super::scheduled;
use crate::{app::state::AppState, services::accounts::mailed_links, storage::deliveries};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The polling interval.
const POLL: Duration = Duration::from_millis(500);

/// The tolerated difference between the clocks of two machines.
const SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Seals until stopped.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut latest = None;
    loop {
        let now = state.clock.now();
        if was_set_back(&mut latest, now) {
            let count = deliveries::bring_back(&state.db, now, SKEW).await?;
            if count > 0 {
                tracing::warn!(count, "the clock was set back; delayed messages become due");
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

/// Whether the clock is earlier than last seen. The first reading never is: another process had
/// another clock.
fn was_set_back(latest: &mut Option<Timestamp>, now: Timestamp) -> bool {
    latest.replace(now).is_none_or(|latest| now < latest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advancing_clock_was_not_set_back() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut latest = None;
        let seen = [5, 5, 6, 4, 5].map(|second| was_set_back(&mut latest, at(second)));
        assert_eq!(seen, [true, false, false, true, false]);
    }
}
