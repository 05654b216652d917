//! Seals messages whose time has come, and sends sealed ones. A message's identity and content are fixed and committed
//! before anything leaves, and no transaction is open while the mail server is spoken to: whoever dies in between, the
//! message is sent again as it was, under the same Message-ID, after its lease runs out.

use crate::{
    auth::mailed_link,
    db::deliveries::{self, Leased},
    mail::{compose, transport::SendError},
    state::AppState,
};
use futures::StreamExt;
use index::vocabulary::Moment;
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often it looks for messages that are due.
const POLL: Duration = Duration::from_millis(500);

/// How many messages are on their way at once.
const AT_ONCE: usize = 4;

/// How long to wait after each failed attempt, in minutes: two days in all. After the last the message is dead.
const BACK_OFF_MINUTES: [i64; 10] = [1, 5, 15, 30, 60, 180, 360, 540, 720, 960];

/// Seals and sends until told to stop.
///
/// # Errors
/// When the database fails.
pub async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        mailed_link::answer_requests(state).await?;
        let sealed = seal_due(state).await?;
        let sent = send_due(state).await?;
        state.progress.mail.send_modify(|station| station.ready = true);
        if sealed + sent > 0 && !stop.is_cancelled() {
            continue;
        }
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

/// Seals every open message that is due. Answers how many.
async fn seal_due(state: &AppState) -> anyhow::Result<usize> {
    let mut sealed = 0;
    loop {
        let now = state.clock.now();
        let mut tx = state.db.begin().await?;
        let Some(due) = deliveries::take_due(&mut tx, now).await? else { return Ok(sealed) };
        let items = deliveries::items(&mut tx, due.id).await?;
        if items.is_empty() {
            deliveries::drop_empty(&mut tx, due.id).await?;
        } else {
            let base_url = state.config.base_url();
            let message_id = compose::message_id(due.id, &base_url);
            let envelope = compose::Envelope {
                from: &state.sender,
                to: &due.address,
                first_name: &due.first_name,
                language: due.language,
                frequency: due.frequency,
                base_url: &base_url,
                unsubscribe: &state.unsubscribe.link(due.id),
                message_id: &message_id,
                now: Moment::new(now),
            };
            match compose::alert_mail(&envelope, &items) {
                Ok(content) => deliveries::seal(&mut tx, due.id, &message_id, &content, now).await?,
                Err(error) => {
                    // It must not hold up the others; who looks into dead messages finds it.
                    tracing::error!(delivery = %due.id, %error, "a message can't be put together");
                    deliveries::abandon(&mut tx, due.id, &error.to_string()).await?;
                }
            }
        }
        tx.commit().await?;
        sealed += 1;
    }
}

/// Leases what is due and sends it. Answers how many were tried.
async fn send_due(state: &AppState) -> anyhow::Result<usize> {
    let now = state.clock.now();
    let lease = SignedDuration::try_from(state.config.mail.lease())?;
    let leased = deliveries::lease(&state.db, now, now.saturating_add(lease)?, AT_ONCE as i64).await?;
    let tried = leased.len();
    let outcomes: Vec<_> = futures::stream::iter(leased)
        .map(|message| send(state, message))
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;
    outcomes.into_iter().collect::<Result<Vec<()>, _>>()?;
    Ok(tried)
}

async fn send(state: &AppState, message: Leased) -> Result<(), sqlx::Error> {
    let outcome =
        state.transport.send(message.id, &state.sender, &message.address, message.content.clone()).await;
    let now = state.clock.now();
    let mut db = state.db.acquire().await?;
    match outcome {
        Ok(()) => {
            deliveries::sent(&mut db, &message, now).await?;
            tracing::info!(delivery = %message.id, attempt = message.attempt, "sent");
        }
        Err(error) => {
            let again = again_at(&error, message.attempt, now);
            let reason: String = error.to_string().chars().take(500).collect();
            deliveries::failed(&mut db, &message, &reason, again).await?;
            // The server's words often repeat the address: they stay in the row.
            tracing::warn!(delivery = %message.id, attempt = message.attempt, dead = again.is_none(), "not sent");
        }
    }
    Ok(())
}

/// When a failed attempt may be repeated. `None`: never.
fn again_at(error: &SendError, attempt: i32, now: Timestamp) -> Option<Timestamp> {
    match error {
        SendError::Permanent(_) => None,
        SendError::Transient(_) => {
            let minutes = BACK_OFF_MINUTES.get(usize::try_from(attempt - 1).ok()?)?;
            now.saturating_add(SignedDuration::from_mins(*minutes)).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attempts_go_on_for_two_days_and_a_refusal_is_final() {
        let now = Timestamp::UNIX_EPOCH;
        let transient = SendError::Transient("greylisted".to_owned());
        let first = again_at(&transient, 1, now).unwrap();
        assert_eq!(first, now + SignedDuration::from_mins(1));
        let total: i64 = BACK_OFF_MINUTES.iter().sum();
        assert!((40 * 60..=50 * 60).contains(&total), "{total} minutes");
        assert_eq!(again_at(&transient, 11, now), None);
        assert_eq!(again_at(&SendError::Permanent("no such user".to_owned()), 1, now), None);
    }
}
