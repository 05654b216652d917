//! Mail that came back, and the addresses that are suppressed because of it.

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// What came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = Return)]
pub enum MailReturn {
    /// A message that can't be delivered.
    Bounce,
    /// A reader's word that a message is junk.
    Complaint,
}

impl MailReturn {
    /// As stored.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Bounce => "bounce",
            Self::Complaint => "complaint",
        }
    }

    /// From how it is stored.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        if word == "complaint" { Self::Complaint } else { Self::Bounce }
    }
}

/// A suppressed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedAddress {
    /// In lower case.
    pub address: String,
    /// `bounce` or `complaint`.
    pub reason: String,
    /// What the mail server said.
    pub detail: String,
    /// Since when.
    pub at: Timestamp,
}
