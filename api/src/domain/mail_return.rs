//! Mail that came back, and the addresses that are suppressed because of it.

use jiff::Timestamp;
use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr};
use utoipa::ToSchema;

/// What came back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, EnumString, IntoStaticStr, Display)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
#[schema(as = Return)]
pub enum MailReturn {
    /// A message that can't be delivered.
    Bounce,
    /// A reader's word that a message is junk.
    Complaint,
}

impl MailReturn {
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A suppressed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedAddress {
    /// In lower case.
    pub address: String,
    /// Why.
    pub reason: MailReturn,
    /// What the mail server said.
    pub detail: String,
    /// Since when.
    pub at: Timestamp,
}
