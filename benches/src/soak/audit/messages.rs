//! Audits the mails and the calls of webhooks.

use super::{
    AuditReport, WriteHistory, is_attacked_near, last_outcome,
    teams::{AlertOwner, owners_of_alerts},
};
use crate::soak::{
    layout::Victim,
    ledger::{Micros, WriteKind, WriteOutcome},
    observed::{Observed, ReceivedMail},
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// The address to which the portal sends the messages of the contact form.
const OPERATOR: &str = "contact@demo.test";

/// The messages that list each pair of alert and tender, by their ids.
pub(super) type ListedIn<'o> = BTreeMap<(String, String), BTreeSet<&'o str>>;

/// The ids of the mails about each account or message.
type MailsAbout<'o> = BTreeMap<&'o str, BTreeSet<&'o str>>;

/// Checks the mails: each message is received, and each match is in one message.
pub(super) fn audit_mails(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    if observed.unreadable_mails > 0 {
        report.violations.push(format!("{} mails can't be read", observed.unreadable_mails));
    }
    let mut copies: BTreeMap<&str, Vec<&ReceivedMail>> = BTreeMap::new();
    for mail in &observed.mails {
        copies.entry(&mail.read.message_id).or_default().push(mail);
    }
    report.mails = copies.len();
    for (id, copies) in &copies {
        for pair in copies.windows(2) {
            report.repeated_mails += 1;
            if (&pair[0].to, &pair[0].content) != (&pair[1].to, &pair[1].content) {
                report.violations.push(format!("two different mails have the Message-ID {id}"));
            }
            if !is_attacked_near(observed, pair[0].at, &Victim::MAIL_SENDERS) {
                report.violations.push(format!("the mail {id} was sent twice although nothing was killed"));
            }
        }
    }
    let known: BTreeSet<&str> =
        observed.deliveries.iter().filter_map(|delivery| delivery.message_id.as_deref()).collect();
    // The portal does not keep mails to its own operator. They are checked by their contents.
    let is_kept = |copies: &[&ReceivedMail]| copies[0].to != OPERATOR;
    for (id, _) in copies.iter().filter(|(id, copies)| is_kept(copies) && !known.contains(**id)) {
        report.violations.push(format!("the mail {id} was received, but the portal does not know it"));
    }
    for delivery in observed.deliveries.iter().filter(|delivery| delivery.channel == "email") {
        let id = delivery.message_id.as_deref().unwrap_or_default();
        match delivery.state.as_str() {
            "sent" if !copies.contains_key(id) => {
                report.violations.push(format!("the mail {id} is marked as sent, but was never received"));
            }
            "dead" => report.violations.push(format!("the mail {} was given up", delivery.id)),
            _ => {}
        }
    }
    let mut listed = ListedIn::new();
    for (id, copies) in &copies {
        for item in &copies[0].read.new_tenders {
            listed.entry((item.alert.clone(), item.tender.clone())).or_default().insert(id);
        }
    }
    report.mailed_items = listed.len();
    let leaves_out = |id: &str| copies.get(id).is_some_and(|copies| copies[0].read.leaves_out_tenders());
    let channel = Channel { name: "mail", stored: "email", listed: &listed, leaves_out: &leaves_out };
    audit_channel(history, observed, report, &channel);
    let owners = owners_of_alerts(history);
    for ((alert, tender), ids) in &listed {
        let published =
            history.writes(&format!("tender/{tender}")).first().map_or(Micros::MIN, |write| write.sent_at);
        let owners = owners.get(alert.as_str()).map(Vec::as_slice).unwrap_or_default();
        for id in ids {
            let mail = copies[id][0];
            let is_owner =
                |owner: &AlertOwner| owner.email == mail.to && owner.may_receive(mail.at, published);
            if !owners.iter().any(is_owner) {
                report.violations.push(format!(
                    "the mail {id} about alert {alert} and tender {tender} went to {}, but the owners were {owners:?}",
                    mail.to
                ));
            }
        }
    }
}

/// What was received over one channel.
pub(super) struct Channel<'o> {
    pub(super) name: &'static str,
    /// The name of the channel in the database.
    pub(super) stored: &'static str,
    pub(super) listed: &'o ListedIn<'o>,
    pub(super) leaves_out: &'o dyn Fn(&str) -> bool,
}

