//! By mail: through the mail server or into a maildir, at a pace for each domain.

use super::MessageSender;
use crate::{
    app::state::AppState,
    base::throttle::Pace,
    clients::send_error::SendError,
    services::notifications::{bounces, dsn::Failure},
    storage::deliveries::sending::{self, Leased},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// Mail, as the settings say.
pub struct Email<'s> {
    state: &'s AppState,
    lease: SignedDuration,
}

impl<'s> Email<'s> {
    /// On this server.
    ///
    /// # Errors
    /// When the time-out set is beyond all bounds.
    pub fn new(state: &'s AppState) -> anyhow::Result<Self> {
        Ok(Self { state, lease: SignedDuration::try_from(state.config.mail.lease())? })
    }
}

impl MessageSender for Email<'_> {
    fn width(&self) -> usize {
        usize::from(self.state.config.mail.mail_connections)
    }

    fn lease(&self) -> SignedDuration {
        self.lease
    }

    async fn take(&self, span: (Timestamp, Timestamp), limit: usize) -> Result<Vec<Leased>, sqlx::Error> {
        let pace = Pace::a_minute(self.state.config.mail.mail_a_minute_per_domain);
        sending::lease_mails(&self.state.db, pace, span, limit).await
    }

    async fn send(&self, message: &Leased) -> Result<(), SendError> {
        let from = self.state.config.mail.return_path(&self.state.sender, message.id);
        let from = from.map_err(|error| SendError::Unavailable(error.to_string()))?;
        self.state.transport.send(message.id, &from, &message.address, message.content.clone()).await
    }

    async fn learn(
        &self,
        tx: &mut PgConnection,
        message: &Leased,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        if let Err(SendError::Permanent(words)) = outcome {
            bounces::bounced(tx, &self.state.clock, message.id, &Failure::new(words)).await?;
        }
        Ok(())
    }
}
