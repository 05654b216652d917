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
    /// The user can pay on the provider's page.
    Open,
    /// It was paid.
    Paid,
    /// It was not paid in time.
    Expired,
    /// It could not be opened at the provider.
    Failed,
    /// The paid amount or currency differs from the requested one.
    Mismatch,
}

impl CheckoutStatus {
    /// The stored name.
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
    /// The provider's id of the checkout. `None` until the provider has opened it.
    pub session: Option<String>,
    /// The URL of the payment page. `None` until the provider has opened the checkout.
    pub url: Option<String>,
    /// The amount of the first payment: the price minus the credit.
    pub amount: Cents,
    /// The price of each period.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// The subscription whose unused time is credited, if any.
    pub credited_id: Option<Uuid>,
    /// Its status.
    pub status: CheckoutStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// The time from which the user can no longer pay.
    pub expires_at: Timestamp,
}
