//! Messages to and from payment providers, independent of the provider.

use crate::domain::{cycle::Cycle, money::Cents};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// An event of a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentEvent {
    /// The provider's id of the event. It is the same if the event is repeated.
    pub id: String,
    /// When it happened, according to the provider.
    pub at: Timestamp,
    /// The first checkout of the subscription.
    pub checkout: Uuid,
    /// What happened.
    pub told: PaymentEventKind,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PaymentEventKind {
    /// The checkout was paid.
    Paid {
        /// The money.
        charge: Charge,
        /// The provider's id of the agreement for later charges, if known.
        agreement: Option<String>,
    },
    /// A further period was paid.
    Renewed {
        /// The money.
        charge: Charge,
    },
    /// A further period could not be charged.
    Failed,
    /// The provider no longer charges.
    Ended,
    /// Money went back.
    Reversed,
}

impl PaymentEventKind {
    /// For the log.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Paid { .. } => "paid",
            Self::Renewed { .. } => "renewed",
            Self::Failed => "failed",
            Self::Ended => "ended",
            Self::Reversed => "reversed",
        }
    }
}

/// Money that was taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The provider's permanent id of the charge.
    pub reference: String,
    /// How much.
    pub amount: Cents,
    /// ISO 4217, capitals.
    pub currency: String,
}

/// The most bytes of a provider's id.
const LONGEST_NAME: usize = 255;

/// Whether this can be a provider's id: printable ASCII of limited length.
#[must_use]
pub fn is_provider_reference(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// A payment to make.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutOrder<'a> {
    /// Our name for it.
    pub checkout: Uuid,
    /// The title on the provider's page.
    pub title: &'a str,
    /// What is paid now.
    pub first: Cents,
    /// The charge for each later period.
    pub price: Cents,
    /// ISO 4217, capitals.
    pub currency: &'a str,
    /// How often.
    pub cycle: Cycle,
    /// Who pays.
    pub email: &'a str,
    /// When it can no longer be paid.
    pub expires_at: Timestamp,
}

impl CheckoutOrder<'_> {
    /// What is credited against the first payment.
    #[must_use]
    pub fn credit(&self) -> Cents {
        self.price - self.first
    }
}

/// A checkout that the provider has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedCheckout {
    /// The provider's id.
    pub session: String,
    /// Where it is paid.
    pub url: String,
}

/// The state of a checkout at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutState {
    /// It was paid.
    Paid(PaymentEvent),
    /// It can still be paid.
    Open,
    /// It can no longer be paid, and was not.
    Closed,
    /// The provider does not say.
    Unknown,
}

/// Why a webhook is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRejection {
    /// The signature is not the provider's, or is too old.
    #[error("The signature does not fit")]
    Signature,
    /// It is signed, but not in the documented format.
    #[error("The event cannot be read")]
    Malformed,
}

/// An instruction to a provider about an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgreementInstruction {
    /// Stop charging after the paid period.
    Hold,
    /// Go on after all.
    Resume,
    /// Charge this price from the next period on.
    Reprice {
        /// For each period.
        price: Cents,
        /// How often.
        cycle: Cycle,
    },
    /// Stop charging now.
    End,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentTask {
    /// UUIDv7, also the idempotency key at the provider.
    pub id: Uuid,
    /// Who is told.
    pub provider: String,
    /// Of which subscription.
    pub subscription_id: Uuid,
    /// The provider's id of the agreement, if known.
    pub agreement: Option<String>,
    /// What it is told.
    pub instruction: AgreementInstruction,
    /// The number of this attempt, from 1.
    pub attempt: i32,
}
