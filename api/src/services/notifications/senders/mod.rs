//! Senders of messages: mail ([`email`]), SMS and WhatsApp ([`phone`]), and webhooks ([`webhook`]).
//! [`crate::jobs::send`] runs each [`MessageSender`] in a loop. The loop also records the
//! outcome of each message and schedules retries.

pub(crate) mod email;
pub(crate) mod phone;
pub(crate) mod webhook;

use crate::{
    clients::send_error::SendError, domain::channel::Channel, storage::deliveries::sending::LeasedMessage,
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use std::future::Future;

/// A way to send messages.
pub trait MessageSender: Send + Sync {
    /// The channel of a message. `None`: its address is malformed.
    fn channel(&self, message: &LeasedMessage) -> Option<Channel>;

    /// The maximum number of messages that are sent at once.
    fn concurrency(&self) -> usize;

    /// How long a lease lasts. It is longer than sending a message can take.
    fn lease_duration(&self) -> SignedDuration;

    /// Leases up to `limit` messages that are due at the start of `lease_period`, until its end.
    fn lease(
        &self,
        lease_period: (Timestamp, Timestamp),
        limit: usize,
    ) -> impl Future<Output = Result<Vec<LeasedMessage>, sqlx::Error>> + Send;

    /// Sends a message unchanged. The message may have been sent even if this fails.
    fn send(&self, message: &LeasedMessage) -> impl Future<Output = Result<(), SendError>> + Send;

    /// Records what the outcome says about the address. The caller stores the message's outcome.
    fn record_outcome(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
}
