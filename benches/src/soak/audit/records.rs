//! Audits the records: each accepted write is there, and each unknown one wholly or not at all.

use super::{AuditReport, WriteHistory};
use crate::soak::{
    ledger::{WriteKind, WriteOutcome},
    observed::Observed,
};
use serde_json::Value;

/// The records that only the writes of the ledger create.
const OWN_PREFIXES: [&str; 20] = [
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
    "phone/",
    "member/",
    "invitation/",
    "webhook/",
    "message/",
    "page/",
    "session/",
    "review/",
];

/// Checks that each accepted write is there, and each unknown one wholly or not at all.
pub(super) fn audit_records(history: &WriteHistory, observed: &Observed, report: &mut AuditReport) {
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
