//! Whether the change log has no gaps, and the matcher follows it.

use super::{
    problem::{CheckReport, ProblemKind},
    target::CheckTarget,
};
use crate::storage::checks::{self, MatcherState};
use std::time::Duration;
use tender_model::terminal_text::counted;

/// How long a matcher that is behind may take to move. The closing days of a morning take longest.
const PATIENCE: Duration = Duration::from_secs(30);
const PAUSE: Duration = Duration::from_secs(1);

/// Checks the log and the matcher.
pub(super) async fn check(target: &CheckTarget<'_>, report: &mut CheckReport) -> anyhow::Result<()> {
    let mut tx = checks::begin(target.db).await?;
    let log = checks::change_log(&mut tx).await?;
    let matcher = checks::matcher(&mut tx).await?;
    tx.rollback().await?;
    report.checked.push(("changes", u64::try_from(log.changes)?));
    if log.head != log.changes || log.last != log.head {
        let detail = format!(
            "it has {} up to position {}, but its head is at {}",
            counted(log.changes, "change"),
            log.last,
            log.head
        );
        report.add(ProblemKind::ChangeLog, "the change log", detail);
    }
    for position in log.gaps {
        report.add(ProblemKind::ChangeLog, format!("position {position}"), "the log lacks this change");
    }
    for (subject, id, revision) in log.unlogged {
        let detail = format!("its revision {revision} is not in the change log");
        report.add(ProblemKind::ChangeLog, format!("{subject} {id}"), detail);
    }
    if !matcher.is_known {
        let detail = format!("it is at position {}, which the log does not have", matcher.position);
        report.add(ProblemKind::Matcher, "the matcher", detail);
    } else if matcher.position < log.head && is_stuck(target, matcher).await? {
        let detail = format!(
            "it is at position {} of {} and did not move for {} seconds",
            matcher.position,
            log.head,
            PATIENCE.as_secs()
        );
        report.add(ProblemKind::Matcher, "the matcher", detail);
    }
    Ok(())
}

/// Waits for the matcher to move.
async fn is_stuck(target: &CheckTarget<'_>, before: MatcherState) -> anyhow::Result<bool> {
    let started = std::time::Instant::now();
    while started.elapsed() < target.patience.unwrap_or(PATIENCE) {
        tokio::time::sleep(PAUSE.min(target.patience.unwrap_or(PAUSE))).await;
        let mut tx = checks::begin(target.db).await?;
        let now = checks::matcher(&mut tx).await?;
        tx.rollback().await?;
        if now.position > before.position {
            return Ok(false);
        }
    }
    Ok(true)
}
