//! Runs all checks.

use super::{deliveries, files, index, keys, log, problem::CheckReport, target::CheckTarget};

/// Runs all checks.
///
/// # Errors
/// Fails if something can't be read, so that nothing is known about it.
pub async fn run(target: CheckTarget<'_>) -> anyhow::Result<CheckReport> {
    let mut report = CheckReport::default();
    log::check(&target, &mut report).await?;
    files::check(&target, &mut report).await?;
    index::check(&target, &mut report).await?;
    deliveries::check(&target, &mut report).await?;
    keys::check(&target, &mut report).await?;
    report.problems.sort_by_key(|problem| problem.kind);
    Ok(report)
}
