//! Compares the ledger with what a run has left behind. It needs neither a database nor processes,
//! so that tests can change the facts and see whether the audit notices.

use super::{
    ledger::{LedgerContent, Micros, Write, WriteKind, WriteOutcome},
    observed::{LoggedChange, Observed, ReceivedMail},
    processes::Victim,
    words::matches,
};
use serde::Serialize;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// How long before or after its first copy an attack can have interrupted the sending of a mail:
/// the longest pause of a process, and the timeouts.
const INTERRUPTION_WINDOW: Micros = 15 * 1_000_000;
/// The address to which the portal sends the messages of the contact form.
const OPERATOR: &str = "contact@demo.test";
/// The records that only the writes of the ledger create.
const OWN_PREFIXES: [&str; 17] = [
    "tender/",
    "document/",
    "alert/",
    "user/",
    "verified/",
    "profile/",
    "plan/",
    "saved/",
    "intention/",
    "search/",
    "report/",
    "key/",
    "webhook/",
    "message/",
    "page/",
    "session/",
    "review/",
];

/// The counts of the writes of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WriteCounts {
    /// Accepted.
    pub accepted: usize,
    /// Refused.
    pub refused: usize,
    /// With an unknown outcome, and present.
    pub unknown_present: usize,
    /// With an unknown outcome, and absent.
    pub unknown_absent: usize,
}

/// The result of an audit.
#[derive(Debug, Clone, Default, Serialize)]
pub struct AuditReport {
    /// What is wrong. Empty if the portal has lost and doubled nothing.
    pub violations: Vec<String>,
    /// The writes by kind.
    pub writes: BTreeMap<WriteKind, WriteCounts>,
    /// The tenders that were published at least once.
    pub published_tenders: usize,
    /// The matches that the change log demands.
    pub expected_matches: usize,
    /// The demanded matches that need not exist, because the alert was deleted before the matcher
    /// came to the tender.
    pub deleted_in_time: usize,
    /// The matches that exist.
    pub found_matches: usize,
    /// The pairs of alert and tender for which the times of the requests alone decide.
    pub decided_pairs: usize,
    /// The pairs whose requests overlapped, so that only the change log decides.
    pub overlapping_pairs: usize,
    /// The different mails.
    pub mails: usize,
    /// The copies of mails with the same Message-ID, beyond the first one.
    pub repeated_mails: usize,
    /// The new tenders in mails, with the alerts that they matched.
    pub mailed_items: usize,
    /// The matches that a mail counts but does not list, because it has too many tenders.
    pub counted_items: usize,
    /// The matches whose alert or tender ended, so that no message had to list them.
    pub excused_items: usize,
    /// The different calls of webhooks.
    pub calls: usize,
    /// The repeated calls with the same id.
    pub repeated_calls: usize,
    /// The new tenders in calls.
    pub called_items: usize,
    /// The invoices.
    pub invoices: usize,
    /// The newspaper pages.
    pub pages: usize,
    /// Those that were set aside, because their worker was killed three times.
    pub set_aside_pages: usize,
    /// The documents whose bytes were compared.
    pub documents: usize,
}

/// Audits a run.
#[must_use]
pub fn audit(ledger: &LedgerContent, observed: &Observed) -> AuditReport {
    let mut report = AuditReport { violations: ledger.violations.clone(), ..AuditReport::default() };
    if let Some(problems) = &observed.check_problems {
        report.violations.push(format!("`api check` has found problems:\n{problems}"));
    }
    let history = WriteHistory::of(ledger);
    audit_records(&history, observed, &mut report);
    audit_matches(&history, observed, &mut report);
    audit_mails(&history, observed, &mut report);
    audit_calls(&history, observed, &mut report);
    audit_account_mails(&history, observed, &mut report);
    audit_invoices(observed, &mut report);
    audit_index(observed, &mut report);
    audit_documents(&history, observed, &mut report);
    audit_pages(observed, &mut report);
    report
}

