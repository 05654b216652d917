//! Messages to and from payment providers, in one form for all providers.

use crate::domain::{billing_cycle::BillingCycle, money::Cents};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// An event reported by a provider.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentEvent {
    /// The provider's id of the event. A repeated event has the same id.
    pub id: String,
    /// When it happened, according to the provider.
    pub at: Timestamp,
    /// The checkout with which the subscription began.
    pub checkout: Uuid,
    /// What the event reports.
    #[serde(rename = "told")]
    pub kind: PaymentEventKind,
}

/// What a payment event reports.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum PaymentEventKind {
    /// The checkout was paid.
    Paid {
        /// The first charge.
        charge: Charge,
        /// The provider's id of the agreement for later charges, if known.
        agreement: Option<String>,
    },
    /// A further period was paid.
    Renewed {
        /// The charge for that period.
        charge: Charge,
    },
    /// A further period could not be charged.
    Failed,
    /// The agreement ended, so the provider charges no more.
    Ended,
    /// A payment was reversed.
    Reversed,
}

impl PaymentEventKind {
    /// The name for logs.
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

/// The outcome of processing an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[schema(as = PaymentEventOutcome)]
pub enum EventOutcome {
    /// The event was applied.
    Applied,
    /// The event changes nothing.
    Ignored,
    /// The checkout of the event is unknown or not paid yet.
    Unmatched,
    /// The amount or the currency differs from the requested one.
    Mismatch,
    /// The account is deleted.
    Orphan,
    /// The event does not fit the subscription, such as a charge after its end.
    Unexpected,
    /// The webhook is signed by the provider, but it cannot be read.
    Unreadable,
}

impl EventOutcome {
    /// The stored name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether an operator must look at the event.
    #[must_use]
    pub const fn needs_attention(self) -> bool {
        !matches!(self, Self::Applied | Self::Ignored)
    }
}

/// An event that was not applied, as administrators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenPaymentEvent {
    /// The id in the portal. Later events have higher ids.
    pub id: i64,
    /// The name of the provider.
    pub provider: String,
    /// The provider's id of the event.
    pub event_id: String,
    /// When it arrived.
    pub received_at: Timestamp,
    /// Why it needs attention.
    pub outcome: EventOutcome,
    /// The content.
    pub content: EventContent,
    /// The subscription of the event's checkout.
    pub subscription_id: Option<Uuid>,
    /// The mail address of the user who opened the checkout.
    pub email: Option<String>,
    /// How it was settled. `None`: it needs attention.
    pub settlement: Option<Settlement>,
}

/// The content of a stored event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventContent {
    /// The event.
    Event(Box<PaymentEvent>),
    /// The body of a webhook that cannot be read.
    Body(String),
}

/// How an administrator settled an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// When it was settled.
    pub at: Timestamp,
    /// The present mail address of the administrator.
    pub by: Option<String>,
    /// What was done.
    pub note: String,
}

/// A charge that succeeded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charge {
    /// The provider's permanent id of the charge.
    pub reference: String,
    /// The charged amount.
    pub amount: Cents,
    /// The currency code (ISO 4217) in upper case.
    pub currency: String,
}

/// The maximum length of a provider's id, in bytes.
const MAX_REFERENCE_LENGTH: usize = 255;

/// Whether a text can be a provider's id: printable ASCII of limited length.
#[must_use]
pub fn is_provider_reference(text: &str) -> bool {
    (1..=MAX_REFERENCE_LENGTH).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// The order to open a checkout: a first charge and a charge for each later period.
#[derive(Debug, Clone, Copy)]
pub struct CheckoutOrder<'a> {
    /// The checkout's id.
    pub checkout: Uuid,
    /// The title on the provider's page.
    pub title: &'a str,
    /// The first charge.
    pub first: Cents,
    /// The charge for each later period.
    pub price: Cents,
    /// The currency code (ISO 4217) in upper case.
    pub currency: &'a str,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// The payer's mail address.
    pub email: &'a str,
    /// The time from which the checkout can no longer be paid.
    pub expires_at: Timestamp,
}

impl CheckoutOrder<'_> {
    /// The credit that reduces the first charge.
    #[must_use]
    pub fn credit(&self) -> Cents {
        self.price - self.first
    }
}

/// A checkout that the provider has opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedCheckout {
    /// The provider's id of the checkout.
    pub session: String,
    /// The URL of the payment page.
    pub url: String,
}

/// The state of a checkout at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckoutState {
    /// It was paid.
    Paid(PaymentEvent),
    /// It can still be paid.
    Open,
    /// It was not paid and can no longer be paid.
    Closed,
    /// The provider does not know the checkout.
    Unknown,
}

/// Why a webhook is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebhookRejection {
    /// The signature is invalid or too old.
    #[error("The signature is invalid")]
    Signature,
    /// The signature is valid, but the event is not in the documented format.
    #[error("The event cannot be read")]
    Malformed,
}

/// An instruction to a provider about an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgreementInstruction {
    /// Stop charging at the end of the paid period.
    CancelAtPeriodEnd,
    /// Continue charging. This revokes `CancelAtPeriodEnd`.
    Resume,
    /// Charge this price in this billing cycle, starting with the next period.
    Reprice {
        /// The price of each period.
        price: Cents,
        /// The billing cycle.
        cycle: BillingCycle,
    },
    /// Stop charging now.
    End,
}

/// An instruction that is queued for a provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentTask {
    /// The id, a UUIDv7, which is also the idempotency key.
    pub id: Uuid,
    /// The name of the provider.
    pub provider: String,
    /// The subscription that the agreement is for.
    pub subscription_id: Uuid,
    /// The provider's id of the agreement, if known.
    pub agreement: Option<String>,
    /// The instruction.
    pub instruction: AgreementInstruction,
    /// The number of this attempt, from 1.
    pub attempt: i32,
}
