//! Sends sealed messages, each channel by a loop of its own. No transaction is open while anybody outside is spoken to: whoever dies in
//! between, the message is sent again as it was, under the same id, after its lease runs out.

use super::Station;
use crate::{
    channels::{Channel, SendError},
    db::deliveries::sending::{self, Leased},
    state::AppState,
};
use futures::{StreamExt, stream::FuturesUnordered};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often it looks for messages that are due.
const POLL: Duration = Duration::from_millis(500);

/// How long to wait after each failed attempt, in minutes: two days in all. After the last the message is dead.
const BACK_OFF_MINUTES: [i64; 10] = [1, 5, 15, 30, 60, 180, 360, 540, 720, 960];

/// The longest pause between looks whether anybody is there again.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);

/// Sends until told to stop: so many messages at a time as the channel takes, and one while nobody is there to take any.
///
/// # Errors
/// When the database fails; what was leased is sent after its lease.
pub async fn run<C: Channel>(
    state: &AppState,
    channel: &C,
    station: &watch::Sender<Station>,
    stop: &CancellationToken,
) -> anyhow::Result<()> {
    let mut under_way = FuturesUnordered::new();
    let mut ended = Vec::new();
    let mut outage = Outage::default();
    loop {
        let width = if outage.is_over() { channel.width() } else { 1 };
        // Half of the places at a time: a question for each message would cost more than the message.
        if under_way.len() <= width / 2 && !stop.is_cancelled() {
            let now = state.clock.now();
            let until = now.saturating_add(channel.lease())?;
            let taking = channel.take((now, until), width - under_way.len());
            let leased = beside(&mut under_way, &mut ended, taking).await?;
            under_way.extend(leased.into_iter().map(|message| send(state, channel, message)));
        }
        // One that takes long must not keep others waiting that have become due.
        let Ok(one) = tokio::time::timeout(POLL, next(&mut under_way, &mut ended)).await else { continue };
        let pause = match one {
            Some(was_there) => {
                let mut was_there = was_there?;
                while !was_there && let Some(other) = next(&mut under_way, &mut ended).await {
                    was_there = other?;
                }
                outage.learn(was_there)
            }
            None if stop.is_cancelled() => return Ok(()),
            None => Some(POLL),
        };
        station.send_modify(|station| station.ready = outage.is_over());
        if let Some(pause) = pause {
            wait(pause, stop).await;
        }
    }
}

/// Waits for something while messages go on: they may hold the connections to the database that it waits for.
async fn beside<F: Future, T>(
    under_way: &mut FuturesUnordered<F>,
    ended: &mut Vec<F::Output>,
    wanted: impl Future<Output = T>,
) -> T {
    tokio::pin!(wanted);
    loop {
        tokio::select! {
            done = &mut wanted => return done,
            Some(one) = under_way.next() => ended.push(one),
        }
    }
}

/// The next message that has ended.
async fn next<F: Future>(
    under_way: &mut FuturesUnordered<F>,
    ended: &mut Vec<F::Output>,
) -> Option<F::Output> {
    match ended.pop() {
        Some(one) => Some(one),
        None => under_way.next().await,
    }
}

async fn wait(time: Duration, stop: &CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        () = tokio::time::sleep(time) => {}
    }
}

/// Whether anybody is there to take messages.
#[derive(Debug, Default)]
struct Outage {
    /// How often in a row none was.
    looks: u32,
}

impl Outage {
    const fn is_over(&self) -> bool {
        self.looks == 0
    }

    /// Answers how long to pause before the next look: twice as long each time.
    fn learn(&mut self, was_there: bool) -> Option<Duration> {
        if was_there {
            self.looks = 0;
            return None;
        }
        self.looks += 1;
        Some(Duration::from_secs(1 << self.looks.min(6)).min(LONGEST_PAUSE))
    }
}

/// Sends one message and records what became of it. Answers whether anybody was there.
async fn send<C: Channel>(state: &AppState, channel: &C, message: Leased) -> anyhow::Result<bool> {
    let outcome = channel.send(&message).await;
    let now = state.clock.now();
    let Err(error) = outcome else {
        let mut db = state.db.acquire().await?;
        sending::sent(&mut db, &message, now).await?;
        channel.learn(&mut db, &message, Ok(())).await?;
        tracing::info!(delivery = %message.id, attempt = message.attempt, "sent");
        return Ok(true);
    };
    let reason: String = error.to_string().chars().filter(|c| !c.is_control()).take(500).collect();
    let mut tx = state.db.begin().await?;
    match &error {
        SendError::Unavailable(_) => sending::put_back(&mut tx, &message, &reason, now).await?,
        SendError::Permanent(_) => sending::failed(&mut tx, &message, &reason, None).await?,
        SendError::Transient(_) => {
            sending::failed(&mut tx, &message, &reason, again_at(message.attempt, now)).await?;
        }
    }
    channel.learn(&mut tx, &message, Err(&error)).await?;
    tx.commit().await?;
    // Others' words often repeat the address: they stay in the row.
    let is_there = !matches!(error, SendError::Unavailable(_));
    tracing::warn!(delivery = %message.id, attempt = message.attempt, is_there, "not sent");
    Ok(is_there)
}

/// When a failed attempt may be repeated. `None`: never.
fn again_at(attempt: i32, now: Timestamp) -> Option<Timestamp> {
    let minutes = BACK_OFF_MINUTES.get(usize::try_from(attempt - 1).ok()?)?;
    now.saturating_add(SignedDuration::from_mins(*minutes)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_go_on_for_two_days() {
        let now = Timestamp::UNIX_EPOCH;
        assert_eq!(again_at(1, now), Some(now + SignedDuration::from_mins(1)));
        let total: i64 = BACK_OFF_MINUTES.iter().sum();
        assert!((40 * 60..=50 * 60).contains(&total), "{total} minutes");
        assert_eq!(again_at(11, now), None);
    }

    #[test]
    fn while_no_server_is_there_it_looks_ever_less_often_and_then_at_once_goes_on() {
        let mut outage = Outage::default();
        assert_eq!((outage.is_over(), outage.learn(true)), (true, None));
        let pauses: Vec<u64> =
            (0..8).filter_map(|_| outage.learn(false)).map(|pause| pause.as_secs()).collect();
        assert_eq!((outage.is_over(), pauses), (false, vec![2, 4, 8, 16, 32, 60, 60, 60]));
        assert_eq!((outage.learn(true), outage.is_over()), (None, true));
    }
}