/// The writes by record, each in the order of sending.
struct WriteHistory<'l> {
    records: BTreeMap<&'l str, Vec<&'l Write>>,
}

impl<'l> WriteHistory<'l> {
    fn of(ledger: &'l LedgerContent) -> Self {
        let mut records: BTreeMap<&str, Vec<&Write>> = BTreeMap::new();
        for write in &ledger.writes {
            records.entry(&write.key).or_default().push(write);
        }
        Self { records }
    }

    /// Returns the records with this prefix, named by the rest of their keys.
    fn with_prefix<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'l str, &'a [&'l Write])> + 'a {
        self.records
            .iter()
            .filter_map(move |(key, writes)| Some((key.strip_prefix(prefix)?, writes.as_slice())))
    }

    fn writes(&self, key: &str) -> &[&'l Write] {
        self.records.get(key).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether an alert may have been deleted, or a tender may have left the status `published`.
    fn may_have_ended(&self, key: &str) -> bool {
        let took_place = |write: &&&Write| !matches!(write.outcome, WriteOutcome::Refused(_));
        let ends = |write: &&Write| match &write.value {
            None => true,
            Some(value) => {
                value["status"].as_str().is_some_and(|status| status != "published" && status != "draft")
            }
        };
        self.writes(key).iter().filter(took_place).any(ends)
    }
}

/// Checks that each accepted write is there, and each unknown one wholly or not at all.
fn audit_records(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let nothing = Vec::new();
    for (key, writes) in &history.records {
        let found = observed.records.get(*key).unwrap_or(&nothing);
        let mut allowed: Vec<Option<&Value>> = vec![None];
        for write in writes {
            match write.outcome {
                WriteOutcome::Accepted => allowed = vec![write.value.as_ref()],
                WriteOutcome::Unknown => {
                    allowed.push(write.value.as_ref());
                    if write.kind == WriteKind::Refresh {
                        // A token that is exchanged again much later ends the session.
                        allowed.push(None);
                    }
                }
                WriteOutcome::Refused(_) => {}
            }
            let counts = report.writes.entry(write.kind).or_default();
            match write.outcome {
                WriteOutcome::Accepted => counts.accepted += 1,
                WriteOutcome::Refused(_) => counts.refused += 1,
                WriteOutcome::Unknown if found.first() == write.value.as_ref() => counts.unknown_present += 1,
                WriteOutcome::Unknown => counts.unknown_absent += 1,
            }
        }
        if found.len() > 1 {
            report.violations.push(format!("{key} exists {} times: {found:?}", found.len()));
        } else if !allowed.contains(&found.first()) {
            let last = writes.last().map(|write| (write.id, write.kind.to_string()));
            let texts: Vec<String> =
                allowed.iter().map(|value| value.map_or("absent".into(), ToString::to_string)).collect();
            report.violations.push(format!(
                "{key} is {}, but must be {} (last write: {last:?})",
                found.first().map_or("absent".into(), ToString::to_string),
                texts.join(" or ")
            ));
        }
    }
    for key in observed.records.keys() {
        let is_own = OWN_PREFIXES.iter().any(|prefix| key.starts_with(prefix));
        if is_own && !history.records.contains_key(key.as_str()) {
            report.violations.push(format!("{key} exists, but nobody has written it"));
        }
    }
}

fn keywords_of(value: &Value) -> Vec<String> {
    let keywords = value["keywords"].as_array().into_iter().flatten();
    keywords.filter_map(|keyword| keyword.as_str().map(str::to_owned)).collect()
}

/// What the times of the requests say about an alert during a request for a tender.
enum AlertState<'l> {
    Keywords(&'l Value),
    Absent,
    Overlapping,
}

fn alert_during<'l>(writes: &[&'l Write], from: Micros, until: Micros) -> AlertState<'l> {
    let mut state = AlertState::Absent;
    for write in writes {
        if matches!(write.outcome, WriteOutcome::Refused(_)) || write.sent_at > until {
            continue;
        }
        match write.answered_at {
            Some(answered) if answered < from => {
                state = write.value.as_ref().map_or(AlertState::Absent, AlertState::Keywords);
            }
            _ => return AlertState::Overlapping,
        }
    }
    state
}

