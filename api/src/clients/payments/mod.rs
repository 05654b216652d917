//! Payment providers behind one interface, which opens and queries checkouts, verifies webhooks,
//! and changes or ends agreements. Each provider's protocol has its own file. The billing service
//! decides what a payment is for. Of the providers, only the sandbox stores data in the portal's
//! database.

pub(crate) mod payhere;
pub(crate) mod provider_http;
pub mod sandbox;
pub(crate) mod signature;
pub(crate) mod stripe;

pub use provider_http::ProviderError;

use crate::{
    base::{
        config::{ProviderName, ServeConfig},
        random::Random,
        signing_key::SigningKey,
    },
    domain::{
        billing_cycle::BillingCycle,
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

/// The configured payment provider.
pub enum Provider {
    /// Test cards for demonstrations.
    Sandbox(Sandbox),
    /// The client for Stripe.
    Stripe(Stripe),
    /// The client for PayHere.
    PayHere(PayHere),
}

impl Provider {
    /// Creates the provider from the settings. `None`: payments are off.
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

    /// Returns the provider's name in the database and in URLs.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Sandbox(_) => "sandbox",
            Self::Stripe(_) => "stripe",
            Self::PayHere(_) => "payhere",
        }
    }

    /// Whether the provider can change an agreement's price if the billing cycle changes like
    /// this.
    #[must_use]
    pub fn can_reprice(&self, from: BillingCycle, to: BillingCycle) -> bool {
        match self {
            Self::Sandbox(_) => true,
            // Stripe charges at once if the billing interval changes.
            Self::Stripe(_) => from == to,
            Self::PayHere(_) => false,
        }
    }

    /// Whether a cancelled agreement can be resumed.
    #[must_use]
    pub const fn can_resume(&self) -> bool {
        !matches!(self, Self::PayHere(_))
    }

    /// Opens a checkout at the provider. The call is idempotent, and on an error nothing is
    /// charged.
    pub async fn open(&self, order: &CheckoutOrder<'_>) -> Result<OpenedCheckout, ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.open(order).await,
            Self::Stripe(stripe) => stripe.open(order).await,
            Self::PayHere(payhere) => Ok(payhere.open(order)),
        }
    }

    /// Queries the state of a checkout at the provider.
    pub async fn query(
        &self,
        checkout: Uuid,
        session: &str,
        now: Timestamp,
    ) -> Result<CheckoutState, ProviderError> {
        match self {
            Self::Sandbox(sandbox) => sandbox.query(session, now).await,
            Self::Stripe(stripe) => stripe.query(checkout, session, now).await,
            Self::PayHere(payhere) => payhere.query(checkout, now).await,
        }
    }

    /// Verifies and parses a webhook. `None`: the event is irrelevant here.
    pub fn parse_webhook(
        &self,
        headers: &HeaderMap,
        body: &[u8],
        now: Timestamp,
    ) -> Result<Option<PaymentEvent>, WebhookRejection> {
        match self {
            Self::Sandbox(sandbox) => sandbox.parse_webhook(headers, body, now).map(Some),
            Self::Stripe(stripe) => stripe.parse_webhook(headers, body, now),
            Self::PayHere(payhere) => payhere.parse_webhook(body, now),
        }
    }

    /// Cancels, resumes, reprices or ends an agreement. `key` is the idempotency key.
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
