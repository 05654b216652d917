//! The ways a message leaves: by mail ([`email`]), to a telephone ([`phone`]), to a program ([`webhook`]). Each is a [`MessageSender`]: how
//! much it takes at once, which messages are its turn, what sending means, and what the outcome says of the address. What they have in
//! common, leases and retries, is [`crate::jobs::send`].

pub mod email;
pub mod phone;
pub mod webhook;

use crate::{clients::send_error::SendError, storage::deliveries::sending::Leased};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use std::future::Future;

/// One way out.
pub trait MessageSender: Send + Sync {
    /// How many messages are on their way at once.
    fn width(&self) -> usize;

    /// How long a message belongs to the process that sends it: longer than one can take.
    fn lease(&self) -> SignedDuration;

    /// Leases up to `limit` messages that are due at the first of two moments, until the second.
    fn take(
        &self,
        span: (Timestamp, Timestamp),
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Leased>, sqlx::Error>> + Send;

    /// Sends one message as it is. It may have left although this fails.
    fn send(&self, message: &Leased) -> impl Future<Output = Result<(), SendError>> + Send;

    /// What the outcome says of the message's address, beside what it says of the message.
    fn learn(
        &self,
        tx: &mut PgConnection,
        message: &Leased,
        outcome: Result<(), &SendError>,
    ) -> impl Future<Output = anyhow::Result<()>> + Send;
}
