//! The alerts of a user, and what the ledger says about them.

use super::account::Account;
use crate::soak::{
    client::{Repetition, Request, WriteRequest, Written, text_at},
    ledger::WriteKind,
    words::alert_marker,
};
use anyhow::Result;
use rand::Rng;
use serde_json::{Value, json};
use uuid::Uuid;

/// How an alert sends its matches. It stays the same as long as the alert exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlertSending {
    /// By mail at once.
    Mails,
    /// By mail and by webhook at once.
    Webhook,
}

impl AlertSending {
    /// The channels in addition to mail.
    const fn channels(self) -> &'static [&'static str] {
        match self {
            Self::Mails => &[],
            Self::Webhook => &["webhook"],
        }
    }
}

struct OwnAlert {
    name: String,
    id: String,
    sending: AlertSending,
}

/// A version of an alert: what is sent to the portal, and what the ledger says.
struct AlertVersion {
    form: Value,
    content: Value,
}

impl AlertVersion {
    fn new(name: &str, keywords: &[&str], sending: AlertSending, owner: &str) -> Self {
        let channels = sending.channels();
        let terms: Vec<Value> =
            keywords.iter().map(|term| json!({"term": term, "matchType": "exact"})).collect();
        let form = json!({"name": name, "keywords": terms, "channels": channels,
            "emailSettings": {"enabled": true, "frequency": "immediate"}});
        Self { form, content: json!({"keywords": keywords, "owner": owner, "channels": channels}) }
    }
}

/// The alerts of a user. An alert is left alone after an unknown outcome.
#[derive(Default)]
pub(super) struct OwnAlerts(Vec<OwnAlert>);

impl OwnAlerts {
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// Creates an alert. Returns false if the portal has not accepted it.
    pub(super) async fn create(
        &mut self,
        account: &mut Account,
        keywords: &[&str],
        sending: AlertSending,
    ) -> Result<bool> {
        let name = alert_marker(&mut account.random);
        let version = AlertVersion::new(&name, keywords, sending, &account.email);
        let key = Uuid::from_u128(account.random.random());
        let wanted = WriteRequest {
            kind: WriteKind::CreateAlert,
            key: format!("alert/{name}"),
            value: Some(version.content),
            request: Request::post("/api/alerts", version.form).with_idempotency_key(key),
            repetition: Repetition::Safe,
        };
        let Written::Accepted(reply) = account.write_permitted(wanted).await? else { return Ok(false) };
        self.0.push(OwnAlert { name, id: text_at(&reply, "/data/alert/_id")?, sending });
        Ok(true)
    }

    /// Edits an alert, if there is one. Returns false if the portal has not accepted the edit.
    pub(super) async fn edit_one(&mut self, account: &mut Account, keywords: &[&str]) -> Result<bool> {
        let Some(place) = self.choose(account) else { return Ok(true) };
        let OwnAlert { name, id, sending } = &self.0[place];
        let version = AlertVersion::new(name, keywords, *sending, &account.email);
        let wanted = WriteRequest {
            kind: WriteKind::EditAlert,
            key: format!("alert/{name}"),
            value: Some(version.content),
            request: Request::put(format!("/api/alerts/{id}"), version.form),
            repetition: Repetition::Safe,
        };
        let written = account.write_permitted(wanted).await?;
        if written.is_unknown() {
            self.0.swap_remove(place);
        }
        Ok(written.is_accepted())
    }

    /// Deletes an alert, if there is one. Returns false if the portal has not accepted the deletion.
    pub(super) async fn delete_one(&mut self, account: &mut Account) -> Result<bool> {
        let Some(place) = self.choose(account) else { return Ok(true) };
        let alert = self.0.swap_remove(place);
        let wanted = WriteRequest {
            kind: WriteKind::DeleteAlert,
            key: format!("alert/{}", alert.name),
            value: None,
            request: Request::delete(format!("/api/alerts/{}", alert.id)),
            repetition: Repetition::Safe,
        };
        Ok(account.write_permitted(wanted).await?.is_accepted())
    }

    fn choose(&self, account: &mut Account) -> Option<usize> {
        (!self.0.is_empty()).then(|| account.random.random_range(0..self.0.len()))
    }
}
