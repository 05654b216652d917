//! Checkouts: payments that a user was sent to a provider to make.

use crate::domain::money::Cents;
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The status of a checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum CheckoutStatus {
    /// The provider has not answered yet.
    Opening,
    /// It can be paid.
    Open,
    /// It was paid.
    Paid,
    /// It was not paid in time.
    Expired,
    /// The provider could not make it.
    Failed,
    /// Another amount was paid than was asked for.
    Mismatch,
}

impl CheckoutStatus {
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// UUIDv7, under which the provider knows it.
    pub id: Uuid,
    /// Who pays. `None`: the account is deleted.
    pub user_id: Option<Uuid>,
    /// What is paid for.
    pub subscription_id: Uuid,
    /// To whom.
    pub provider: String,
    /// The provider's id.
    pub session: Option<String>,
    /// Where it is paid.
    pub url: Option<String>,
    /// What is paid now.
    pub amount: Cents,
    /// The price of each period.
    pub price: Cents,
    /// ISO 4217.
    pub currency: String,
    /// The subscription whose unused time is credited.
    pub credited_id: Option<Uuid>,
    /// Its status.
    pub status: CheckoutStatus,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it can no longer be paid.
    pub expires_at: Timestamp,
}
