//! Sends sealed messages, in one loop for mail, one for SMS and WhatsApp, and one for webhooks. No
//! transaction stays open during a network call. If the process dies while it sends a message, the
//! message is sent again after its lease expires, unchanged and under the same id.

use crate::{
    app::{metrics::portal::AttemptOutcome, progress::JobProgress, state::AppState},
    base::trace::trace_span,
    clients::send_error::SendError,
    domain::channel::Channel,
    services::notifications::senders::MessageSender,
    storage::{
        self,
        deliveries::sending::{self, LeasedMessage},
        portal_state,
    },
};
use futures::{FutureExt, StreamExt, future::BoxFuture, stream::FuturesUnordered};
use jiff::{SignedDuration, Timestamp};
use std::{mem, time::Duration};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, field::Empty};

/// The pause while nothing is being sent, and the maximum wait for an attempt to end.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// The delay after each failed attempt, in minutes; about two days in total. If the attempt after
/// the last delay fails too, the message is dead.
const BACK_OFF_MINUTES: [i64; 10] = [1, 5, 15, 30, 60, 180, 360, 540, 720, 960];

/// The interval between attempts to record outcomes while the database fails.
const RECORDING_INTERVAL: Duration = Duration::from_secs(1);

/// The maximum delay between checks during an outage.
const MAX_OUTAGE_PAUSE: Duration = Duration::from_secs(60);

/// A message and the outcome of an attempt to send it.
struct Attempt {
    message: LeasedMessage,
    outcome: Result<(), SendError>,
}

/// Ended attempts whose outcomes are not recorded yet.
#[derive(Default)]
struct Ended {
    sent: Vec<LeasedMessage>,
    failed: Vec<(LeasedMessage, SendError)>,
}

impl Ended {
    const fn is_empty(&self) -> bool {
        self.sent.is_empty() && self.failed.is_empty()
    }

    const fn len(&self) -> usize {
        self.sent.len() + self.failed.len()
    }
}

impl Extend<Attempt> for Ended {
    fn extend<T: IntoIterator<Item = Attempt>>(&mut self, attempts: T) {
        for Attempt { message, outcome } in attempts {
            match outcome {
                Ok(()) => self.sent.push(message),
                Err(error) => self.failed.push((message, error)),
            }
        }
    }
}

/// Running attempts, and those that have ended.
struct InFlight<'a> {
    attempts: FuturesUnordered<BoxFuture<'a, Attempt>>,
    ended: Ended,
}

impl InFlight<'_> {
    fn new() -> Self {
        Self { attempts: FuturesUnordered::new(), ended: Ended::default() }
    }

    /// Awaits a future while the attempts continue.
    async fn run_with<T>(&mut self, wanted: impl Future<Output = T>) -> T {
        tokio::pin!(wanted);
        loop {
            tokio::select! {
                done = &mut wanted => return done,
                Some(one) = self.attempts.next() => self.ended.extend([one]),
            }
        }
    }

    /// Waits until an attempt has ended, unless none is running.
    async fn wait_for_ended(&mut self) {
        if self.ended.is_empty() {
            self.ended.extend(self.attempts.next().await);
        }
        while let Some(Some(one)) = self.attempts.next().now_or_never() {
            self.ended.extend([one]);
        }
    }

    /// Records the outcomes of the ended attempts while the others continue. Returns whether the channel
    /// was available for any of them. After an error, the outcomes that were not recorded are kept.
    async fn record_ended<C: MessageSender>(
        &mut self,
        state: &AppState,
        channel: &C,
    ) -> anyhow::Result<bool> {
        let mut recording = mem::take(&mut self.ended);
        let recorded = self.run_with(record_outcomes(state, channel, &mut recording)).await;
        self.ended.sent.append(&mut recording.sent);
        self.ended.failed.append(&mut recording.failed);
        recorded
    }

    /// Lets the running attempts end, and records all outcomes when the database works again. Otherwise,
    /// messages that were sent would be sent again after their lease. Gives up if the process is stopping.
    async fn settle<C: MessageSender>(&mut self, state: &AppState, channel: &C, stop: &CancellationToken) {
        while !self.attempts.is_empty() {
            self.ended.extend(self.attempts.next().await);
        }
        while let Err(error) = self.record_ended(state, channel).await {
            let outcomes = self.ended.len();
            if stop.is_cancelled() {
                tracing::error!(outcomes, "the outcomes of attempts are lost; these messages are sent again");
                return;
            }
            tracing::debug!(outcomes, error = format!("{error:#}"), "the outcomes of attempts wait");
            wait(RECORDING_INTERVAL, stop).await;
        }
    }
}

