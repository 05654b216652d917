//! Seals messages whose time has come: a message's identity and content are fixed and committed before anything leaves.

use crate::{auth::mailed_link, db::deliveries, mail::compose, state::AppState};
use index::vocabulary::Moment;
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
        let sealed = seal_due(state).await?;
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
