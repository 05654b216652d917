//! The ways a message leaves: by mail ([`email`]), to a telephone ([`phone`]), to a program ([`webhook`]). Each is a [`Channel`]: how
//! much it takes at once, which messages are its turn, what sending means, and what the outcome says of the address. What they have in
//! common, leases and retries, is [`crate::jobs::send`].

pub mod email;
pub mod outside;
pub(crate) mod payload;
pub mod phone;
pub mod twilio;
pub mod webhook;

use crate::db::deliveries::sending::Leased;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use std::future::Future;
use utoipa::ToSchema;

/// Why one message did not leave.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// It was refused for good, or nobody ever would take it.
    #[error("refused for good: {0}")]
    Permanent(String),
    /// Another try may do better.
    #[error("failed for now: {0}")]
    Transient(String),
    /// Nobody is there who would take any message: none answers, it is closing down, or it does not let us in.
    #[error("nobody there: {0}")]
    Unavailable(String),
}

/// One way out.
pub trait Channel: Send + Sync {
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

/// By which channel a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Name {
    /// Mail.
    #[default]
    Email,
    /// One that plans with direct alerts have besides.
    Direct(Direct),
}

/// A channel besides mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Direct {
    /// A text message.
    Sms,
    /// A message by WhatsApp.
    Whatsapp,
    /// A signed HTTP request.
    Webhook,
}

impl Direct {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Sms, Self::Whatsapp, Self::Webhook];

    /// As stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sms => "sms",
            Self::Whatsapp => "whatsapp",
            Self::Webhook => "webhook",
        }
    }

    /// From its stored word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == word)
    }
}

impl Name {
    /// As stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Direct(channel) => channel.as_str(),
        }
    }

    /// From its stored word; mail for any other.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        Direct::from_word(word).map_or(Self::Email, Self::Direct)
    }
}
