//! Audits the teams, and decides who may have owned an alert: when a member leaves a team, the member's
//! alerts pass to the owner of the team.

use super::{AuditReport, WriteHistory};
use crate::soak::{
    TEAM_SEATS,
    ledger::{Micros, Write, WriteOutcome},
    observed::Observed,
};
use std::collections::BTreeMap;

/// Checks that no team has more members than seats. That each membership is right is checked with the other
/// records.
pub(super) fn audit_teams(observed: &Observed, report: &mut AuditReport) {
    let mut teams: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, owners) in observed.records.iter().filter(|(key, _)| key.starts_with("member/")) {
        for owner in owners.iter().filter_map(|owner| owner.as_str()) {
            *teams.entry(owner).or_default() += 1;
        }
    }
    report.members = teams.values().sum();
    for (owner, members) in teams.into_iter().filter(|(_, members)| *members > TEAM_SEATS) {
        report.violations.push(format!("the team of {owner} has {members} members"));
    }
}

/// A user who may have owned an alert.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AlertOwner<'l> {
    pub(super) email: &'l str,
    /// When the first request was sent that may have made this user the owner.
    since: Micros,
    /// When the alert had certainly passed to another owner.
    until: Option<Micros>,
}

impl AlertOwner<'_> {
    /// Whether this user may have got a message at `at` about a tender that did not exist before
    /// `published`.
    pub(super) fn may_receive(&self, at: Micros, published: Micros) -> bool {
        self.since <= at && self.until.is_none_or(|until| published <= until)
    }
}

/// Returns the users who may have owned an alert.
pub(super) fn alert_owners<'l>(writes: &[&'l Write]) -> Vec<AlertOwner<'l>> {
    let mut owners: Vec<AlertOwner> = Vec::new();
    for write in writes.iter().filter(|write| !matches!(write.outcome, WriteOutcome::Refused(_))) {
        let email = write.value.as_ref().and_then(|value| value["owner"].as_str());
        let Some(email) = email.filter(|email| owners.last().is_none_or(|last| last.email != *email)) else {
            continue;
        };
        if write.outcome == WriteOutcome::Accepted {
            owners.iter_mut().for_each(|owner| owner.until = owner.until.or(write.answered_at));
        }
        owners.push(AlertOwner { email, since: write.sent_at, until: None });
    }
    owners
}

/// Returns the owners of all alerts.
pub(super) fn owners_of_alerts<'l>(history: &WriteHistory<'l>) -> BTreeMap<&'l str, Vec<AlertOwner<'l>>> {
    history.with_prefix("alert/").map(|(alert, writes)| (alert, alert_owners(writes))).collect()
}
