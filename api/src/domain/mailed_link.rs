//! Links that prove who reads an address.

use jiff::Timestamp;
use strum::IntoStaticStr;
use uuid::Uuid;

/// What a link does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum LinkPurpose {
    /// Confirms the address.
    Verify,
    /// Sets another password.
    Reset,
    /// Confirms a new address and makes it the account's.
    Change,
    /// Confirms an address for alerts, in addition to the account's.
    Alert,
}

impl LinkPurpose {
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A link to be stored.
#[derive(Debug, Clone, Copy)]
pub struct NewLink<'a> {
    /// Of its secret.
    pub token_hash: &'a [u8],
    /// What it is good for.
    pub purpose: LinkPurpose,
    /// For whom.
    pub user_id: Uuid,
    /// Where it is mailed to.
    pub email: &'a str,
    /// When it expires.
    pub expires_at: Timestamp,
}
