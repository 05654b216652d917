//! Audits the SMS. An SMS has no id, so messages with the same number and text are compared as a group.

use super::{
    AuditReport, WriteHistory, is_attacked_near, last_outcome,
    messages::{Channel, ListedIn, audit_channel},
    teams::{AlertOwner, alert_owners},
};
use crate::soak::{
    layout::Victim,
    ledger::WriteKind,
    observed::{Delivery, Observed},
    sms::ReceivedSms,
};
use std::collections::{BTreeMap, BTreeSet};

/// The text of all SMS with codes, because the portal does not keep codes.
const CODE: &str = "a code";

/// A number and a text.
type SmsKey<'o> = (&'o str, &'o str);

/// Checks the SMS: each one is received, again only after an interruption, and each match is in one SMS.
pub(super) fn audit_sms(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let mut received: BTreeMap<SmsKey, Vec<&ReceivedSms>> = BTreeMap::new();
    for sms in &observed.sms {
        let text = if sms.code().is_some() { CODE } else { &sms.text };
        received.entry((&sms.to, text)).or_default().push(sms);
    }
    let mut sent: BTreeMap<SmsKey, Vec<&Delivery>> = BTreeMap::new();
    for delivery in observed.deliveries.iter().filter(|delivery| delivery.channel == "sms") {
        if delivery.state != "sent" {
            report.violations.push(format!("the SMS {} is {} at the end", delivery.id, delivery.state));
        }
        let text = delivery.sms_text.as_deref().unwrap_or(CODE);
        sent.entry((delivery.sms_number(), text)).or_default().push(delivery);
    }
    for key in received.keys().filter(|key| !sent.contains_key(*key)) {
        report.violations.push(format!("the portal does not know the SMS {key:?}"));
    }
    for (key, deliveries) in &sent {
        let copies = received.get(key).map(Vec::as_slice).unwrap_or_default();
        audit_copies(key, deliveries, copies, observed, report);
    }
    audit_items(history, observed, &sent, &received, report);
    audit_codes(history, observed, report);
}

/// Checks how often an SMS was received. The portal tries again only after an attempt without an outcome.
fn audit_copies(
    key: &SmsKey,
    deliveries: &[&Delivery],
    copies: &[&ReceivedSms],
    observed: &Observed,
    report: &mut AuditReport,
) {
    report.sms += deliveries.len();
    report.repeated_sms += copies.len().saturating_sub(deliveries.len());
    if copies.len() < deliveries.len() {
        report.violations.push(format!("an SMS is marked as sent, but was never received: {key:?}"));
    }
    let attempts: i32 = deliveries.iter().map(|delivery| delivery.attempts).sum();
    if copies.len() > usize::try_from(attempts).unwrap_or_default() {
        report.violations.push(format!(
            "the portal counts {attempts} attempts, but {} copies came: {key:?}",
            copies.len()
        ));
    }
    let is_whole =
        |copy: &&&ReceivedSms| copy.is_answered && !is_attacked_near(observed, copy.at, &Victim::JOB_RUNNERS);
    if copies.iter().filter(is_whole).count() > deliveries.len() {
        report.violations.push(format!("an SMS was sent again although nothing was interrupted: {key:?}"));
    }
}

/// Checks that each match is in one SMS to the owner of the alert.
fn audit_items(
    history: &WriteHistory,
    observed: &Observed,
    sent: &BTreeMap<SmsKey, Vec<&Delivery>>,
    received: &BTreeMap<SmsKey, Vec<&ReceivedSms>>,
    report: &mut AuditReport,
) {
    let mut listed = ListedIn::new();
    let mut incomplete = BTreeSet::new();
    for (key, copies) in received {
        for delivery in sent.get(key).into_iter().flatten() {
            if copies[0].leaves_out_tenders() {
                incomplete.insert(delivery.id.as_str());
                continue;
            }
            for (alert, tender) in delivery.items.iter().filter(|(_, tender)| key.1.contains(tender.as_str()))
            {
                listed.entry((alert.clone(), tender.clone())).or_default().insert(&delivery.id);
                let has_number = |owner: &AlertOwner| {
                    let phone = observed.records.get(&format!("phone/{}", owner.email));
                    phone.and_then(|values| values.first()).is_some_and(|phone| phone["number"] == key.0)
                };
                if !alert_owners(history.writes(&format!("alert/{alert}"))).iter().any(has_number) {
                    report.violations.push(format!("the SMS about alert {alert} went to {}", key.0));
                }
            }
        }
    }
    let leaves_out = |id: &str| incomplete.contains(id);
    let channel = Channel { name: "SMS", stored: "sms", listed: &listed, leaves_out: &leaves_out };
    audit_channel(history, observed, report, &channel);
}

/// Checks that one code was sent for each number that was set.
fn audit_codes(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let mut codes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for sms in &observed.sms {
        if let Some(code) = sms.code() {
            codes.entry(&sms.to).or_default().insert(code);
        }
    }
    let mut wanted = BTreeSet::new();
    for (email, writes) in history.with_prefix("phone/") {
        let Some(outcome) = last_outcome(writes, WriteKind::SetPhone) else { continue };
        let mut numbers = writes.iter().filter_map(|write| write.value.as_ref()?["number"].as_str());
        let number = numbers.next().unwrap_or_default();
        let found = codes.get(number).map_or(0, BTreeSet::len);
        wanted.insert(number);
        if !outcome.permits(found) {
            report.violations.push(format!("{email} got {found} codes"));
        }
    }
    for number in codes.keys().filter(|number| !wanted.contains(*number)) {
        report.violations.push(format!("a code was sent to {number}, which nobody has set"));
    }
}