/// Sends messages until stopped, as many in parallel as the channel accepts. During an outage, it
/// tries one message at a time. If the outcome of an attempt is not recorded, the message is sent
/// again after its lease. While sending is off, it sends nothing.
///
/// # Errors
///
/// The database fails. The running attempts have ended, and their outcomes are recorded.
pub async fn run<C: MessageSender>(
    state: &AppState,
    channel: &C,
    progress: &watch::Sender<JobProgress>,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let mut in_flight = InFlight::new();
    let sending = send_until_stopped(state, channel, progress, stop, &mut in_flight).await;
    if sending.is_err() {
        progress.send_modify(|progress| progress.ready = false);
        in_flight.settle(state, channel, stop).await;
    }
    sending
}

async fn send_until_stopped<'a, C: MessageSender>(
    state: &AppState,
    channel: &'a C,
    progress: &watch::Sender<JobProgress>,
    stop: &CancellationToken,
    in_flight: &mut InFlight<'a>,
) -> anyhow::Result<()> {
    let mut outage = Outage::default();
    loop {
        let is_off = in_flight.run_with(portal_state::sending_off(&state.db)).await?.is_some();
        let width = if outage.is_over() { channel.concurrency() } else { 1 };
        // Lease only when at least half of the slots are free: one query per message would cost
        // more than sending the message.
        if in_flight.attempts.len() <= width / 2 && !stop.is_cancelled() && !is_off {
            let now = state.clock.now();
            let until = now.saturating_add(channel.lease_duration())?;
            let leasing = channel.lease((now, until), width - in_flight.attempts.len());
            let leased = in_flight.run_with(leasing).await?;
            let attempts = leased.into_iter().map(|message| attempt_to_send(channel, message).boxed());
            in_flight.attempts.extend(attempts);
        }
        // A slow attempt must not delay messages that become due meanwhile.
        if tokio::time::timeout(POLL_INTERVAL, in_flight.wait_for_ended()).await.is_err() {
            continue;
        }
        let pause = if in_flight.ended.is_empty() {
            if stop.is_cancelled() {
                return Ok(());
            }
            Some(POLL_INTERVAL)
        } else {
            let mut was_available = false;
            while !in_flight.ended.is_empty() {
                was_available |= in_flight.record_ended(state, channel).await?;
                // Until an attempt finds the channel available, wait for the other attempts.
                if !was_available {
                    in_flight.wait_for_ended().await;
                }
            }
            outage.record(was_available)
        };
        progress.send_modify(|progress| progress.ready = outage.is_over());
        if let Some(pause) = pause {
            wait(pause, stop).await;
        }
    }
}

async fn wait(time: Duration, stop: &CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = tokio::time::sleep(time) => {}
    }
}

/// Tracks an outage of the channel.
#[derive(Debug, Default)]
struct Outage {
    /// The number of consecutive failed checks.
    failed_checks: u32,
}

impl Outage {
    const fn is_over(&self) -> bool {
        self.failed_checks == 0
    }

    /// Records a check. After a failure, returns the delay until the next check. The delay doubles
    /// with each further failure, up to a maximum.
    fn record(&mut self, was_available: bool) -> Option<Duration> {
        if was_available {
            self.failed_checks = 0;
            return None;
        }
        self.failed_checks += 1;
        Some(Duration::from_secs(1 << self.failed_checks.min(6)).min(MAX_OUTAGE_PAUSE))
    }
}

async fn attempt_to_send<C: MessageSender>(channel: &C, message: LeasedMessage) -> Attempt {
    let name = channel.channel(&message).map(Channel::as_str);
    let span = trace_span!("send", channel = name, sent = Empty);
    let outcome = channel.send(&message).instrument(span.clone()).await;
    span.record("sent", outcome.is_ok());
    Attempt { message, outcome }
}

