//! Providers of payments behind one face: open a checkout, ask about one, read what a webhook says, tell the provider what becomes of an
//! agreement. Each speaks its own protocol in its own file; here nothing decides what a payment is for, and nothing is stored but
//! what the sandbox keeps of its own.

mod http;
pub mod payhere;
pub mod sandbox;
mod signature;
pub mod stripe;

pub use http::ProviderError;

use crate::{
    billing::{Cents, Cycle},
    config::{ProviderName, ServeConfig},
    state::AppState,
};
use axum::http::HeaderMap;
use jiff::Timestamp;
use payhere::PayHere;
use sandbox::Sandbox;
use serde::{Deserialize, Serialize};
use stripe::Stripe;
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
    pub told: Told,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Told {
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

impl Told {
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
pub fn is_name(text: &str) -> bool {
    (1..=LONGEST_NAME).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// What somebody is to pay.
#[derive(Debug, Clone, Copy)]
pub struct Order<'a> {
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

impl Order<'_> {
    /// What is taken off the first payment.
    fn credit(&self) -> Cents {
        self.price - self.first
    }
}

/// A checkout as the provider made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The provider's name for it.
    pub session: String,
    /// Where it is paid.
    pub url: String,
}

/// How a checkout stands at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
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
pub enum Rejected {
    /// Not signed by the provider, or too long ago.
    #[error("The signature does not fit")]
    Signature,
    /// Signed, and not what the provider's documentation says.
    #[error("The event cannot be read")]
    Malformed,
}

/// What a provider is told of an agreement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instruction {
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

/// A provider as it is set up.
pub enum Provider {
    /// The demonstration's.
    Sandbox(Sandbox),
    /// Stripe.
    Stripe(Stripe),
    /// PayHere.
    PayHere(PayHere),
}

impl Provider {
    /// As the settings say; `None`: nobody takes payments.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn new(config: &ServeConfig, sandbox_secret: String) -> anyhow::Result<Option<Self>> {
        let payments = &config.payments;
        Ok(match payments.provider(config.demo) {
            None => None,
            Some(ProviderName::Sandbox) => {
                Some(Self::Sandbox(Sandbox::new(config.base_url(), sandbox_secret)))
            }
            Some(ProviderName::Stripe) => Some(Self::Stripe(Stripe::new(payments, config.base_url())?)),
            Some(ProviderName::Payhere) => Some(Self::PayHere(PayHere::new(payments, config.base_url())?)),
        })
    }

    /// As it stands in rows and addresses.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sandbox(_) => "sandbox",
            Self::Stripe(_) => "stripe",
            Self::PayHere(_) => "payhere",
        }
    }

    /// Whether an agreement can be made to charge another price each `to` that it charges each `from` now.
    #[must_use]
    pub fn reprices(&self, from: Cycle, to: Cycle) -> bool {
        match self {
            Self::Sandbox(_) => true,
            // Another interval would be charged at once.
            Self::Stripe(_) => from == to,
            Self::PayHere(_) => false,
        }
    }

    /// Whether what was told to end with its period can be told to go on.
    #[must_use]
    pub const fn resumes(&self) -> bool {
        !matches!(self, Self::PayHere(_))
    }

    /// Makes a checkout. Asked again for the same one, the provider makes no second.
    ///
    /// # Errors
    /// [`ProviderError`]; nobody was charged.
    pub async fn open(&self, state: &AppState, order: &Order<'_>) -> Result<Opened, ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.open(state, order).await,
            Self::Stripe(stripe) => stripe.open(order).await,
            Self::PayHere(payhere) => Ok(payhere.open(&state.signing_key, order)),
        }
    }

    /// How a checkout stands.
    ///
    /// # Errors
    /// [`ProviderError`].
    pub async fn ask(
        &self,
        state: &AppState,
        checkout: Uuid,
        session: &str,
    ) -> Result<Standing, ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.ask(state, session).await,
            Self::Stripe(stripe) => stripe.ask(checkout, session, state.clock.now()).await,
            Self::PayHere(payhere) => payhere.ask(checkout, state.clock.now()).await,
        }
    }

    /// What a webhook says, once its signature holds; `None`: nothing that matters here.
    ///
    /// # Errors
    /// [`Rejected`].
    pub fn read(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Option<PaymentEvent>, Rejected> {
        match self {
            Self::Sandbox(sandbox) => sandbox.read(headers, body, now).map(Some),
            Self::Stripe(stripe) => stripe.read(headers, body, now),
            Self::PayHere(payhere) => payhere.read(body, now),
        }
    }

    /// Tells the provider what becomes of an agreement. `key` names the telling: told twice, it is done once.
    ///
    /// # Errors
    /// [`ProviderError`].
    pub async fn instruct(
        &self,
        state: &AppState,
        agreement: &str,
        instruction: Instruction,
        key: Uuid,
    ) -> Result<(), ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.instruct(state, agreement, instruction).await,
            Self::Stripe(stripe) => stripe.instruct(agreement, instruction, key).await,
            Self::PayHere(payhere) => payhere.instruct(agreement, instruction).await,
        }
    }
}
