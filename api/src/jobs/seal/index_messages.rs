//! Seals weekly summaries and monthly reports, which are composed from the index. Each is sealed in a
//! transaction of its own, so that a failure does not affect other messages.

use super::{
    batch::{self, SealingContext},
    composed_message::ComposedMessage,
    monthly_report, weekly_summary,
};
use crate::{
    app::state::AppState,
    domain::digest::DigestKind,
    services::notifications::mail_frame::Envelope,
    storage::{
        self, deliveries,
        digest_queue::due::{self, GatheredMessage},
    },
};
use jiff::SignedDuration;
use sqlx::{Acquire, PgConnection};

/// The delay after a failure to compose a message.
const RETRY_DELAY: SignedDuration = SignedDuration::from_mins(5);

/// Whether a message that is composed from the index is due.
pub(super) async fn is_any_due(state: &AppState) -> Result<bool, sqlx::Error> {
    let mut tx = storage::begin(&state.db).await?;
    storage::disable_seq_scans(&mut tx).await?;
    let is_any_due = due::has_due_index_messages(&mut tx, state.clock.now()).await?;
    tx.commit().await?;
    Ok(is_any_due)
}

/// Seals a due message, or postpones it if it cannot be composed now. Returns the number of processed
/// messages: zero or one.
pub(super) async fn seal_one(state: &AppState) -> anyhow::Result<usize> {
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    storage::disable_seq_scans(&mut tx).await?;
    let due = due::lock_due_index_message(&mut tx, now).await?;
    let gathered = due::gather_user_messages(&mut tx, due.as_slice(), now).await?;
    for message in &gathered.to_seal {
        let context = SealingContext::of(state, message);
        let mut reading = tx.begin().await?;
        let composed = compose(state, &mut reading, message, &context.envelope(state, message)).await;
        // Nothing was written. After an error of the database, only a savepoint lets the transaction
        // continue.
        reading.rollback().await?;
        match composed {
            Ok(composed) => {
                let written = vec![(message.due.id, context.message_id, composed)];
                batch::store_messages(&mut tx, written, now).await?;
            }
            Err(error) => {
                let retry_at = now.saturating_add(RETRY_DELAY).unwrap_or(now);
                tracing::error!(delivery = %message.due.id, error = format!("{error:#}"), "a message can't be composed now; it is postponed");
                deliveries::postpone(&mut tx, message.due.id, retry_at).await?;
            }
        }
    }
    tx.commit().await?;
    Ok(due.as_slice().len() - gathered.busy)
}

async fn compose(
    state: &AppState,
    tx: &mut PgConnection,
    message: &GatheredMessage,
    envelope: &Envelope<'_>,
) -> anyhow::Result<ComposedMessage> {
    let due = &message.due;
    match due.kind {
        DigestKind::Report => monthly_report::compose(state, tx, (due.id, due.user_id), envelope).await,
        _ => weekly_summary::compose(state, tx, due.user_id, envelope).await,
    }
}
