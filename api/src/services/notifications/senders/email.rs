//! Sends mails through the mail server or into a maildir, with a rate limit for each domain.

use super::MessageSender;
use crate::{
    app::context::Context,
    base::mail_send_rate::SendRate,
    clients::{send_error::SendError, smtp::Transport},
    domain::channel::Channel,
    services::notifications::{bounces, dsn::Failure},
    storage::deliveries::sending::{self, LeasedMessage},
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// The mail sender.
pub struct EmailSender<'s> {
    context: &'s Context,
    transport: &'s Transport,
    lease: SignedDuration,
}

impl<'s> EmailSender<'s> {
    /// Creates a sender from the configuration.
    ///
    /// # Errors
    /// Fails if the configured lease is out of range.
    pub fn new(context: &'s Context, transport: &'s Transport) -> anyhow::Result<Self> {
        Ok(Self { context, transport, lease: SignedDuration::try_from(context.config.mail.lease())? })
    }
}

impl MessageSender for EmailSender<'_> {
    fn channel(&self, _: &LeasedMessage) -> Option<Channel> {
        Some(Channel::Email)
    }

    fn concurrency(&self) -> usize {
        usize::from(self.context.config.mail.mail_connections)
    }

    fn lease_duration(&self) -> SignedDuration {
        self.lease
    }

    async fn lease(
        &self,
        lease_period: (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<LeasedMessage>, sqlx::Error> {
        let rate = SendRate::per_minute(self.context.config.mail.mail_a_minute_per_domain);
        sending::lease_mails(&self.context.db, rate, lease_period, limit).await
    }

    async fn send(&self, message: &LeasedMessage) -> Result<(), SendError> {
        let from = self.context.config.mail.return_path(&self.context.sender, message.id);
        let from = from.map_err(|error| SendError::Unavailable(error.to_string()))?;
        self.transport.send(message.id, &from, &message.address, message.content.clone()).await
    }

    async fn record_outcome(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        if let Err(SendError::Permanent(reply)) = outcome
            && let Some(failure) = Failure::of_refusal(reply)
        {
            bounces::record_bounce(tx, &self.context.clock, message.id, &failure).await?;
        }
        Ok(())
    }
}
