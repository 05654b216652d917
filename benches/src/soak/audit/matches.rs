//! Audits the matches of alerts and tenders.

use super::{AuditReport, WriteHistory};
use crate::soak::{
    ledger::{Micros, Write, WriteOutcome},
    observed::{LoggedChange, Observed},
    words::matches,
};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

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
pub(super) fn audit_matches(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
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
