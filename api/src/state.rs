//! What every handler and job holds: the database, the index, the settings, the clock and the random generator.

use crate::{
    auth::{Attempts, Google, Passwords, SigningKey},
    channels::{Direct, phone::Gateway},
    clock::Clock,
    config::ServeConfig,
    documents::Documents,
    edge::limit::Limit,
    jobs::Progress,
    mail::{transport::Transport, unsubscribe::UnsubscribeLinks},
    payments::Provider,
    random::Random,
};
use index::IndexStore;
use lettre::message::Mailbox;
use sqlx::PgPool;
use std::{ops::Deref, sync::Arc};
use uuid::Uuid;

/// The parts of a running server. Cloning shares them.
#[derive(Clone)]
pub struct AppState(Arc<Parts>);

/// See [`AppState`].
pub struct Parts {
    /// The record.
    pub db: PgPool,
    /// The settings, as read at the start.
    pub config: ServeConfig,
    /// The time.
    pub clock: Clock,
    /// Ids and secrets.
    pub random: Random,
    /// Signs access tokens and links.
    pub signing_key: SigningKey,
    /// Makes and checks password hashes.
    pub passwords: Passwords,
    /// Verifies sign-ins with Google; `None`: not offered.
    pub google: Option<Google>,
    /// Takes payments; `None`: nobody does.
    pub payments: Option<Provider>,
    /// On the calls that sign in.
    pub sign_in_limit: Limit,
    /// On attempts at a password.
    pub attempts: Attempts,
    /// On the details that guests open, by address.
    pub guest_limit: Limit,
    /// On the calls of programs, by key.
    pub key_limit: Limit<Uuid>,
    /// On the reports that are made, by user.
    pub report_limit: Limit<Uuid>,
    /// On the previews of alerts, by user.
    pub preview_limit: Limit<Uuid>,
    /// The index, for searching; its follower alone writes.
    pub catalogue: IndexStore,
    /// Where attached files lie, and who reads them.
    pub documents: Documents,
    /// How mail leaves.
    pub transport: Transport,
    /// Takes messages for telephones; `None`: nobody does.
    pub phones: Option<Gateway>,
    /// The sender of all mail.
    pub sender: Mailbox,
    /// Signs the links in mails.
    pub unsubscribe: UnsubscribeLinks,
    /// How far the jobs of this process have come.
    pub progress: Progress,
}

impl AppState {
    /// From its parts.
    #[must_use]
    pub fn new(parts: Parts) -> Self {
        Self(Arc::new(parts))
    }

    /// What alerts can go by here besides mail.
    #[must_use]
    pub fn channels(&self) -> Vec<Direct> {
        let mut channels = self.phones.as_ref().map(Gateway::channels).unwrap_or_default();
        channels.push(Direct::Webhook);
        channels
    }
}

impl Deref for AppState {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}
