//! The state of request handlers and jobs: the context of services, rate limits, and clients of
//! external services.

use crate::{
    app::{
        context::{BillingContext, Context, CredentialContext},
        database_probe::DatabaseProbe,
        ended_sessions::EndedSessions,
        guest_responses::GuestResponses,
        highlights_cache::HighlightsCache,
        login_attempts::LoginAttempts,
        market_cache::MarketCache,
        request_limits::RequestLimits,
        shared_limit::SharedLimit,
        sitemap_cache::SitemapCache,
        unsubscribe_links::UnsubscribeLinks,
    },
    base::{password::Passwords, turns::ClientTurns},
    clients::{
        document_file::Documents, google::Google, payments::Provider, phone_gateway::PhoneGateway,
        smtp::Transport,
    },
    domain::channel::DirectChannel,
};
use sqlx::PgPool;
use std::{ops::Deref, sync::Arc};

/// The components of a running server. Clones of this value share the components.
#[derive(Clone)]
pub struct AppState(Arc<AppParts>);

/// The components behind [`AppState`]. Clones share them.
#[derive(Clone)]
pub struct AppParts {
    /// What services depend on. Its connections are those for requests, or those for jobs in a state
    /// for jobs.
    pub context: Context,
    /// The connections for jobs.
    pub job_db: PgPool,
    /// Checks that the database answers.
    pub database_probe: Arc<DatabaseProbe>,
    /// Creates and verifies password hashes.
    pub passwords: Passwords,
    /// Verifies sign-ins with Google. `None`: sign-in with Google is not offered.
    pub google: Option<Arc<Google>>,
    /// The payment provider. `None`: payments are off.
    pub payments: Option<Arc<Provider>>,
    /// Limits requests.
    pub limits: Arc<RequestLimits>,
    /// The sessions whose access tokens are no longer valid.
    pub ended_sessions: Arc<EndedSessions>,
    /// Lets the clients whose requests need a password hash take turns.
    pub hashing_turns: Arc<ClientTurns>,
    /// Limits password attempts.
    pub attempts: Arc<LoginAttempts>,
    /// Limits the tender details that guests open, by client address.
    pub guest_details: Arc<SharedLimit>,
    /// The responses to guests of the last moment.
    pub guest_responses: Arc<GuestResponses>,
    /// What the home page shows.
    pub highlights: Arc<HighlightsCache>,
    /// The figures of buyers and of the market.
    pub market: Arc<MarketCache>,
    /// The files of the sitemap that were made in the last minutes.
    pub sitemap: Arc<SitemapCache>,
    /// Extracts the text of attached documents.
    pub documents: Documents,
    /// Delivers mail.
    pub transport: Arc<Transport>,
    /// Sends SMS and WhatsApp messages. `None`: neither channel is offered.
    pub phones: Option<Arc<PhoneGateway>>,
    /// Signs and verifies the unsubscribe links in mails.
    pub unsubscribe: UnsubscribeLinks,
}

impl AppState {
    /// Creates the state.
    #[must_use]
    pub fn new(parts: AppParts) -> Self {
        Self(Arc::new(parts))
    }

    /// Returns the state for jobs, which use their own connections to the database.
    #[must_use]
    pub fn for_jobs(&self) -> Self {
        let mut parts = AppParts::clone(self);
        parts.context.db = self.job_db.clone();
        Self::new(parts)
    }

    /// Returns what billing depends on.
    #[must_use]
    pub fn billing(&self) -> BillingContext<'_> {
        BillingContext { context: &self.context, provider: self.payments.as_deref() }
    }

    /// Returns what the check of credentials depends on.
    #[must_use]
    pub fn credentials(&self) -> CredentialContext<'_> {
        CredentialContext {
            context: &self.context,
            passwords: &self.passwords,
            attempts: &self.attempts,
            google: self.google.as_deref(),
        }
    }

    /// Returns the channels besides mail that alerts can use on this portal.
    #[must_use]
    pub fn channels(&self) -> Vec<DirectChannel> {
        let mut channels = self.phones.as_deref().map(PhoneGateway::channels).unwrap_or_default();
        channels.push(DirectChannel::Webhook);
        channels
    }
}

impl Deref for AppParts {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl Deref for AppState {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}
