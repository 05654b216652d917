//! What is said to a payment provider and what a provider says, independent of which one it is.

use crate::domain::{cycle::Cycle, money::Cents};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// What a provider has told, whoever it is and however it came.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentEvent {
    /// The provider's name for it; the same when it is told again.
    pub id: String,
    /// When it happened, as far as the provider says.
    pub at: Timestamp,
    /// The checkout that all of it began with.
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
        /// The provider's name for what it will charge from now on, where it has said it.
        agreement: Option<String>,
    },
    /// A further period was paid.
    Renewed {
        /// The money.
        charge: Charge,
    },
    /// A further period could not be charged.
    Failed,
    /// The provider charges no more.
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
    /// The provider's name for it, for ever.
    pub reference: String,
    /// How much.
    pub amount: Cents,
    /// ISO 4217, capitals.
    pub currency: String,
}

/// The most bytes of a name that a provider gives.
const LONGEST_NAME: usize = 255;

/// Whether this can be a provider's name for something: printable ASCII, and not too long.
#[must_use]
pub fn is_provider_reference(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// What somebody is to pay.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutOrder<'a> {
    /// Our name for it.
    pub checkout: Uuid,
    /// What the provider's page calls it.
    pub title: &'a str,
    /// What is paid now.
    pub first: Cents,
    /// What is charged for each period after the first.
    pub price: Cents,
    /// ISO 4217, capitals.
    pub currency: &'a str,
    /// How often.
    pub cycle: Cycle,
    /// Who pays.
    pub email: &'a str,
    /// After this it can't be paid any more.
    pub expires_at: Timestamp,
}

impl CheckoutOrder<'_> {
    /// What is taken off the first payment.
    #[must_use]
    pub fn credit(&self) -> Cents {
        self.price - self.first
    }
}

/// A checkout as the provider made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedCheckout {
    /// The provider's name for it.
    pub session: String,
    /// Where it is paid.
    pub url: String,
}

/// How a checkout stands at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutState {
    /// It was paid.
    Paid(PaymentEvent),
    /// It can still be paid.
    Open,
    /// It can't be paid any more, and was not.
    Closed,
    /// The provider can't be asked about it.
    Unknown,
}

/// Why a webhook is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRejection {
    /// Not signed by the provider, or too long ago.
    #[error("The signature does not fit")]
    Signature,
    /// Signed, and not what the provider's documentation says.
    #[error("The event cannot be read")]
    Malformed,
}

/// What a provider is told of an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgreementInstruction {
    /// Charge no more after the period that is paid.
    Hold,
    /// Go on after all.
    Resume,
    /// Charge this from the next period on.
    Reprice {
        /// For each period.
        price: Cents,
        /// How often.
        cycle: Cycle,
    },
    /// Charge no more, from now on.
    End,
}

/// A task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentTask {
    /// UUIDv7; names the telling to the provider.
    pub id: Uuid,
    /// Who is told.
    pub provider: String,
    /// Of which subscription.
    pub subscription_id: Uuid,
    /// The provider's name for the agreement, where it is known by now.
    pub agreement: Option<String>,
    /// What it is told.
    pub instruction: AgreementInstruction,
    /// Which attempt this is, from 1.
    pub attempt: i32,
}
