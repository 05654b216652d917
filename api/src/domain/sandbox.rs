//! Agreements of the payment sandbox.

use crate::domain::{cycle::Cycle, money::Cents};
use jiff::Timestamp;
use strum::{EnumString, IntoStaticStr};
use uuid::Uuid;

/// The state of an agreement of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SandboxState {
    /// It waits for a card.
    Open,
    /// It waits for the bank's challenge.
    Challenge,
    /// It is charged each period.
    Active,
    /// It is charged no more.
    Ended,
}

impl SandboxState {
    /// The word that is stored and serialised.
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
    /// The checkout.
    pub checkout_id: Uuid,
    /// What is bought.
    pub title: String,
    /// The first payment.
    pub first: Cents,
    /// The charge for each later period.
    pub price: Cents,
    /// ISO 4217.
    pub currency: String,
    /// How often it is charged.
    pub cycle: Cycle,
    /// Where the browser goes after payment.
    pub success_url: String,
    /// Where the browser goes after cancelling.
    pub cancel_url: String,
    /// Its state.
    pub state: SandboxState,
    /// Later charges are declined.
    pub declines: bool,
    /// Charges made.
    pub charges: i32,
    /// Periods are counted from here.
    pub anchor: Option<Timestamp>,
    /// Periods charged since the anchor.
    pub periods: i32,
    /// When it is next charged.
    pub next_charge_at: Option<Timestamp>,
    /// Whether it ends then instead.
    pub ends_then: bool,
}
