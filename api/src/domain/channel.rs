//! The channels that alerts go by: e-mail, SMS, WhatsApp and webhooks.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use strum::{EnumString, IntoStaticStr};
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
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    ToSchema,
    EnumString,
    IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Channel {
    /// The stored word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Direct(channel) => channel.as_str(),
        }
    }
}

impl FromStr for Channel {
    type Err = strum::ParseError;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        if word == Self::Email.as_str() { Ok(Self::Email) } else { word.parse().map(Self::Direct) }
    }
}
