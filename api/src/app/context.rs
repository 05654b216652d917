//! What services take: [`Context`], and what some need besides.

use super::{login_attempts::Attempts, progress::Progress};
use crate::{
    base::{clock::Clock, config::ServeConfig, password::Passwords, random::Random, signing_key::SigningKey},
    clients::{google::Google, payments::Provider},
};
use index::IndexStore;
use lettre::message::Mailbox;
use sqlx::PgPool;
use std::{ops::Deref, sync::Arc};

/// The database, the index, the settings, the clock and the random generator. Cloning shares them.
#[derive(Clone)]
pub struct Context {
    /// The database.
    pub db: PgPool,
    /// The settings, as read at the start.
    pub config: Arc<ServeConfig>,
    /// The time.
    pub clock: Clock,
    /// Ids and secrets.
    pub random: Random,
    /// Signs access tokens and links.
    pub signing_key: SigningKey,
    /// The sender of all mail.
    pub sender: Mailbox,
    /// The index, for searching. Only its follower writes.
    pub catalogue: IndexStore,
    /// How far the jobs of this process have come.
    pub progress: Arc<Progress>,
}

/// What billing needs.
#[derive(Clone, Copy)]
pub struct BillingContext<'a> {
    /// What every service needs.
    pub context: &'a Context,
    /// Takes payments. `None`: the portal takes none.
    pub provider: Option<&'a Provider>,
}

/// What checks a caller's credentials.
#[derive(Clone, Copy)]
pub struct CredentialContext<'a> {
    /// What every service needs.
    pub context: &'a Context,
    /// Makes and checks password hashes.
    pub passwords: &'a Passwords,
    /// Limits attempts at a password.
    pub attempts: &'a Attempts,
    /// Verifies sign-ins with Google. `None`: it is not offered.
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
