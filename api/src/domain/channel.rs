//! The channels that alerts go by: e-mail, SMS, WhatsApp and webhooks.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// By which channel a message goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Channel {
    /// Mail.
    #[default]
    Email,
    /// One that plans with direct alerts have besides.
    Direct(DirectChannel),
}

/// A channel besides mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Direct)]
pub enum DirectChannel {
    /// A text message.
    Sms,
    /// A message by WhatsApp.
    Whatsapp,
    /// A signed HTTP request.
    Webhook,
}

impl DirectChannel {
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

impl Channel {
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
        DirectChannel::from_word(word).map_or(Self::Email, Self::Direct)
    }
}
