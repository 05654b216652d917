//! What every handler and job holds: the context, limits, and the clients of other services.

use crate::{
    app::{
        context::{BillingContext, Context, CredentialContext},
        login_attempts::Attempts,
        unsubscribe_links::UnsubscribeLinks,
    },
    base::{password::Passwords, rate_limit::RateLimit},
    clients::{
        document_store::Documents, google::Google, payments::Provider, phone_gateway::PhoneGateway,
        smtp::Transport,
    },
    domain::channel::DirectChannel,
};
use std::{ops::Deref, sync::Arc};
use uuid::Uuid;

/// The parts of a running server. Cloning shares them.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

/// See [`AppState`].
pub struct Parts {
    /// What services take.
    pub context: Context,
    /// Makes and checks password hashes.
    pub passwords: Passwords,
    /// Verifies sign-ins with Google; `None`: not offered.
    pub google: Option<Google>,
    /// Takes payments; `None`: nobody does.
    pub payments: Option<Provider>,
    /// On the calls that sign in.
    pub sign_in_limit: RateLimit,
    /// On attempts at a password.
    pub attempts: Attempts,
    /// On the details that guests open, by address.
    pub guest_limit: RateLimit,
    /// On the calls of programs, by key.
    pub key_limit: RateLimit<Uuid>,
    /// On the reports that are made, by user.
    pub report_limit: RateLimit<Uuid>,
    /// On the previews of alerts, by user.
    pub preview_limit: RateLimit<Uuid>,
    /// Where attached files lie, and who reads them.
    pub documents: Documents,
    /// How mail leaves.
    pub transport: Transport,
    /// Takes messages for telephones; `None`: nobody does.
    pub phones: Option<PhoneGateway>,
    /// Signs the links in mails.
    pub unsubscribe: UnsubscribeLinks,
}

impl AppState {
    /// From its parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// What billing needs of it.
    #[must_use]
    pub fn billing(&self) -> BillingContext<'_> {
        BillingContext { context: &self.context, provider: self.payments.as_ref() }
    }

    /// What checks credentials.
    #[must_use]
    pub fn credentials(&self) -> CredentialContext<'_> {
        CredentialContext {
            context: &self.context,
            passwords: &self.passwords,
            attempts: &self.attempts,
            google: self.google.as_ref(),
        }
    }

    /// What alerts can go by here besides mail.
    #[must_use]
    pub fn channels(&self) -> Vec<DirectChannel> {
        let mut channels = self.phones.as_ref().map(PhoneGateway::channels).unwrap_or_default();
        channels.push(DirectChannel::Webhook);
        channels
    }
}

impl Deref for Parts {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
