//! Audits the daily mails.

use super::{AuditReport, WriteHistory};
use crate::soak::{
    digest_time,
    ledger::{Micros, Write, WriteOutcome},
    observed::Observed,
};
use std::collections::{BTreeMap, BTreeSet};

/// Checks that the new tenders of daily alerts come only in daily mails, and at most once for each time at
/// which a mail was due. [`audit_mails`](super::messages::audit_mails) checks that none is missing.
pub(super) fn audit_digests(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
    let mut received: BTreeMap<&str, Vec<Micros>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for mail in observed.mails.iter().filter(|mail| seen.insert(mail.read.message_id.as_str())) {
        let (id, is_digest) = (&mail.read.message_id, mail.read.is_digest());
        report.digests += usize::from(is_digest);
        let alerts: BTreeSet<&str> = mail.read.new_tenders.iter().map(|item| item.alert.as_str()).collect();
        for alert in alerts {
            let is_daily = is_daily(history.writes(&format!("alert/{alert}")));
            if is_daily != is_digest {
                let kind = if is_digest { "a daily mail" } else { "an immediate mail" };
                report.violations.push(format!("a new tender of alert {alert} came in {kind}: {id}"));
            }
            if is_daily {
                received.entry(alert).or_default().push(mail.at);
            }
        }
    }
    for (alert, mut received) in received {
        received.sort_unstable();
        let due = due_times(history.writes(&format!("alert/{alert}")), &observed.forced_digests);
        if received.len() > due.len() {
            let (due, received) = (due.len(), received.len());
            report
                .violations
                .push(format!("alert {alert} was due {due} times, but is in {received} daily mails"));
        }
        if received.iter().zip(&due).any(|(at, due)| at < due) {
            report.violations.push(format!("a daily mail of alert {alert} was sent before its time"));
        }
    }
}

fn is_daily(writes: &[&Write]) -> bool {
    writes.iter().any(|write| write.value.as_ref().is_some_and(|value| value["frequency"] == "daily"))
}

/// Returns the moments at which a daily mail of the alert may have become due, in order. Each write makes at
/// most one mail due, because a run is shorter than a day.
fn due_times(writes: &[&Write], forced: &[Micros]) -> Vec<Micros> {
    let took_place = writes.iter().filter(|write| !matches!(write.outcome, WriteOutcome::Refused(_)));
    let by_writes = took_place.filter_map(|write| {
        let time = write.value.as_ref()?["time"].as_str()?;
        digest_time::next_due(time, write.sent_at)
    });
    let mut due: Vec<Micros> = by_writes.chain(forced.iter().copied()).collect();
    due.sort_unstable();
    due
}
