//! The alerts of a user or a team, and what the ledger says about them.

use super::account::Account;
use crate::soak::{
    client::{Repetition, Request, WriteRequest, Written, text_at},
    digest_time,
    ledger::{Micros, WriteKind, now},
    words::alert_marker,
};
use anyhow::Result;
use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};
use uuid::Uuid;

/// The time of day of alerts that are not daily, which is the portal's default.
const DEFAULT_TIME: &str = "09:00";
/// How often a daily alert is edited although its mail is still to come. An edit postpones the mail.
const EARLY_EDIT_SHARE: f64 = 0.1;

/// How an alert sends its matches. It stays the same as long as the alert exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AlertSending {
    /// By mail at once.
    Mails,
    /// By mail and by webhook at once.
    Webhook,
    /// By mail and by SMS at once.
    Sms,
    /// By one mail a day.
    DailyMail,
}

impl AlertSending {
    const fn frequency(self) -> &'static str {
        match self {
            Self::Mails | Self::Webhook | Self::Sms => "immediate",
            Self::DailyMail => "daily",
        }
    }

    /// The channels in addition to mail.
    const fn channels(self) -> &'static [&'static str] {
        match self {
            Self::Mails | Self::DailyMail => &[],
            Self::Webhook => &["webhook"],
            Self::Sms => &["sms"],
        }
    }
}

struct OwnAlert {
    name: String,
    id: String,
    sending: AlertSending,
    /// What the ledger says about the alert.
    content: Value,
    /// When its next daily mail is due.
    due: Option<Micros>,
}

/// A version of an alert: what is sent to the portal, and what the ledger says.
struct AlertVersion {
    form: Value,
    content: Value,
    /// When its daily mail is due.
    due: Option<Micros>,
}

impl AlertVersion {
    fn new(name: &str, keywords: &[&str], sending: AlertSending, owner: &str) -> Self {
        let (channels, frequency) = (sending.channels(), sending.frequency());
        // Each write of a daily alert makes one more mail due.
        let due = (sending == AlertSending::DailyMail).then(|| digest_time::next_minute(now()));
        let time = due.map_or_else(|| DEFAULT_TIME.to_owned(), digest_time::time_of_day);
        let terms: Vec<Value> =
            keywords.iter().map(|term| json!({"term": term, "matchType": "exact"})).collect();
        let form = json!({"name": name, "keywords": terms, "channels": channels,
            "emailSettings": {"enabled": true, "frequency": frequency, "dailySummaryTime": time}});
        let content = json!({"keywords": keywords, "owner": owner, "channels": channels,
            "frequency": frequency, "time": time});
        Self { form, content, due }
    }
}

/// Chooses the keywords of an alert.
type ChooseKeywords = fn(AlertSending, &mut StdRng) -> Vec<&'static str>;

/// The alerts of a user or of a team. An alert is left alone after an unknown outcome.
#[derive(Default)]
pub(super) struct OwnAlerts(Vec<OwnAlert>);

impl OwnAlerts {
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn has_daily(&self) -> bool {
        self.0.iter().any(|alert| alert.sending == AlertSending::DailyMail)
    }

    pub(super) fn append(&mut self, mut other: Self) {
        self.0.append(&mut other.0);
    }

    /// Passes the alerts to another owner. Returns what the ledger says about this.
    pub(super) fn pass_to(&mut self, owner: &str) -> Vec<(WriteKind, String, Option<Value>)> {
        let pass = |alert: &mut OwnAlert| {
            alert.content["owner"] = json!(owner);
            (WriteKind::PassAlert, format!("alert/{}", alert.name), Some(alert.content.clone()))
        };
        self.0.iter_mut().map(pass).collect()
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
            value: Some(version.content.clone()),
            request: Request::post("/api/alerts", version.form).with_idempotency_key(key),
            repetition: Repetition::Safe,
        };
        let Written::Accepted(reply) = account.write_permitted(wanted).await? else { return Ok(false) };
        let id = text_at(&reply, "/data/alert/_id")?;
        self.0.push(OwnAlert { name, id, sending, content: version.content, due: version.due });
        Ok(true)
    }

    /// Edits an alert, if there is one. The account may be that of a teammate of the owner. A daily alert is
    /// mostly left alone until its mail is due. Returns false if the portal has not accepted the edit.
    pub(super) async fn edit_one(
        &mut self,
        account: &mut Account,
        choose_keywords: ChooseKeywords,
    ) -> Result<bool> {
        let Some(place) = self.choose(account) else { return Ok(true) };
        let OwnAlert { name, id, sending, content, due } = &self.0[place];
        if due.is_some_and(|due| now() < due) && !account.random.random_bool(EARLY_EDIT_SHARE) {
            return Ok(true);
        }
        let keywords = choose_keywords(*sending, &mut account.random);
        let version =
            AlertVersion::new(name, &keywords, *sending, content["owner"].as_str().unwrap_or_default());
        let wanted = WriteRequest {
            kind: WriteKind::EditAlert,
            key: format!("alert/{name}"),
            value: Some(version.content.clone()),
            request: Request::put(format!("/api/alerts/{id}"), version.form),
            repetition: Repetition::Safe,
        };
        let written = account.write_permitted(wanted).await?;
        if written.is_unknown() {
            self.0.swap_remove(place);
        } else {
            let alert = &mut self.0[place];
            (alert.content, alert.due) = (version.content, version.due);
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
