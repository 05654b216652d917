//! Checkouts: payments that users make on a provider's page.

use crate::domain::money::Cents;
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The status of a checkout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum CheckoutStatus {
    /// The provider has not responded yet.
    Opening,
    /// It can be paid.
    Open,
    /// It was paid.
    Paid,
    /// It was not paid in time.
    Expired,
    /// The provider could not create it.
    Failed,
    /// The paid amount differs from the requested amount.
    Mismatch,
}

impl CheckoutStatus {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// A checkout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// The id, a UUIDv7, also sent to the provider.
    pub id: Uuid,
    /// The user who pays. `None`: the account is deleted.
    pub user_id: Option<Uuid>,
    /// The subscription that is paid for.
    pub subscription_id: Uuid,
    /// The name of the payment provider.
    pub provider: String,
    /// The provider's id of the checkout.
    pub session: Option<String>,
    /// The URL of the provider's payment page.
    pub url: Option<String>,
    /// The amount that is paid now.
    pub amount: Cents,
    /// The price of each period.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// The subscription whose unused time is credited.
    pub credited_id: Option<Uuid>,
    /// Its status.
    pub status: CheckoutStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it can no longer be paid.
    pub expires_at: Timestamp,
}
