//! Links in mails. Following one proves that the user receives mail at the address.

use jiff::Timestamp;
use strum::IntoStaticStr;
use uuid::Uuid;

/// The purpose of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum LinkPurpose {
    /// Confirms the address.
    Verify,
    /// Sets a new password.
    Reset,
    /// Confirms a new address and makes it the address of the account.
    Change,
    /// Confirms an address to which alerts are mailed instead of the account's address.
    Alert,
}

impl LinkPurpose {
    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A new link.
#[derive(Debug, Clone, Copy)]
pub struct NewLink<'a> {
    /// The hash of its secret.
    pub token_hash: &'a [u8],
    /// Its purpose.
    pub purpose: LinkPurpose,
    /// The user whose address or password it concerns.
    pub user_id: Uuid,
    /// The address it is sent to.
    pub email: &'a str,
    /// When it expires.
    pub expires_at: Timestamp,
}
