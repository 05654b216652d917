//! The sealing job. It processes requested password resets, opens scheduled mails
//! ([`super::scheduled_mails`]), mails administrators ([`super::administrator_mails`],
//! [`super::coverage_mails`]) and seals all messages that are due ([`batch`], [`index_messages`]).

pub(crate) mod batch;
pub(crate) mod composed_message;
pub(crate) mod index_gate;
pub(crate) mod index_messages;
pub(crate) mod monthly_report;
pub(crate) mod weekly_summary;

use self::index_gate::IndexGate;

use super::{administrator_mails, bid_reminders, coverage_mails, scheduled_mails};
use crate::{app::state::AppState, services::accounts::mailed_links, storage::deliveries};
use futures::future;
use jiff::{SignedDuration, Timestamp};
use std::{num::NonZeroUsize, thread, time::Duration};
use tokio_util::sync::CancellationToken;

/// The pause after a run that sealed no message.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The tolerated difference between the clocks of two machines.
const MAX_CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);

/// The maximum number of parallel transactions.
const MAX_WORKERS: usize = 4;

/// The connections for jobs that are left to other jobs. Two of them wait for changes.
const CONNECTIONS_OF_OTHER_JOBS: u32 = 4;

/// Runs the job until stopped.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let (mut latest, mut last_gap_check, mut last_reminder_check) = (None, None, None);
    let mut index_gate = IndexGate::default();
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
        bid_reminders::run_due(state, &mut last_reminder_check).await?;
        let sealed = seal_due(state, &mut index_gate).await?;
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

/// The messages that a worker seals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SealedKinds {
    /// Messages of alerts and about saved tenders.
    Digests,
    /// Also messages that are composed from the index. They wait until no other message is due,
    /// because they take longest to compose.
    All,
}

/// Seals all due messages. Messages that are composed from the index stay open while this process's
/// index is incomplete. Returns the number of processed messages.
async fn seal_due(state: &AppState, index_gate: &mut IndexGate) -> anyhow::Result<usize> {
    let mut sealed = run_workers(state, SealedKinds::Digests).await?;
    if index_messages::is_any_due(state).await? && index_gate.is_open(state).await? {
        sealed += run_workers(state, SealedKinds::All).await?;
    }
    Ok(sealed)
}

/// Seals due messages in parallel transactions. Returns the number of processed messages.
async fn run_workers(state: &AppState, kinds: SealedKinds) -> anyhow::Result<usize> {
    let workers = (0..worker_count(state)).map(|_| seal_until_none_is_due(state, kinds));
    // A failed worker must not abort the transactions of the others.
    future::join_all(workers).await.into_iter().sum()
}

/// Each worker uses one connection.
fn worker_count(state: &AppState) -> usize {
    let connections = state.config.database_limits.job_database_connections;
    let connections = connections.saturating_sub(CONNECTIONS_OF_OTHER_JOBS) as usize;
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    cores.min(connections).clamp(1, MAX_WORKERS)
}

async fn seal_until_none_is_due(state: &AppState, kinds: SealedKinds) -> anyhow::Result<usize> {
    let mut sealed = 0;
    loop {
        let mut count = batch::seal_batch(state).await?;
        if count == 0 && kinds == SealedKinds::All {
            count = index_messages::seal_one(state).await?;
        }
        // Nothing is due, or other transactions have locked the rows. The next run retries.
        if count == 0 {
            return Ok(sealed);
        }
        sealed += count;
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
