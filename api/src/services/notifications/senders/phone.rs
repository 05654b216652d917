//! Sends SMS and WhatsApp messages through a gateway. A number that the gateway rejects becomes
//! unconfirmed.

use super::MessageSender;
use crate::{
    app::context::Context,
    clients::{phone_gateway::PhoneGateway, send_error::SendError},
    domain::channel::DirectChannel,
    storage::{
        deliveries::sending::{self, LeasedMessage},
        phones,
    },
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// How many messages are sent at once.
const WIDTH: usize = 4;
/// Four times the longest time of the gateway.
const LEASE: SignedDuration = SignedDuration::from_secs(40);
/// The channels of a telephone.
const CHANNELS: [DirectChannel; 2] = [DirectChannel::Sms, DirectChannel::Whatsapp];

/// The telephone sender.
pub struct Phones<'s> {
    context: &'s Context,
    gateway: &'s PhoneGateway,
}

impl<'s> Phones<'s> {
    /// Creates it with the gateway of this server.
    #[must_use]
    pub const fn new(context: &'s Context, gateway: &'s PhoneGateway) -> Self {
        Self { context, gateway }
    }
}

impl MessageSender for Phones<'_> {
    fn width(&self) -> usize {
        WIDTH
    }

    fn lease(&self) -> SignedDuration {
        LEASE
    }

    async fn take(
        &self,
        span: (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<LeasedMessage>, sqlx::Error> {
        sending::lease_in_turn(&self.context.db, &CHANNELS.map(DirectChannel::as_str), span, limit).await
    }

    async fn send(&self, message: &LeasedMessage) -> Result<(), SendError> {
        let (channel, number) = message
            .address
            .split_once(':')
            .and_then(|(word, number)| Some((word.parse::<DirectChannel>().ok()?, number)))
            .ok_or_else(|| SendError::Permanent("its address is no telephone's".to_owned()))?;
        let text = std::str::from_utf8(&message.content)
            .map_err(|_| SendError::Permanent("it is no text".to_owned()))?;
        self.gateway.send(message.id, channel, number, text).await
    }

    async fn learn(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        if let (Err(SendError::Permanent(_)), Some((_, number))) = (outcome, message.address.split_once(':'))
        {
            phones::doubt(tx, number).await?;
        }
        Ok(())
    }
}
