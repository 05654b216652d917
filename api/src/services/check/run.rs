//! Runs all checks.

use super::{deliveries, files, index, log, problem::CheckReport};
use crate::base::{clock::Clock, config::DataConfig};
use sqlx::PgPool;
use std::time::Duration;

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub struct CheckTarget<'a> {
    /// The database.
    pub db: &'a PgPool,
    /// The data folder.
    pub data: &'a DataConfig,
    /// The clock.
    pub clock: &'a Clock,
    /// How long a job that is behind may take to move. `None`: the default. Tests set a shorter time.
    pub patience: Option<Duration>,
}

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
    report.problems.sort_by_key(|problem| problem.kind);
    Ok(report)
}
