//! Waiting for the change log to grow: a notification wakes at once, and a poll each second decides, as notifications
//! can be lost.

use crate::storage::changes;
use sqlx::{PgPool, postgres::PgListener};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How long it waits when nobody wakes it.
const POLL: Duration = Duration::from_secs(1);

/// One follower's ear.
pub(super) struct Wake(PgListener);

impl Wake {
    /// Begins to listen.
    pub(super) async fn new(db: &PgPool) -> Result<Self, sqlx::Error> {
        let mut listener = PgListener::connect_with(db).await?;
        listener.listen(changes::CHANNEL).await?;
        Ok(Self(listener))
    }

    /// Waits for a change or a second. False when told to stop.
    pub(super) async fn wait(&mut self, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
        tokio::select! {
            () = stop.cancelled() => Ok(false),
            () = tokio::time::sleep(POLL) => Ok(true),
            heard = self.0.try_recv() => heard.map(|_| true),
        }
    }
}