/// Checks that each match is in one message of the channel.
pub(super) fn audit_channel(
    history: &WriteHistory,
    observed: &Observed,
    report: &mut AuditReport,
    channel: &Channel,
) {
    let mut collected: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for delivery in observed.deliveries.iter().filter(|delivery| delivery.channel == channel.stored) {
        let id = if channel.stored == "email" {
            delivery.message_id.as_deref()
        } else {
            Some(delivery.id.as_str())
        };
        for (alert, tender) in &delivery.items {
            collected.insert((alert, tender), id.unwrap_or_default());
        }
    }
    for ((alert, tender), ids) in channel.listed.iter().filter(|(_, ids)| ids.len() > 1) {
        report.violations.push(format!(
            "{} lists tender {tender} for alert {alert} in {} messages: {ids:?}",
            channel.name,
            ids.len()
        ));
    }
    let found: BTreeSet<&(String, String)> = observed.matches.iter().collect();
    for pair in channel.listed.keys().filter(|pair| !found.contains(pair)) {
        report
            .violations
            .push(format!("{} lists tender {} for alert {} without a match", channel.name, pair.1, pair.0));
    }
    for pair in &found {
        if channel.listed.contains_key(*pair) {
            continue;
        }
        let (alert, tender) = (pair.0.as_str(), pair.1.as_str());
        let writes = history.writes(&format!("alert/{alert}"));
        let is_chosen = |value: &Value| {
            value["channels"]
                .as_array()
                .is_some_and(|chosen| chosen.iter().any(|name| name == channel.stored))
        };
        let uses_channel = channel.stored == "email"
            || writes.iter().all(|write| write.value.as_ref().is_none_or(is_chosen));
        if !uses_channel {
            continue;
        }
        let counted = collected.get(&(alert, tender)).is_some_and(|id| (channel.leaves_out)(id));
        if counted {
            report.counted_items += 1;
        } else if history.may_have_ended(&format!("alert/{alert}"))
            || history.may_have_ended(&format!("tender/{tender}"))
        {
            report.excused_items += 1;
        } else {
            report.violations.push(format!(
                "the match of alert {alert} and tender {tender} was never received by {}",
                channel.name
            ));
        }
    }
}

/// Checks the calls of webhooks.
pub(super) fn audit_calls(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let mut bodies: BTreeMap<&str, &str> = BTreeMap::new();
    let mut listed = ListedIn::new();
    let mut incomplete = BTreeSet::new();
    for call in &observed.calls {
        match bodies.insert(&call.id, &call.body) {
            Some(body) if body != call.body => {
                report.violations.push(format!("two different calls have the id {}", call.id));
            }
            Some(_) => report.repeated_calls += 1,
            None => {}
        }
        if call.leaves_out_tenders() {
            incomplete.insert(call.id.as_str());
        }
        for pair in call.new_tenders() {
            listed.entry(pair).or_default().insert(&call.id);
        }
    }
    report.calls = bodies.len();
    report.called_items = listed.len();
    let known: BTreeSet<&str> = observed.deliveries.iter().map(|delivery| delivery.id.as_str()).collect();
    for id in bodies.keys().filter(|id| !known.contains(**id)) {
        report.violations.push(format!("the call {id} was received, but the portal does not know it"));
    }
    for delivery in observed.deliveries.iter().filter(|delivery| delivery.channel == "webhook") {
        if delivery.state != "sent" {
            report.violations.push(format!("the call {} is {} at the end", delivery.id, delivery.state));
        } else if !bodies.contains_key(delivery.id.as_str()) {
            report
                .violations
                .push(format!("the call {} is marked as sent, but was never received", delivery.id));
        }
    }
    let leaves_out = |id: &str| incomplete.contains(id);
    let channel =
        Channel { name: "the webhook", stored: "webhook", listed: &listed, leaves_out: &leaves_out };
    audit_channel(history, observed, report, &channel);
}

/// Checks that each account got one mail with the link that confirms its address, and that each
/// invitation and each message of the contact form was mailed once.
pub(super) fn audit_account_mails(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    // Mails are read once, because a long run sends a hundred thousand.
    let (mut links, mut invitations, mut questions) =
        (MailsAbout::new(), MailsAbout::new(), MailsAbout::new());
    for mail in &observed.mails {
        let (id, text) = (mail.read.message_id.as_str(), mail.read.text.as_str());
        if text.contains("/verify-email?") {
            links.entry(mail.to.as_str()).or_default().insert(id);
        }
        if text.contains("/join?") {
            invitations.entry(mail.to.as_str()).or_default().insert(id);
        }
        for rest in text.split("question ").skip(1) {
            let marker = rest.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default();
            questions.entry(marker).or_default().insert(id);
        }
    }
    let count = |mails: &MailsAbout, key: &str| mails.get(key).map_or(0, BTreeSet::len);
    let mut check = |what: String, found: usize, outcome: Option<WriteOutcome>| {
        if !outcome.map_or(found == 0, |outcome| outcome.permits(found)) {
            report.violations.push(format!("{what} was mailed {found} times"));
        }
    };
    for (email, writes) in history.with_prefix("user/") {
        let outcome = last_outcome(writes, WriteKind::Register);
        check(format!("the link for {email}"), count(&links, email), outcome);
    }
    let mut invited = BTreeSet::new();
    for (key, writes) in history.with_prefix("invitation/") {
        let email = key.rsplit('/').next().unwrap_or_default();
        invited.insert(email);
        let outcome = last_outcome(writes, WriteKind::Invite);
        check(format!("the invitation of {email}"), count(&invitations, email), outcome);
    }
    for email in invitations.keys().filter(|email| !invited.contains(*email)) {
        check(format!("an invitation of {email}"), count(&invitations, email), None);
    }
    for (marker, writes) in history.with_prefix("message/") {
        let outcome = last_outcome(writes, WriteKind::SendMessage);
        check(format!("the message {marker}"), count(&questions, marker), outcome);
    }
}
