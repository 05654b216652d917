//! Waits for the change log to grow. A notification wakes a job at once. Because notifications can
//! be lost, the job also wakes every second.

use crate::storage::changes;
use sqlx::{PgPool, postgres::PgListener};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// The maximum wait for a notification.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// Listens for notifications of new changes.
pub(super) struct ChangeListener(PgListener);

impl ChangeListener {
    /// Starts listening.
    pub(super) async fn new(db: &PgPool) -> Result<Self, sqlx::Error> {
        let mut listener = PgListener::connect_with(db).await?;
        listener.listen(changes::CHANNEL).await?;
        Ok(Self(listener))
    }

    /// Waits for a notification or one second. Returns false when stopped.
    pub(super) async fn wait(&mut self, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
        tokio::select! {
            () = stop.cancelled() => Ok(false),
            () = tokio::time::sleep(MAX_WAIT) => Ok(true),
            notified = self.0.try_recv() => notified.map(|_| true),
        }
    }
}
