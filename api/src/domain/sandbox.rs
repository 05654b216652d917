//! Agreements of the payment sandbox.

use crate::domain::{billing_cycle::BillingCycle, money::Cents};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The state of an agreement of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SandboxState {
    /// It waits for a card.
    Open,
    /// It waits for the bank's authentication.
    Challenge,
    /// It is charged each period.
    Active,
    /// It is no longer charged.
    Ended,
}

impl SandboxState {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An agreement of the sandbox: a first payment and the later charges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxAgreement {
    /// The sandbox's id.
    pub id: String,
    /// The id of the checkout.
    pub checkout_id: Uuid,
    /// The title on the payment page.
    pub title: String,
    /// The first payment.
    pub first: Cents,
    /// The charge for each later period.
    pub price: Cents,
    /// The currency code (ISO 4217).
    pub currency: String,
    /// How often it is charged.
    pub cycle: BillingCycle,
    /// Where the browser goes after payment.
    pub success_url: String,
    /// Where the browser goes after cancelling.
    pub cancel_url: String,
    /// Its state.
    pub state: SandboxState,
    /// Whether later charges are declined.
    pub declines: bool,
    /// The number of charges made.
    pub charges: i32,
    /// The start of the first period. Period ends are counted from here.
    pub anchor: Option<Timestamp>,
    /// The number of periods charged since the anchor.
    pub periods: i32,
    /// When it is next charged.
    pub next_charge_at: Option<Timestamp>,
    /// Whether it ends at that time instead.
    pub ends_then: bool,
}
