//! Simulated defects, which show that the audit can notice them.

use super::audit;
use crate::soak::{
    ledger::{LedgerContent, Write, WriteKind, WriteOutcome},
    mail_items::SINCE_THE_LAST,
    observed::{Delivery, Observed, ReceivedMail},
};
use std::collections::BTreeSet;

/// A change of the facts that the audit must notice.
pub(super) struct Tampering {
    name: &'static str,
    apply: fn(&LedgerContent, &mut Observed) -> bool,
}

/// The changes, each of which simulates a defect of the portal.
pub(super) const TAMPERINGS: [Tampering; 16] = [
    Tampering { name: "a lost tender", apply: |ledger, facts| lose_record(ledger, facts, "tender/") },
    Tampering { name: "a lost alert", apply: |ledger, facts| lose_record(ledger, facts, "alert/") },
    Tampering {
        name: "a tender with other content",
        apply: |_, facts| {
            let tender = facts.records.iter_mut().find(|(key, _)| key.starts_with("tender/"));
            let value = tender.and_then(|(_, values)| values.first_mut());
            value.map(|value| value["description"] = "other text".into()).is_some()
        },
    },
    Tampering {
        name: "a doubled tender",
        apply: |_, facts| {
            let tender = facts.records.iter_mut().find(|(key, _)| key.starts_with("tender/"));
            tender.map(|(_, values)| values.extend(values.first().cloned())).is_some()
        },
    },
    Tampering {
        name: "a lost match",
        apply: |_, facts| {
            let records = &facts.records;
            let exists = |(alert, _): &(String, String)| records.contains_key(&format!("alert/{alert}"));
            let place = facts.matches.iter().position(exists);
            place.map(|place| facts.matches.remove(place)).is_some()
        },
    },
    Tampering {
        name: "a lost mail",
        apply: |_, facts| {
            let Some(last) = facts.mails.last().map(|mail| mail.read.message_id.clone()) else {
                return false;
            };
            facts.mails.retain(|mail| mail.read.message_id != last);
            true
        },
    },
    Tampering {
        name: "a doubled mail",
        apply: |_, facts| {
            let with_items = facts.mails.iter().find(|mail| !mail.read.new_tenders.is_empty());
            let second = with_items.cloned();
            second.map(|mail| mail_again(facts, mail)).is_some()
        },
    },
    Tampering {
        name: "a tender of a daily alert that is mailed at once",
        apply: |_, facts| {
            let digest = facts.mails.iter_mut().find(|mail| lists_daily_tenders(mail));
            digest.map(|mail| mail.read.text = mail.read.text.replace(SINCE_THE_LAST, "")).is_some()
        },
    },
    Tampering {
        name: "a daily mail before its time",
        apply: |ledger, facts| {
            let Some(mail) = facts.mails.iter_mut().find(|mail| lists_daily_tenders(mail)) else {
                return false;
            };
            // Each of its alerts exists at this moment, and the last one was just written for the first time.
            let alerts = mail.read.new_tenders.iter().map(|item| format!("alert/{}", item.alert));
            let created = alerts.filter_map(|key| ledger.writes.iter().find(|write| write.key == key));
            created.map(|write| write.sent_at).max().map(|at| mail.at = at).is_some()
        },
    },
    Tampering {
        name: "a lost SMS",
        apply: |_, facts| {
            let first = facts.sms.iter().find(|sms| sms.code().is_none());
            let Some(lost) = first.cloned() else { return false };
            facts.sms.retain(|sms| (&sms.to, &sms.text) != (&lost.to, &lost.text));
            true
        },
    },
    Tampering {
        name: "an SMS that was sent again without a reason",
        apply: |_, facts| {
            let first = facts.sms.iter().find(|sms| sms.code().is_none());
            let Some(mut again) = first.cloned() else { return false };
            let messages = facts.deliveries.iter().filter(|delivery| {
                delivery.sms_number() == again.to && delivery.sms_text.as_ref() == Some(&again.text)
            });
            let attempts: i32 = messages.map(|delivery| delivery.attempts).sum();
            again.is_answered = true;
            let copies = usize::try_from(attempts).unwrap_or_default();
            facts.sms.extend(std::iter::repeat_n(again, copies));
            true
        },
    },
    Tampering {
        name: "a member of another team",
        apply: |_, facts| {
            let member = facts.records.iter_mut().find(|(key, _)| key.starts_with("member/"));
            member.map(|(_, owners)| owners[0] = "nobody@soak.example".into()).is_some()
        },
    },
    Tampering {
        name: "an invitation that is mailed with two links",
        apply: |_, facts| {
            let invitation = facts.mails.iter().find(|mail| mail.read.text.contains("/join?")).cloned();
            invitation.map(|mail| mail_again(facts, mail)).is_some()
        },
    },
    Tampering { name: "a mail to a former member about a later tender", apply: mail_former_member },
    Tampering {
        name: "a gap in the invoices",
        apply: |_, facts| {
            let first = facts.invoices.iter().map(|invoice| invoice.number.clone()).min();
            facts.invoices.retain(|invoice| Some(&invoice.number) != first.as_ref());
            first.is_some()
        },
    },
    Tampering {
        name: "a tender that search does not find",
        apply: |_, facts| {
            let found = facts.found.values_mut().find(|count| **count == 1);
            found.map(|count| *count = 0).is_some()
        },
    },
];

