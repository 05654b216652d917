//! The channels that deliver alerts: e-mail, SMS, WhatsApp and webhooks.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// The channel that delivers a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Channel {
    /// Mail.
    #[default]
    Email,
    /// A channel that only plans with direct alerts include.
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
    /// A WhatsApp message.
    Whatsapp,
    /// A signed HTTP request.
    Webhook,
}

impl DirectChannel {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl Channel {
    /// The stored name.
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
