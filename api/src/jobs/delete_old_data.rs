//! Deletes or empties personal data that is older than the settings `RETAIN_…` say, and the counts of
//! attempts and of requests that no longer limit anything. Each batch is one short statement, so that no
//! table is locked for long and the job can be killed at any point.

use crate::{
    app::{request_ceiling, shared_limit, state::AppState},
    storage::retention,
};
use jiff::{SignedDuration, Timestamp};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The pause between two runs.
const INTERVAL: Duration = Duration::from_hours(1);
/// The number of rows that one statement handles.
const BATCH_SIZE: i64 = 500;

/// A kind of data that is kept for a limited time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum KeptData {
    Sessions,
    ExchangedTokens,
    Links,
    Messages,
    GuestViews,
    Downloads,
    ContactMessages,
    PaymentEvents,
}

impl KeptData {
    const ALL: [Self; 8] = [
        Self::Sessions,
        Self::ExchangedTokens,
        Self::Links,
        Self::Messages,
        Self::GuestViews,
        Self::Downloads,
        Self::ContactMessages,
        Self::PaymentEvents,
    ];

    /// The days for which it is kept. 0: for ever.
    fn days(self, state: &AppState) -> u16 {
        let settings = &state.config.retention;
        match self {
            Self::Sessions | Self::ExchangedTokens => settings.retain_sessions_days,
            Self::Links => settings.retain_links_days,
            Self::Messages => settings.retain_messages_days,
            Self::GuestViews => settings.retain_guest_views_days,
            Self::Downloads => settings.retain_downloads_days,
            Self::ContactMessages => settings.retain_contact_days,
            Self::PaymentEvents => settings.retain_payment_events_days,
        }
    }

    /// Handles a batch of rows from before a moment. Returns their number.
    async fn remove(self, state: &AppState, before: Timestamp) -> Result<u64, sqlx::Error> {
        let db = &state.db;
        match self {
            Self::Sessions => retention::delete_sessions(db, before, BATCH_SIZE).await,
            Self::ExchangedTokens => retention::delete_exchanged_tokens(db, before, BATCH_SIZE).await,
            Self::Links => retention::delete_links(db, before, BATCH_SIZE).await,
            Self::Messages => retention::empty_messages(db, before, state.clock.now(), BATCH_SIZE).await,
            Self::GuestViews => retention::anonymise_guest_views(db, before, BATCH_SIZE).await,
            Self::Downloads => retention::delete_downloads(db, before, BATCH_SIZE).await,
            Self::ContactMessages => retention::delete_contact_messages(db, before, BATCH_SIZE).await,
            Self::PaymentEvents => retention::delete_payment_events(db, before, BATCH_SIZE).await,
        }
    }
}

/// Deletes old data when the server starts, and then every hour until stopped.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        delete_old_data(state, stop).await?;
        shared_limit::delete_full(&state.db, &state.clock).await?;
        request_ceiling::delete_full(&state.db, &state.clock).await?;
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Deletes all data that is too old. A failure of one kind does not stop the others.
///
/// # Errors
///
/// The first failure.
pub async fn delete_old_data(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    let mut outcome = Ok(());
    for kind in KeptData::ALL {
        let days = kind.days(state);
        if days == 0 {
            continue;
        }
        let before = state.clock.now().saturating_sub(SignedDuration::from_hours(24 * i64::from(days)))?;
        match remove_all(kind, state, before, stop).await {
            Ok(0) => {}
            Ok(rows) => tracing::info!(?kind, rows, "deleted or emptied old data"),
            Err(error) => outcome = outcome.and(Err(error.context(format!("deleting {kind:?}")))),
        }
    }
    outcome
}

/// Handles all rows of a kind from before a moment. Returns their number.
async fn remove_all(
    kind: KeptData,
    state: &AppState,
    before: Timestamp,
    stop: &CancellationToken,
) -> anyhow::Result<u64> {
    let mut total = 0;
    while !stop.is_cancelled() {
        match kind.remove(state, before).await? {
            0 => break,
            done => total += done,
        }
    }
    Ok(total)
}
