//! How often an alert sends.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How often an alert sends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
    /// As stored and as written in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Immediate => "immediate",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
        }
    }

    /// From its stored word. `None` for any other.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Immediate, Self::Daily, Self::Weekly].into_iter().find(|frequency| frequency.as_str() == word)
    }
}
