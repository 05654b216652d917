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
    /// The sandbox's name for it.
    pub id: String,
    /// Whose order it is.
    pub checkout_id: Uuid,
    /// What is bought.
    pub title: String,
    /// What is paid first.
    pub first: Cents,
    /// What is charged for each period after it.
    pub price: Cents,
    /// ISO 4217.
    pub currency: String,
    /// How often.
    pub cycle: Cycle,
    /// Where the browser goes when it is paid.
    pub success_url: String,
    /// Where it goes when it is not.
    pub cancel_url: String,
    /// Its state.
    pub state: SandboxState,
    /// Later charges are declined.
    pub declines: bool,
    /// Charges made.
    pub charges: i32,
    /// What periods are counted from.
    pub anchor: Option<Timestamp>,
    /// Periods charged since the anchor.
    pub periods: i32,
    /// When it is charged again.
    pub next_charge_at: Option<Timestamp>,
    /// It ends then instead.
    pub ends_then: bool,
}
