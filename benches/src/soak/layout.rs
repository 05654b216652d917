//! The processes of a run, and how often each is attacked.

use super::chaos::Attack;
use std::time::Duration;

/// A process that is killed during a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Victim {
    /// The only process of the portal, which serves and runs the jobs.
    Api,
    /// The first server.
    FirstServer,
    /// The second server.
    SecondServer,
    /// The first process that only runs the jobs.
    Jobs,
    /// The second process that only runs the jobs.
    SecondJobs,
    /// A worker that reads newspaper pages.
    Worker,
    /// The server process of Postgres.
    Postgres,
    /// The mail server.
    MailServer,
    /// The server of the object store.
    ObjectStore,
    /// A node of the search cluster.
    SearchNode1,
    /// A node of the search cluster.
    SearchNode2,
    /// A node of the search cluster.
    SearchNode3,
}

impl Victim {
    /// The nodes of the search cluster.
    pub const SEARCH_NODES: [Self; 3] = [Self::SearchNode1, Self::SearchNode2, Self::SearchNode3];
    /// The processes whose interruption can interrupt a job.
    pub const JOB_RUNNERS: [Self; 4] = [Self::Api, Self::Jobs, Self::SecondJobs, Self::Postgres];
    /// The processes whose interruption can interrupt the sending of a mail.
    pub const MAIL_SENDERS: [Self; 5] =
        [Self::Api, Self::Jobs, Self::SecondJobs, Self::Postgres, Self::MailServer];
}

/// Which processes the portal of a run has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// One process, with an index of its own
    One,
    /// Two servers, and two processes with the jobs, each with an index of its own
    Several,
    /// Two servers, and two processes with the jobs, which share an index on three OpenSearch nodes and the
    /// files of an object store
    Cluster,
}

/// An attack on a victim, and how often it is chosen among all.
pub(super) type WeightedAttack = (Victim, Attack, u32);

const ONE: &[WeightedAttack] = &[
    (Victim::Api, Attack::Kill, 24),
    (Victim::Api, Attack::Terminate, 8),
    (Victim::Api, Attack::Pause, 6),
    (Victim::Worker, Attack::Kill, 12),
    (Victim::Worker, Attack::Terminate, 4),
    (Victim::Worker, Attack::Pause, 4),
    (Victim::Postgres, Attack::Kill, 10),
    (Victim::Postgres, Attack::Quit, 8),
    (Victim::MailServer, Attack::Kill, 14),
    (Victim::MailServer, Attack::DieAfterMessage, 10),
];

const SEVERAL: &[WeightedAttack] = &[
    (Victim::FirstServer, Attack::Kill, 8),
    (Victim::FirstServer, Attack::Terminate, 3),
    (Victim::FirstServer, Attack::Pause, 4),
    (Victim::FirstServer, Attack::CutFromDatabase, 3),
    (Victim::SecondServer, Attack::Kill, 8),
    (Victim::SecondServer, Attack::Terminate, 3),
    (Victim::SecondServer, Attack::Pause, 4),
    (Victim::SecondServer, Attack::CutFromDatabase, 3),
    (Victim::Jobs, Attack::Kill, 10),
    (Victim::Jobs, Attack::Terminate, 3),
    (Victim::Jobs, Attack::Pause, 6),
    (Victim::Jobs, Attack::CutFromDatabase, 6),
    (Victim::SecondJobs, Attack::Kill, 10),
    (Victim::SecondJobs, Attack::Terminate, 3),
    (Victim::SecondJobs, Attack::Pause, 6),
    (Victim::SecondJobs, Attack::CutFromDatabase, 6),
    (Victim::Worker, Attack::Kill, 6),
    (Victim::Worker, Attack::Pause, 2),
    (Victim::Postgres, Attack::Kill, 6),
    (Victim::Postgres, Attack::Quit, 4),
    (Victim::Postgres, Attack::Pause, 4),
    (Victim::MailServer, Attack::Kill, 6),
    (Victim::MailServer, Attack::Pause, 3),
    (Victim::MailServer, Attack::DieAfterMessage, 6),
];

/// The attacks on a cluster besides those on [`SEVERAL`].
const CLUSTER: &[WeightedAttack] = &[
    (Victim::ObjectStore, Attack::Kill, 4),
    (Victim::ObjectStore, Attack::Pause, 3),
    (Victim::ObjectStore, Attack::Overload, 5),
    (Victim::ObjectStore, Attack::SlowDown, 4),
    (Victim::SearchNode1, Attack::KillWithAnother, 5),
    (Victim::SearchNode1, Attack::Kill, 8),
    (Victim::SearchNode1, Attack::Pause, 4),
    (Victim::SearchNode1, Attack::PauseWithAnother, 3),
    (Victim::SearchNode2, Attack::KillWithAnother, 5),
    (Victim::SearchNode2, Attack::Kill, 8),
    (Victim::SearchNode2, Attack::Pause, 4),
    (Victim::SearchNode2, Attack::PauseWithAnother, 3),
    (Victim::SearchNode3, Attack::KillWithAnother, 5),
    (Victim::SearchNode3, Attack::Kill, 8),
    (Victim::SearchNode3, Attack::Pause, 4),
    (Victim::SearchNode3, Attack::PauseWithAnother, 3),
];

impl Layout {
    /// The servers.
    pub(super) const fn servers(self) -> &'static [Victim] {
        match self {
            Self::One => &[Victim::Api],
            Self::Several | Self::Cluster => &[Victim::FirstServer, Victim::SecondServer],
        }
    }

    /// The processes that only run the jobs.
    pub(super) const fn job_processes(self) -> &'static [Victim] {
        match self {
            Self::One => &[],
            Self::Several | Self::Cluster => &[Victim::Jobs, Victim::SecondJobs],
        }
    }

    /// The mean time between two attacks. A node of the search cluster needs some time to start.
    pub(super) const fn mean_gap(self) -> Duration {
        match self {
            Self::One | Self::Several => Duration::from_secs(4),
            Self::Cluster => Duration::from_secs(8),
        }
    }

    /// The attacks of these kinds, or all if there are none, and how often each is chosen.
    pub(super) fn attacks(self, only: &[Attack]) -> Vec<WeightedAttack> {
        let (first, others): (_, &[WeightedAttack]) = match self {
            Self::One => (ONE, &[]),
            Self::Several => (SEVERAL, &[]),
            Self::Cluster => (SEVERAL, CLUSTER),
        };
        let is_meant = |(_, attack, _): &&WeightedAttack| only.is_empty() || only.contains(attack);
        first.iter().chain(others).filter(is_meant).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_process_of_a_layout_is_attacked_and_no_other() {
        for (layout, expected) in [(Layout::One, 4), (Layout::Several, 7), (Layout::Cluster, 11)] {
            let victims: BTreeSet<Victim> = layout.attacks(&[]).iter().map(|(victim, ..)| *victim).collect();
            assert_eq!(victims.len(), expected, "{layout:?}: {victims:?}");
        }
    }

    #[test]
    fn a_run_can_have_attacks_of_some_kinds_only() {
        let only = [Attack::PauseWithAnother];
        let attacks = Layout::Cluster.attacks(&only);
        assert_eq!(attacks.iter().map(|(victim, ..)| *victim).collect::<Vec<_>>(), Victim::SEARCH_NODES);
        assert!(attacks.iter().all(|(_, attack, _)| only.contains(attack)));
        assert!(Layout::One.attacks(&only).is_empty());
    }
}
