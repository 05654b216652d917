//! How often an alert sends.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// How often an alert sends.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
pub enum Frequency {
    /// As soon as its matches are collected.
    #[default]
    Immediate,
    /// Once a day at the alert's own time.
    Daily,
    /// On Monday at 09:00.
    Weekly,
}

impl Frequency {
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
