//! Sends SMS and WhatsApp messages through a gateway. If the gateway refuses a message for good,
//! the phone number becomes unconfirmed.

use super::MessageSender;
use crate::{
    app::context::Context,
    clients::{phone_gateway::PhoneGateway, send_error::SendError},
    domain::channel::{Channel, DirectChannel},
    storage::{
        deliveries::sending::{self, LeasedMessage},
        phones,
    },
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;

/// The maximum number of messages that are sent at once.
const CONCURRENCY: usize = 4;
/// The lease of a message: four times the gateway's timeout.
const LEASE: SignedDuration = SignedDuration::from_secs(40);
/// The channels that use a phone number.
const CHANNELS: [DirectChannel; 2] = [DirectChannel::Sms, DirectChannel::Whatsapp];

/// The sender of SMS and WhatsApp messages.
pub struct PhoneSender<'s> {
    context: &'s Context,
    gateway: &'s PhoneGateway,
}

impl<'s> PhoneSender<'s> {
    /// Creates a sender that uses this gateway.
    #[must_use]
    pub const fn new(context: &'s Context, gateway: &'s PhoneGateway) -> Self {
        Self { context, gateway }
    }
}

/// Splits an address into the channel and the number.
fn parse_address(address: &str) -> Option<(DirectChannel, &str)> {
    let (channel, number) = address.split_once(':')?;
    Some((channel.parse().ok()?, number))
}

impl MessageSender for PhoneSender<'_> {
    fn channel(&self, message: &LeasedMessage) -> Option<Channel> {
        parse_address(&message.address).map(|(channel, _)| Channel::Direct(channel))
    }

    fn concurrency(&self) -> usize {
        CONCURRENCY
    }

    fn lease_duration(&self) -> SignedDuration {
        LEASE
    }

    async fn lease(
        &self,
        lease_period: (Timestamp, Timestamp),
        limit: usize,
    ) -> Result<Vec<LeasedMessage>, sqlx::Error> {
        sending::lease_one_per_address(
            &self.context.db,
            &CHANNELS.map(DirectChannel::as_str),
            lease_period,
            limit,
        )
        .await
    }

    async fn send(&self, message: &LeasedMessage) -> Result<(), SendError> {
        let (channel, number) = parse_address(&message.address)
            .ok_or_else(|| SendError::Permanent("its address is not a phone number".to_owned()))?;
        let text = std::str::from_utf8(&message.content)
            .map_err(|_| SendError::Permanent("its content is not valid text".to_owned()))?;
        self.gateway.send(message.id, channel, number, text).await
    }

    async fn record_outcome(
        &self,
        tx: &mut PgConnection,
        message: &LeasedMessage,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        if let (Err(SendError::Permanent(_)), Some((_, number))) = (outcome, message.address.split_once(':'))
        {
            phones::mark_unconfirmed(tx, number).await?;
        }
        Ok(())
    }
}
