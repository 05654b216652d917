//! Agreements of the payment sandbox.

use crate::domain::{billing_cycle::BillingCycle, money::Cents};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The state of an agreement of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SandboxState {
    /// The user has not entered a card yet.
    Open,
    /// The bank's authentication of the user is pending.
    Challenge,
    /// It is charged each period.
    Active,
    /// It is no longer charged.
    Ended,
}

impl SandboxState {
    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An agreement of the sandbox: a first payment and later charges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxAgreement {
    /// The agreement's id in the sandbox.
    pub id: String,
    /// The id of the checkout.
    pub checkout_id: Uuid,
    /// The title on the payment page.
    pub title: String,
    /// The amount of the first payment.
    pub first: Cents,
    /// The charge for each later period.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// How often the price is charged.
    pub cycle: BillingCycle,
    /// Where the browser goes after payment.
    pub success_url: String,
    /// Where the browser goes after cancelling.
    pub cancel_url: String,
    /// Its state.
    pub state: SandboxState,
    /// Whether later charges are declined.
    pub declines: bool,
    /// The number of charges made, including the first payment.
    pub charges: i32,
    /// The start of the first period of the current billing cycle. Later period ends are computed
    /// from it. `None` until the first payment.
    pub anchor: Option<Timestamp>,
    /// The number of periods charged since `anchor`.
    pub periods: i32,
    /// When the next charge is due. `None` until the first payment.
    pub next_charge_at: Option<Timestamp>,
    /// Whether the agreement ends at `next_charge_at` instead of being charged.
    pub ends_at_next_charge: bool,
}
