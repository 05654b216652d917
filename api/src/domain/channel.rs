//! The channels that deliver alerts: e-mail, SMS, WhatsApp and webhooks.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use strum::{EnumIter, EnumString, IntoEnumIterator, IntoStaticStr};
use utoipa::ToSchema;

/// A channel that delivers messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "&'static str")]
pub enum Channel {
    /// Mail.
    #[default]
    Email,
    /// A channel that only plans with direct alerts include.
    Direct(DirectChannel),
}

/// A channel other than mail.
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
    EnumIter,
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
    /// All channels.
    pub fn all() -> impl Iterator<Item = Self> {
        std::iter::once(Self::Email).chain(DirectChannel::iter().map(Self::Direct))
    }

    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Email => "email",
            Self::Direct(channel) => channel.as_str(),
        }
    }
}

impl From<Channel> for &'static str {
    fn from(channel: Channel) -> Self {
        channel.as_str()
    }
}

impl TryFrom<String> for Channel {
    /// The message of an unknown name, as serde words it for enums.
    type Error = String;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map_err(|_| {
            let names: Vec<String> = Self::all().map(|channel| format!("`{}`", channel.as_str())).collect();
            format!("unknown variant `{text}`, expected one of {}", names.join(", "))
        })
    }
}

impl FromStr for Channel {
    type Err = strum::ParseError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == Self::Email.as_str() { Ok(Self::Email) } else { text.parse().map(Self::Direct) }
    }
}
