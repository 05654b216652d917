//! Senders of messages: mail ([`email`]), telephones ([`phone`]) and webhooks ([`webhook`]). A
//! [`MessageSender`] defines its concurrency, which messages it takes, how it sends one, and what
//! the outcome says about the address. Leases and retries are in [`crate::jobs::send`].

pub mod email;
pub mod phone;
pub mod webhook;

use crate::{clients::send_error::SendError, storage::deliveries::sending::LeasedMessage};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use std::future::Future;

/// A way to send messages.
pub trait MessageSender: Send + Sync {
    /// How many messages are sent at once.
    fn width(&self) -> usize;

    /// How long a lease lasts. It is longer than sending can take.
    fn lease(&self) -> SignedDuration;

    /// Leases up to `limit` messages that are due at the first moment, until the second.
    fn take(
        &self,
        span: (Timestamp, Timestamp),
        limit: usize,
    ) -> impl Future<Output = Result<Vec<LeasedMessage>, sqlx::Error>> + Send;

    /// Sends a message unchanged. It may have been sent although this fails.
    fn send(&self, message: &LeasedMessage) -> impl Future<Output = Result<(), SendError>> + Send;

    /// Records what the outcome says about the address, in addition to the message.
    fn learn(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
}
