//! The sealing job. It processes requested password resets, opens scheduled mails
//! ([`super::scheduled_mails`]), mails administrators ([`super::administrator_mails`],
//! [`super::coverage_mails`]) and seals all messages that are due ([`batch`]).

pub(crate) mod batch;
pub(crate) mod composed_message;
pub(crate) mod monthly_report;

use super::{administrator_mails, coverage_mails, scheduled_mails};
use crate::{app::state::AppState, services::accounts::mailed_links, storage::deliveries};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause after a run that sealed no message.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The tolerated difference between the clocks of two machines.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// Runs the job until stopped.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let (mut latest, mut last_gap_check) = (None, None);
    loop {
        let now = state.clock.now();
        if was_set_back(&mut latest, now) {
            let count = deliveries::reset_future_times(&state.db, now, MAX_CLOCK_SKEW).await?;
            if count > 0 {
                tracing::warn!(count, "the clock was set back; delayed messages become due");
            }
        }
        mailed_links::process_reset_requests(state).await?;
        scheduled_mails::run_due(state).await?;
        administrator_mails::run_due(state).await?;
        coverage_mails::run_due(state, &mut last_gap_check).await?;
        let sealed = batch::seal_due(state).await?;
        state.progress.sealing.send_modify(|job| job.ready = true);
        if sealed > 0 && !stop.is_cancelled() {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL_INTERVAL) => {}
        }
    }
}

/// Whether the clock shows an earlier time than at the last call. The first call returns true,
/// because an earlier process may have had a different clock.
fn was_set_back(latest: &mut Option<Timestamp>, now: Timestamp) -> bool {
    latest.replace(now).is_none_or(|latest| now < latest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_counts_as_set_back_at_the_first_call_and_when_earlier() {
        let at = |second| Timestamp::from_second(second).unwrap();
        let mut latest = None;
        let seen = [5, 5, 6, 4, 5].map(|second| was_set_back(&mut latest, at(second)));
        assert_eq!(seen, [true, false, false, true, false]);
    }
}
