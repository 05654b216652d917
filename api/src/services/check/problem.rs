//! What the checks report.

use serde::Serialize;

/// The maximum number of problems of one kind that a report lists.
const MAX_LISTED: usize = 50;

/// The kind of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProblemKind {
    /// A row refers to a file that is missing or has another size.
    MissingFile,
    /// No row refers to a file.
    OrphanedFile,
    /// The index lacks a tender, or has a tender or a revision that it should not have.
    Index,
    /// The change log has a gap, or a tender is not in the log.
    ChangeLog,
    /// The matcher is at a position that the log does not have, or it does not move.
    Matcher,
    /// A message should have been sent long ago.
    Delivery,
    /// The signing key is not that of the portal's processes.
    SigningKey,
}

impl ProblemKind {
    /// What the operator can do.
    #[must_use]
    pub const fn repair(self) -> &'static str {
        match self {
            Self::MissingFile => {
                "restore the backup into another folder with `api restore SOURCE` and copy the file from there; clips also come \
                back with `ingest publish --all`"
            }
            Self::OrphanedFile => {
                "no harm; the server deletes documents and pages itself, a clip can be deleted by hand"
            }
            Self::Index => "run `api reindex`",
            Self::ChangeLog => "restore a backup with `api restore SOURCE`; the log cannot be repaired",
            Self::Matcher => {
                "read the log of the server for errors of match_alerts; a position beyond the log needs a restore"
            }
            Self::SigningKey => {
                "give all processes the same SIGNING_KEY or signing.key; if the other key is lost, run `api admin key forget` \
                and restart the processes"
            }
            Self::Delivery => {
                "check that a server runs and read its log for errors of the mail server; see `api admin sending`"
            }
        }
    }
}

/// Something that needs the operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    /// Its kind.
    pub kind: ProblemKind,
    /// What it is about, such as a row or a file.
    pub subject: String,
    /// What is wrong.
    pub detail: String,
    /// What the operator can do.
    pub repair: &'static str,
}

/// The result of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckReport {
    /// The problems. Of each kind, only the first ones are listed.
    pub problems: Vec<Problem>,
    /// The number of further problems that are not listed.
    pub unlisted: usize,
    /// What was checked, with the number of each.
    pub checked: Vec<(&'static str, u64)>,
    /// Remarks that need no action.
    pub information: Vec<String>,
}

impl CheckReport {
    /// Adds a problem.
    pub fn add(&mut self, kind: ProblemKind, subject: impl Into<String>, detail: impl Into<String>) {
        if self.problems.iter().filter(|problem| problem.kind == kind).count() >= MAX_LISTED {
            self.unlisted += 1;
            return;
        }
        let (subject, detail) = (subject.into(), detail.into());
        self.problems.push(Problem { kind, subject, detail, repair: kind.repair() });
    }

    /// Whether there is no problem.
    #[must_use]
    pub const fn is_clean(&self) -> bool {
        self.problems.is_empty()
    }
}
