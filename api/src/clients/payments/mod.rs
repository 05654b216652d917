//! Providers of payments behind one face: open a checkout, ask about one, read what a webhook says, tell the provider what becomes of an
//! agreement. Each speaks its own protocol in its own file; here nothing decides what a payment is for, and nothing is stored but
//! what the sandbox keeps of its own.

pub mod payhere;
pub mod provider_http;
pub mod sandbox;
pub mod signature;
pub mod stripe;

pub use provider_http::ProviderError;

use crate::{
    base::{
        config::{ProviderName, ServeConfig},
        random::Random,
        signing_key::SigningKey,
    },
    domain::{
        cycle::Cycle,
        payment::{
            AgreementInstruction, CheckoutOrder, CheckoutState, OpenedCheckout, PaymentEvent,
            WebhookRejection,
        },
    },
};
use http::HeaderMap;
use jiff::Timestamp;
use payhere::PayHere;
use sandbox::Sandbox;
use sqlx::PgPool;
use stripe::Stripe;
use uuid::Uuid;

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
    pub fn new(
        config: &ServeConfig,
        key: &SigningKey,
        db: &PgPool,
        random: &Random,
    ) -> anyhow::Result<Option<Self>> {
        let payments = &config.payments;
        Ok(match payments.provider(config.demo) {
            None => None,
            Some(ProviderName::Sandbox) => {
                let secret = key.sign("sandbox-webhooks", b"secret");
                Some(Self::Sandbox(Sandbox::new(config.base_url(), secret, db.clone(), random.clone())))
            }
            Some(ProviderName::Stripe) => Some(Self::Stripe(Stripe::new(payments, config.base_url())?)),
            Some(ProviderName::Payhere) => {
                Some(Self::PayHere(PayHere::new(payments, config.base_url(), key.clone())?))
            }
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
    pub async fn open(&self, order: &CheckoutOrder<'_>) -> Result<OpenedCheckout, ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.open(order).await,
            Self::Stripe(stripe) => stripe.open(order).await,
            Self::PayHere(payhere) => Ok(payhere.open(order)),
        }
    }

    /// How a checkout stands.
    ///
    /// # Errors
    /// [`ProviderError`].
    pub async fn ask(
        &self,
        checkout: Uuid,
        session: &str,
        now: Timestamp,
    ) -> Result<CheckoutState, ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.ask(session, now).await,
            Self::Stripe(stripe) => stripe.ask(checkout, session, now).await,
            Self::PayHere(payhere) => payhere.ask(checkout, now).await,
        }
    }

    /// What a webhook says, once its signature holds; `None`: nothing that matters here.
    ///
    /// # Errors
    /// [`WebhookRejection`].
    pub fn read(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Option<PaymentEvent>, WebhookRejection> {
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
        agreement: &str,
        instruction: AgreementInstruction,
        key: Uuid,
    ) -> Result<(), ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.instruct(agreement, instruction).await,
            Self::Stripe(stripe) => stripe.instruct(agreement, instruction, key).await,
            Self::PayHere(payhere) => payhere.instruct(agreement, instruction).await,
        }
    }
}