/// Adds another mail with the same text, and what the portal knows about it.
fn mail_again(facts: &mut Observed, mut mail: ReceivedMail) {
    mail.read.message_id.push_str(".again");
    facts.deliveries.push(Delivery {
        id: "again".into(),
        channel: "email".into(),
        state: "sent".into(),
        message_id: Some(mail.read.message_id.clone()),
        ..Delivery::default()
    });
    facts.mails.push(mail);
}

/// Sends a mail about an alert that had passed to the owner of the team to its former owner instead.
fn mail_former_member(ledger: &LedgerContent, facts: &mut Observed) -> bool {
    let is_passed =
        |write: &&Write| write.kind == WriteKind::PassAlert && write.outcome == WriteOutcome::Accepted;
    for passed in ledger.writes.iter().filter(is_passed) {
        let Some((alert, until)) = passed.key.strip_prefix("alert/").zip(passed.answered_at) else {
            continue;
        };
        let is_later = |tender: &str| {
            let key = format!("tender/{tender}");
            ledger.writes.iter().find(|write| write.key == key).is_some_and(|write| write.sent_at > until)
        };
        let lists_later = |mail: &&mut ReceivedMail| {
            mail.read.new_tenders.iter().any(|item| item.alert == alert && is_later(&item.tender))
        };
        let created = ledger.writes.iter().find(|write| write.key == passed.key);
        let former = created.and_then(|write| write.value.as_ref()?["owner"].as_str());
        if let (Some(mail), Some(former)) = (facts.mails.iter_mut().find(lists_later), former) {
            mail.to = former.to_owned();
            return true;
        }
    }
    false
}

fn lists_daily_tenders(mail: &ReceivedMail) -> bool {
    mail.read.is_digest() && !mail.read.new_tenders.is_empty()
}

/// Removes a record that must be there: none of its writes has an unknown outcome.
fn lose_record(ledger: &LedgerContent, facts: &mut Observed, prefix: &str) -> bool {
    let is_certain = |key: &str| {
        let mut writes = ledger.writes.iter().filter(|write| write.key == key);
        writes.all(|write| write.outcome != WriteOutcome::Unknown)
    };
    let key = facts.records.keys().find(|key| key.starts_with(prefix) && is_certain(key)).cloned();
    key.is_some_and(|key| facts.records.remove(&key).is_some())
}

/// Applies each change to a copy of the facts. Returns the names of the changes that the audit does
/// not notice, and the number of changes that could be applied.
pub(in crate::soak) fn unnoticed_tamperings(
    ledger: &LedgerContent,
    observed: &Observed,
) -> (Vec<&'static str>, usize) {
    let before: BTreeSet<String> = audit(ledger, observed).violations.into_iter().collect();
    let (mut unnoticed, mut applied) = (Vec::new(), 0);
    for tampering in &TAMPERINGS {
        let mut facts = observed.clone();
        if !(tampering.apply)(ledger, &mut facts) {
            continue;
        }
        applied += 1;
        if audit(ledger, &facts).violations.iter().all(|violation| before.contains(violation)) {
            unnoticed.push(tampering.name);
        }
    }
    (unnoticed, applied)
}