/// A request that may have made a revision of a published tender.
struct RevisionRequest<'l> {
    title: &'l str,
    from: Micros,
    until: Option<Micros>,
    /// Whether the revision was certainly made.
    is_certain: bool,
}

/// Returns the requests that attach documents to each tender and remove them.
fn document_writes<'l>(history: &WriteHistory<'l>) -> BTreeMap<&'l str, Vec<&'l Write>> {
    let mut documents: BTreeMap<&str, Vec<&Write>> = BTreeMap::new();
    for (_, writes) in history.with_prefix("document/") {
        let tender = writes.iter().find_map(|write| write.value.as_ref()?["tender"].as_str());
        if let Some(tender) = tender {
            documents.entry(tender).or_default().extend(writes);
        }
    }
    documents
}

fn published_revisions<'l>(writes: &[&'l Write], documents: &[&'l Write]) -> Vec<RevisionRequest<'l>> {
    let is_published =
        |write: &&&Write| write.value.as_ref().is_some_and(|value| value["status"] == "published");
    let mut revisions = Vec::new();
    let mut title = "";
    for write in writes.iter().filter(is_published) {
        title = write.value.as_ref().and_then(|value| value["title"].as_str()).unwrap_or_default();
        revisions.push((*write, write.outcome == WriteOutcome::Accepted));
    }
    // A repeated upload makes no revision.
    revisions.extend(documents.iter().map(|write| (*write, false)));
    let took_place = |(write, _): &(&Write, bool)| !matches!(write.outcome, WriteOutcome::Refused(_));
    let request = |(write, is_certain): (&'l Write, bool)| RevisionRequest {
        title,
        from: write.sent_at,
        until: write.answered_at,
        is_certain,
    };
    revisions.into_iter().filter(took_place).map(request).collect()
}

/// Compares the matches with the change log, and with the times of the requests.
fn audit_matches(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let mut found = BTreeSet::new();
    for pair in &observed.matches {
        if !found.insert((pair.0.as_str(), pair.1.as_str())) {
            report.violations.push(format!("alert {} has matched tender {} twice", pair.0, pair.1));
        }
    }
    report.found_matches = found.len();
    // The log: each revision of a tender is matched against the alerts at its position.
    let mut alerts: BTreeMap<&str, &[String]> = BTreeMap::new();
    let (mut expected, mut published) = (BTreeSet::new(), BTreeSet::new());
    for change in &observed.changes {
        match change {
            LoggedChange::Alert { name, keywords } => drop(alerts.insert(name, keywords)),
            LoggedChange::Tender { marker, title, is_published: true } => {
                published.insert(marker.as_str());
                let hits = alerts.iter().filter(|(_, keywords)| matches(title, keywords));
                expected.extend(hits.map(|(alert, _)| (*alert, marker.as_str())));
            }
            LoggedChange::Tender { .. } => {}
        }
    }
    report.published_tenders = published.len();
    report.expected_matches = expected.len();
    for (alert, tender) in expected.difference(&found) {
        // The matcher does not record a match of an alert that was deleted in the meantime.
        if alerts.get(alert).is_some_and(|keywords| keywords.is_empty()) {
            report.deleted_in_time += 1;
        } else {
            report
                .violations
                .push(format!("alert {alert} must match tender {tender}, but the match is lost"));
        }
    }
    for (alert, tender) in found.difference(&expected) {
        report.violations.push(format!("alert {alert} has matched tender {tender} without a reason"));
    }
    // The requests: a pair is decided if no request for the alert overlaps one for the tender.
    let documents = document_writes(history);
    for (tender, writes) in history.with_prefix("tender/") {
        let revisions =
            published_revisions(writes, documents.get(tender).map(Vec::as_slice).unwrap_or_default());
        for (alert, alert_writes) in history.with_prefix("alert/") {
            let (mut must, mut may) = (false, false);
            for revision in &revisions {
                let until = revision.until.unwrap_or(Micros::MAX);
                match alert_during(alert_writes, revision.from, until) {
                    AlertState::Keywords(value) if matches(revision.title, &keywords_of(value)) => {
                        may = true;
                        must |= revision.is_certain;
                    }
                    AlertState::Overlapping => may = true,
                    AlertState::Keywords(_) | AlertState::Absent => {}
                }
            }
            let is_found = found.contains(&(alert, tender));
            let must = must && !history.may_have_ended(&format!("alert/{alert}"));
            match (must, may) {
                (true, _) if !is_found => report.violations.push(format!(
                    "alert {alert} was accepted before tender {tender} was sent, and must match, but did not"
                )),
                (false, false) if is_found => report.violations.push(format!(
                    "alert {alert} has matched tender {tender}, but neither looked for the other at any time"
                )),
                (true, _) | (false, false) => report.decided_pairs += 1,
                (false, true) => report.overlapping_pairs += 1,
            }
        }
    }
}

/// The messages that list each pair of alert and tender, by their ids.
type ListedIn<'o> = BTreeMap<(String, String), BTreeSet<&'o str>>;

/// Checks the mails: each message is received, and each match is in one message.
fn audit_mails(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
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
            let is_near = |at: Micros| (at - pair[0].at).abs() <= INTERRUPTION_WINDOW;
            let mut attacks = observed.attacks.iter().filter(|attack| attack.victim != Victim::Worker);
            let is_excused = attacks.any(|attack| is_near(attack.at));
            if !is_excused {
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
    let mut recipients: BTreeMap<&str, &str> = BTreeMap::new();
    for (id, copies) in &copies {
        recipients.insert(id, &copies[0].to);
        for item in copies[0].read.new_tenders() {
            listed.entry((item.alert, item.tender)).or_default().insert(id);
        }
    }
    report.mailed_items = listed.len();
    let leaves_out = |id: &str| copies.get(id).is_some_and(|copies| copies[0].read.leaves_out_tenders());
    let channel = Channel { name: "mail", stored: "email", listed: &listed, leaves_out: &leaves_out };
    audit_channel(history, observed, report, &channel);
    for ((alert, _), ids) in &listed {
        let owner = history.writes(&format!("alert/{alert}")).iter().find_map(|write| write.value.as_ref());
        let owner = owner.and_then(|value| value["owner"].as_str()).unwrap_or_default();
        for id in ids.iter().filter(|id| recipients.get(*id) != Some(&owner)) {
            report.violations.push(format!("the mail {id} about alert {alert} did not go to {owner}"));
        }
    }
}

/// What was received over one channel.
struct Channel<'o> {
    name: &'static str,
    /// The name of the channel in the database.
    stored: &'static str,
    listed: &'o ListedIn<'o>,
    leaves_out: &'o dyn Fn(&str) -> bool,
}

/// Checks that each match is in one message of the channel.
fn audit_channel(history: &WriteHistory, observed: &Observed, report: &mut AuditReport, channel: &Channel) {
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
        let uses_channel = channel.stored == "email"
            || writes.iter().all(|write| write.value.as_ref().is_none_or(|value| value["webhook"] == true));
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
fn audit_calls(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
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

/// Checks that each account got one mail with the link that confirms its address, and each message
/// of the contact form was mailed once.
fn audit_account_mails(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let count = |is_wanted: &dyn Fn(&ReceivedMail) -> bool| {
        let ids: BTreeSet<&str> = observed
            .mails
            .iter()
            .filter(|mail| is_wanted(mail))
            .map(|mail| mail.read.message_id.as_str())
            .collect();
        ids.len()
    };
    let mut check = |what: String, found: usize, outcome: Option<WriteOutcome>| {
        let fits = match outcome {
            Some(WriteOutcome::Accepted) => found == 1,
            Some(WriteOutcome::Unknown) => found <= 1,
            Some(WriteOutcome::Refused(_)) | None => found == 0,
        };
        if !fits {
            report.violations.push(format!("{what} was mailed {found} times"));
        }
    };
    for (email, writes) in history.with_prefix("user/") {
        let is_wanted = |mail: &ReceivedMail| mail.to == email && mail.read.text.contains("/verify-email?");
        check(format!("the link for {email}"), count(&is_wanted), writes.last().map(|write| write.outcome));
    }
    for (marker, writes) in history.with_prefix("message/") {
        let is_wanted = |mail: &ReceivedMail| mail.read.text.contains(&format!("question {marker}"));
        check(format!("the message {marker}"), count(&is_wanted), writes.last().map(|write| write.outcome));
    }
}

/// Checks that the numbers of the invoices of each year have no gaps and no duplicates, and that
/// each paid plan has one invoice.
fn audit_invoices(observed: &Observed, report: &mut AuditReport) {
    report.invoices = observed.invoices.len();
    let mut years: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    let mut invoiced: BTreeMap<&str, usize> = BTreeMap::new();
    for invoice in &observed.invoices {
        *invoiced.entry(&invoice.email).or_default() += 1;
        match invoice.number.rsplit_once('-').and_then(|(year, nth)| Some((year, nth.parse().ok()?))) {
            Some((year, nth)) => years.entry(year).or_default().push(nth),
            None => report.violations.push(format!("the invoice number {} can't be read", invoice.number)),
        }
    }
    for (year, mut numbers) in years {
        numbers.sort_unstable();
        if !numbers.iter().copied().eq(1..=numbers.len() as u64) {
            report.violations.push(format!("the invoices of {year} have gaps or duplicates: {numbers:?}"));
        }
    }
    let paid = observed.records.keys().filter_map(|key| key.strip_prefix("plan/"));
    for email in paid.filter(|email| invoiced.get(email) != Some(&1)) {
        let count = invoiced.get(email).copied().unwrap_or_default();
        report.violations.push(format!("{email} has paid once, but has {count} invoices"));
    }
}

/// Checks that search finds each public tender once, and no other one.
fn audit_index(observed: &Observed, report: &mut AuditReport) {
    for (marker, count) in &observed.found {
        let record = observed.records.get(&format!("tender/{marker}")).and_then(|values| values.first());
        let status = record.and_then(|value| value["status"].as_str()).unwrap_or_default();
        let expected = usize::from(!matches!(status, "" | "draft" | "withdrawn"));
        if *count != expected {
            report
                .violations
                .push(format!("search finds tender {marker} with status `{status}` {count} times"));
        }
    }
}

/// Checks the bytes of the attached documents.
fn audit_documents(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    for (uploaded, downloaded) in &observed.downloads {
        report.documents += 1;
        if uploaded != downloaded {
            report.violations.push(format!("the document {uploaded} is downloaded as {downloaded}"));
        }
    }
    for (hash, _) in history.with_prefix("document/") {
        let Some(record) =
            observed.records.get(&format!("document/{hash}")).and_then(|values| values.first())
        else {
            continue;
        };
        let tender = record["tender"].as_str().unwrap_or_default();
        let stored = observed.records.get(&format!("tender/{tender}")).and_then(|values| values.first());
        let is_public =
            stored.is_some_and(|value| value["status"] != "withdrawn" && value["status"] != "draft");
        if is_public && !observed.downloads.contains_key(hash) {
            report.violations.push(format!("the document {hash} of tender {tender} can't be downloaded"));
        }
    }
}

/// Checks that each newspaper page was read once. All pages of a run have the same notices. A page
/// whose worker was killed three times is set aside; an operator would have it read again.
fn audit_pages(observed: &Observed, report: &mut AuditReport) {
    let pages = || observed.pages.values().flatten();
    report.pages = pages().count();
    report.set_aside_pages = pages().filter(|(state, _)| state == "set-aside").count();
    let read: Vec<i64> = pages().filter(|(state, _)| state == "read").map(|(_, notices)| *notices).collect();
    let counts: BTreeSet<i64> = read.iter().copied().collect();
    if counts.len() > 1 {
        report.violations.push(format!("copies of one page have different numbers of notices: {counts:?}"));
    }
    let of_pages: i64 = read.iter().sum();
    // A part of the notices of a page that was set aside may be stored.
    let most = of_pages + counts.last().copied().unwrap_or_default() * report.set_aside_pages as i64;
    if !(of_pages..=most).contains(&observed.notices) {
        report
            .violations
            .push(format!("the pages have {of_pages} notices, but {} are stored", observed.notices));
    }
    for (hash, pages) in &observed.pages {
        if pages.len() != 1 {
            report.violations.push(format!("the file {hash} with one page has {} pages", pages.len()));
        }
        for (state, _) in pages.iter().filter(|(state, _)| state != "read" && state != "set-aside") {
            report.violations.push(format!("the page of the file {hash} is {state}"));
        }
    }
}

/// A change of the facts that the audit must notice.
pub(super) struct Tampering {
    pub(super) name: &'static str,
    apply: fn(&mut Observed) -> bool,
}

/// The changes, each of which simulates a defect of the portal.
pub(super) const TAMPERINGS: [Tampering; 9] = [
    Tampering { name: "a lost tender", apply: |facts| lose_record(facts, "tender/") },
    Tampering { name: "a lost alert", apply: |facts| lose_record(facts, "alert/") },
    Tampering {
        name: "a tender with other content",
        apply: |facts| {
            let tender = facts.records.iter_mut().find(|(key, _)| key.starts_with("tender/"));
            let value = tender.and_then(|(_, values)| values.first_mut());
            value.map(|value| value["description"] = "other text".into()).is_some()
        },
    },
    Tampering {
        name: "a doubled tender",
        apply: |facts| {
            let tender = facts.records.iter_mut().find(|(key, _)| key.starts_with("tender/"));
            tender.map(|(_, values)| values.extend(values.first().cloned())).is_some()
        },
    },
    Tampering {
        name: "a lost match",
        apply: |facts| {
            let records = &facts.records;
            let exists = |(alert, _): &(String, String)| records.contains_key(&format!("alert/{alert}"));
            let place = facts.matches.iter().position(exists);
            place.map(|place| facts.matches.remove(place)).is_some()
        },
    },
    Tampering {
        name: "a lost mail",
        apply: |facts| {
            let Some(last) = facts.mails.last().map(|mail| mail.read.message_id.clone()) else {
                return false;
            };
            facts.mails.retain(|mail| mail.read.message_id != last);
            true
        },
    },
    Tampering {
        name: "a doubled mail",
        apply: |facts| {
            let with_items = facts.mails.iter().find(|mail| !mail.read.new_tenders().is_empty());
            let Some(mut second) = with_items.cloned() else { return false };
            second.read.message_id.push_str(".again");
            facts.deliveries.push(super::observed::Delivery {
                id: "again".into(),
                channel: "email".into(),
                state: "sent".into(),
                message_id: Some(second.read.message_id.clone()),
                items: Vec::new(),
            });
            facts.mails.push(second);
            true
        },
    },
    Tampering {
        name: "a gap in the invoices",
        apply: |facts| {
            let first = facts.invoices.iter().map(|invoice| invoice.number.clone()).min();
            facts.invoices.retain(|invoice| Some(&invoice.number) != first.as_ref());
            first.is_some()
        },
    },
    Tampering {
        name: "a tender that search does not find",
        apply: |facts| {
            let found = facts.found.values_mut().find(|count| **count == 1);
            found.map(|count| *count = 0).is_some()
        },
    },
];

fn lose_record(facts: &mut Observed, prefix: &str) -> bool {
    let key = facts.records.keys().find(|key| key.starts_with(prefix)).cloned();
    key.is_some_and(|key| facts.records.remove(&key).is_some())
}

/// Applies each change to a copy of the facts. Returns the names of the changes that the audit does
/// not notice, and the number of changes that could be applied.
pub(super) fn unnoticed_tamperings(
    ledger: &LedgerContent,
    observed: &Observed,
) -> (Vec<&'static str>, usize) {
    let before: BTreeSet<String> = audit(ledger, observed).violations.into_iter().collect();
    let (mut unnoticed, mut applied) = (Vec::new(), 0);
    for tampering in &TAMPERINGS {
        let mut facts = observed.clone();
        if !(tampering.apply)(&mut facts) {
            continue;
        }
        applied += 1;
        if audit(ledger, &facts).violations.iter().all(|violation| before.contains(violation)) {
            unnoticed.push(tampering.name);
        }
    }
    (unnoticed, applied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::{
        chaos::{Attack, AttackRecord},
        mail_items::ReadMail,
        observed::{Delivery, StoredInvoice},
        sink::TakenMail,
    };
    use serde_json::json;

    const OWNER: &str = "a@soak.example";
    const SECOND: Micros = 1_000_000;

    fn accepted(id: u64, kind: WriteKind, key: &str, value: Value) -> Write {
        let at = i64::try_from(id).unwrap() * SECOND;
        Write {
            id,
            kind,
            key: key.into(),
            value: Some(value).filter(|value| !value.is_null()),
            sent_at: at,
            answered_at: Some(at + 1),
            outcome: WriteOutcome::Accepted,
        }
    }

    fn unknown(id: u64, kind: WriteKind, key: &str, value: Value) -> Write {
        Write { answered_at: None, outcome: WriteOutcome::Unknown, ..accepted(id, kind, key, value) }
    }

    fn mail(at: Micros, id: &str, text: &str) -> ReceivedMail {
        let content = format!("Message-ID: <{id}>\r\nSubject: s\r\n\r\n{text}");
        let read = ReadMail::parse(&TakenMail { at, to: OWNER.into(), content: content.clone() }).unwrap();
        ReceivedMail { at, to: OWNER.into(), content, read }
    }

    fn delivery(id: &str) -> Delivery {
        Delivery {
            id: id.into(),
            channel: "email".into(),
            state: "sent".into(),
            message_id: Some(id.into()),
            items: Vec::new(),
        }
    }

    fn tender() -> Value {
        json!({"title": "qxtone zzbrova", "description": "text", "status": "published"})
    }

    fn alert() -> Value {
        json!({"keywords": ["zzbrova"], "owner": OWNER, "webhook": false})
    }

    /// A run with one user, one alert, and one tender that matches the alert.
    fn run() -> (LedgerContent, Observed) {
        let writes = vec![
            accepted(1, WriteKind::Register, "user/a@soak.example", json!({"role": "supplier"})),
            accepted(2, WriteKind::Subscribe, "plan/a@soak.example", json!("enterprise")),
            accepted(3, WriteKind::CreateAlert, "alert/qxaone", alert()),
            accepted(4, WriteKind::CreateTender, "tender/qxtone", tender()),
            accepted(5, WriteKind::SignIn, "session/1", json!(true)),
            accepted(6, WriteKind::SignOut, "session/1", Value::Null),
        ];
        let card =
            "----------------\r\nqxtone zzbrova\r\nWhy you get this: your alert “qxaone” looks for it\r\n";
        let mut observed = Observed {
            changes: vec![
                LoggedChange::Alert { name: "qxaone".into(), keywords: vec!["zzbrova".into()] },
                LoggedChange::Tender {
                    marker: "qxtone".into(),
                    title: "qxtone zzbrova".into(),
                    is_published: true,
                },
            ],
            matches: vec![("qxaone".into(), "qxtone".into())],
            deliveries: vec![delivery("1@portal"), delivery("2@portal")],
            mails: vec![mail(1, "1@portal", "https://p/verify-email?token=t\r\n"), mail(2, "2@portal", card)],
            invoices: vec![StoredInvoice { number: "2026-000001".into(), email: OWNER.into() }],
            found: BTreeMap::from([("qxtone".into(), 1)]),
            ..Observed::default()
        };
        for (key, value) in [
            ("user/a@soak.example", json!({"role": "supplier"})),
            ("plan/a@soak.example", json!("enterprise")),
            ("alert/qxaone", alert()),
            ("tender/qxtone", tender()),
        ] {
            observed.records.insert(key.into(), vec![value]);
        }
        (LedgerContent { writes, violations: Vec::new() }, observed)
    }

    fn violations(ledger: &LedgerContent, observed: &Observed) -> Vec<String> {
        audit(ledger, observed).violations
    }

    #[test]
    fn run_without_losses_is_clean() {
        let (ledger, observed) = run();
        assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
    }

    #[test]
    fn each_simulated_defect_is_noticed() {
        let (ledger, observed) = run();
        assert_eq!(unnoticed_tamperings(&ledger, &observed), (Vec::new(), TAMPERINGS.len()));
    }

    #[test]
    fn unknown_write_may_be_there_or_not_but_not_half() {
        let (mut ledger, mut observed) = run();
        let changed = json!({"title": "qxtone zzbrova", "description": "second text", "status": "published"});
        ledger.writes.push(unknown(7, WriteKind::CorrectTender, "tender/qxtone", changed.clone()));
        assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
        observed.records.insert("tender/qxtone".into(), vec![changed.clone()]);
        assert_eq!(violations(&ledger, &observed), Vec::<String>::new());
        let report = audit(&ledger, &observed);
        let counts = &report.writes[&WriteKind::CorrectTender];
        assert_eq!((counts.unknown_present, counts.unknown_absent), (1, 0));
        let mut half = changed;
        half["status"] = json!("draft");
        observed.records.insert("tender/qxtone".into(), vec![half]);
        assert_eq!(violations(&ledger, &observed).len(), 2, "content, and the index");
    }

    #[test]
    fn session_that_stays_open_after_sign_out_is_noticed() {
        let (ledger, mut observed) = run();
        observed.records.insert("session/1".into(), vec![json!(true)]);
        assert_eq!(violations(&ledger, &observed).len(), 1);
    }

    #[test]
    fn second_copy_of_a_mail_is_permitted_only_after_a_kill() {
        let (ledger, mut observed) = run();
        let mut second = observed.mails[1].clone();
        second.at += SECOND;
        observed.mails.push(second);
        assert_eq!(violations(&ledger, &observed).len(), 1);
        observed.attacks = vec![AttackRecord { at: 2, victim: Victim::MailServer, attack: Attack::Kill }];
        let report = audit(&ledger, &observed);
        assert_eq!((report.violations, report.repeated_mails), (Vec::new(), 1));
        observed.mails[2].content.push_str("more");
        assert_eq!(violations(&ledger, &observed).len(), 1, "the copies differ");
    }

    #[test]
    fn match_without_a_reason_is_noticed() {
        let (mut ledger, mut observed) = run();
        // The alert now looks for another word, in the ledger as well as in the log.
        let other = json!({"keywords": ["zzcelmi"], "owner": OWNER, "webhook": false});
        ledger.writes[2].value = Some(other.clone());
        observed.records.insert("alert/qxaone".into(), vec![other]);
        observed.changes[0] = LoggedChange::Alert { name: "qxaone".into(), keywords: vec!["zzcelmi".into()] };
        assert_eq!(
            violations(&ledger, &observed).len(),
            2,
            "neither the log nor the requests explain the match"
        );
    }

    #[test]
    fn alert_that_is_edited_during_the_publication_may_match_or_not() {
        let (mut ledger, mut observed) = run();
        ledger.writes[2].answered_at = Some(10 * SECOND);
        let report = audit(&ledger, &observed);
        assert_eq!((report.violations.len(), report.overlapping_pairs), (0, 1));
        // The log decides: the alert comes after the tender.
        observed.changes.reverse();
        assert_eq!(violations(&ledger, &observed).len(), 1);
    }
}
