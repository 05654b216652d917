//! Bounces and complaints, and the addresses that are suppressed because of them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// Why an address is suppressed.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr, Display,
)]
#[strum(serialize_all = "lowercase")]
#[serde(rename_all = "lowercase")]
#[schema(as = Return)]
pub enum SuppressionReason {
    /// A message could not be delivered.
    Bounce,
    /// The recipient reported a message as junk.
    Complaint,
}

impl SuppressionReason {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A suppressed address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SuppressedAddress {
    /// The id of the suppression. Later suppressions have higher ids.
    pub id: i64,
    /// The address in lower case.
    pub address: String,
    /// Why it is suppressed.
    pub reason: SuppressionReason,
    /// The mail server's message, or a text that names the complaint.
    pub detail: String,
    /// When it was suppressed.
    pub at: Timestamp,
    /// The account with this address.
    pub user_id: Option<Uuid>,
}
