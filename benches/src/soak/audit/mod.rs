//! Compares the ledger with what a run has left behind. It needs neither a database nor processes,
//! so that tests can change the facts and see whether the audit notices.

mod digests;
mod matches;
mod messages;
mod records;
mod results;
mod sms;
pub(super) mod tamperings;
mod teams;
#[cfg(test)]
mod tests;

use super::{
    chaos::AttackRecord,
    layout::Victim,
    ledger::{LedgerContent, Micros, Write, WriteKind, WriteOutcome},
    observed::Observed,
};
use serde::Serialize;
use std::collections::BTreeMap;

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
    /// The different daily mails with new tenders.
    pub digests: usize,
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
    /// The SMS.
    pub sms: usize,
    /// The copies of these SMS beyond the first one.
    pub repeated_sms: usize,
    /// The users who are members of a team at the end.
    pub members: usize,
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
    records::audit_records(&history, observed, &mut report);
    matches::audit_matches(&history, observed, &mut report);
    messages::audit_mails(&history, observed, &mut report);
    digests::audit_digests(&history, observed, &mut report);
    messages::audit_calls(&history, observed, &mut report);
    sms::audit_sms(&history, observed, &mut report);
    messages::audit_account_mails(&history, observed, &mut report);
    teams::audit_teams(observed, &mut report);
    results::audit_invoices(observed, &mut report);
    results::audit_index(observed, &mut report);
    results::audit_documents(&history, observed, &mut report);
    results::audit_pages(observed, &mut report);
    report
}

/// Returns the outcome of the last write of a kind. A write is made again if the session has ended.
fn last_outcome(writes: &[&Write], kind: WriteKind) -> Option<WriteOutcome> {
    writes.iter().rev().find(|write| write.kind == kind).map(|write| write.outcome)
}

/// How long before an attack or after its end it can have interrupted the sending of a message: the timeouts.
const INTERRUPTION_WINDOW: Micros = 15 * 1_000_000;

/// Whether an attack on one of the victims can have interrupted the sending of a message.
fn is_attacked_near(observed: &Observed, at: Micros, victims: &[Victim]) -> bool {
    let is_near = |attack: &AttackRecord| attack.is_near(at, INTERRUPTION_WINDOW);
    observed.attacks.iter().any(|attack| victims.contains(&attack.victim) && is_near(attack))
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