/// Records the outcomes of attempts, and marks all sent messages in one statement. Removes the attempts
/// that are recorded. Returns whether the channel was available for any of them. After an error, the call
/// can be repeated.
async fn record_outcomes<C: MessageSender>(
    state: &AppState,
    channel: &C,
    ended: &mut Ended,
) -> anyhow::Result<bool> {
    let now = state.clock.now();
    let mut was_available = !ended.sent.is_empty();
    if was_available {
        let mut db = state.db.acquire().await?;
        sending::mark_sent(&mut db, &ended.sent, now).await?;
        for message in &ended.sent {
            channel.record_outcome(&mut db, message, Ok(())).await?;
        }
        for message in ended.sent.drain(..) {
            count_attempt(state, channel, &message, AttemptOutcome::Sent);
            tracing::info!(delivery = %message.id, attempt = message.attempt, "sent");
        }
    }
    while let Some((message, error)) = ended.failed.last() {
        record_failure(state, channel, message, error, now).await?;
        // Error texts often contain the address, so they are stored but not logged.
        let is_available = !matches!(error, SendError::Unavailable(_));
        tracing::warn!(delivery = %message.id, attempt = message.attempt, is_available, "not sent");
        was_available |= is_available;
        ended.failed.pop();
    }
    Ok(was_available)
}

/// Records a failed attempt, unless that has been done or the message's lease has passed to another
/// process.
async fn record_failure<C: MessageSender>(
    state: &AppState,
    channel: &C,
    message: &LeasedMessage,
    error: &SendError,
    now: Timestamp,
) -> anyhow::Result<()> {
    let reason: String = error.to_string().chars().filter(|c| !c.is_control()).take(500).collect();
    let mut tx = storage::begin(&state.db).await?;
    let (is_ours, outcome) = match error {
        SendError::Unavailable(_) => {
            (sending::return_untried(&mut tx, message, &reason, now).await?, AttemptOutcome::Unavailable)
        }
        SendError::Permanent(_) => {
            (sending::record_failure(&mut tx, message, &reason, None).await?, AttemptOutcome::Refused)
        }
        SendError::Transient(_) => {
            let retry_at = retry_at(message.attempt, now);
            let is_ours = sending::record_failure(&mut tx, message, &reason, retry_at).await?;
            (is_ours, if retry_at.is_some() { AttemptOutcome::Deferred } else { AttemptOutcome::GivenUp })
        }
    };
    if is_ours {
        channel.record_outcome(&mut tx, message, Err(error)).await?;
    }
    tx.commit().await?;
    count_attempt(state, channel, message, outcome);
    Ok(())
}

fn count_attempt<C: MessageSender>(
    state: &AppState,
    sender: &C,
    message: &LeasedMessage,
    outcome: AttemptOutcome,
) {
    if let Some(channel) = sender.channel(message) {
        state.metrics.portal.record_attempt(channel, outcome);
    }
}

/// Returns when to retry after a failed attempt. `None`: never.
fn retry_at(attempt: i32, now: Timestamp) -> Option<Timestamp> {
    let minutes = BACK_OFF_MINUTES.get(usize::try_from(attempt - 1).ok()?)?;
    now.saturating_add(SignedDuration::from_mins(*minutes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn retries_last_about_two_days() {
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(retry_at(1, now), Some(now + SignedDuration::from_mins(1)));
        let total: i64 = BACK_OFF_MINUTES.iter().sum();
        assert!((40 * 60..=50 * 60).contains(&total), "{total} minutes");
        assert_eq!(retry_at(11, now), None);
    }

    #[test]
    fn outage_checks_back_off_and_reset() {
        let mut outage = Outage::default();
        assert_eq!((outage.is_over(), outage.record(true)), (true, None));
        let pauses: Vec<u64> =
            (0..8).filter_map(|_| outage.record(false)).map(|pause| pause.as_secs()).collect();
        assert_eq!((outage.is_over(), pauses), (false, vec![2, 4, 8, 16, 32, 60, 60, 60]));
        assert_eq!((outage.record(true), outage.is_over()), (None, true));
    }
}
