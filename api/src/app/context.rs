//! The dependencies of services: [`Context`], [`BillingContext`] and [`CredentialContext`].

use super::{
    empty_searches::EmptySearches, login_attempts::LoginAttempts, metrics::Metrics, progress::Progress,
};
use crate::{
    base::{
        clock::Clock, config::ServeConfig, passkeys::Passkeys, password::Passwords, random::Random,
        secret_box::SecretBox, signing_key::SigningKey,
    },
    clients::{file_store::FileStore, google::Google, payments::Provider},
};
use index::SearchEngine;
use lettre::message::Mailbox;
use sqlx::PgPool;
use std::{ops::Deref, sync::Arc};
use tokio::sync::Semaphore;

/// What all services depend on, such as the database, the index, the settings and the clock.
/// Clones share them.
#[derive(Clone)]
pub struct Context {
    /// The connections to the database.
    pub db: PgPool,
    /// The settings, read at startup.
    pub config: Arc<ServeConfig>,
    /// The clips, documents and newspaper pages.
    pub files: FileStore,
    /// The portal's clock.
    pub clock: Clock,
    /// The generator of ids and secrets.
    pub random: Random,
    /// Signs access tokens and links.
    pub signing_key: SigningKey,
    /// Encrypts secrets in the database.
    pub secrets: SecretBox,
    /// Verifies passkeys.
    pub passkeys: Passkeys,
    /// The sender of all mail.
    pub sender: Mailbox,
    /// The search index, for reading. Only the index follower writes.
    pub search_engine: Arc<dyn SearchEngine>,
    /// The searches that may run at the same time. They need the processor, so more of them at once
    /// would only delay each other. Waiting searches run in the order of their requests.
    pub search_turns: Arc<Semaphore>,
    /// The progress of this process's jobs.
    pub progress: Arc<Progress>,
    /// The metrics of this process.
    pub metrics: Arc<Metrics>,
    /// The searches of this process that found nothing and are not stored yet.
    pub empty_searches: Arc<EmptySearches>,
}

/// What billing depends on.
#[derive(Clone, Copy)]
pub struct BillingContext<'a> {
    /// The common dependencies.
    pub context: &'a Context,
    /// The payment provider. `None`: payments are off.
    pub provider: Option<&'a Provider>,
}

/// What the check of credentials depends on.
#[derive(Clone, Copy)]
pub struct CredentialContext<'a> {
    /// The common dependencies.
    pub context: &'a Context,
    /// Creates and verifies password hashes.
    pub passwords: &'a Passwords,
    /// Limits password attempts.
    pub attempts: &'a LoginAttempts,
    /// Verifies sign-ins with Google. `None`: sign-in with Google is not offered.
    pub google: Option<&'a Google>,
}

impl Deref for BillingContext<'_> {
    type Target = Context;

    fn deref(&self) -> &Context {
        self.context
    }
}

impl Deref for CredentialContext<'_> {
    type Target = Context;

    fn deref(&self) -> &Context {
        self.context
    }
}
