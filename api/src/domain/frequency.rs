//! How often an alert sends messages.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// How often an alert sends messages.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// Soon after a match. Matches that arrive shortly after each other share a message.
    #[default]
    Immediate,
    /// Once a day at the alert's configured time.
    Daily,
    /// On Monday at 09:00, Colombo time.
    Weekly,
}

impl Frequency {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
