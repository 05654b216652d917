//! The gaps of which the administrators are mailed.

use super::overview;
use crate::storage::expected_papers;
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use std::collections::HashSet;
use tender_model::vocabulary::{Day, Moment};
use uuid::Uuid;

/// Nobody is mailed about gaps that are older, for example after a long downtime.
const MAX_AGE: SignedDuration = SignedDuration::from_hours(72);

/// A gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap {
    /// The newspaper.
    pub paper_id: Uuid,
    /// The name of the newspaper.
    pub name: String,
    /// The day.
    pub day: Day,
    /// When the pages were due.
    pub due_at: Timestamp,
}

/// The gaps of which the administrators were not mailed yet, in the order of their hours. Gaps from
/// before the newspaper was added, and gaps that are older than three days, are omitted.
pub async fn unmailed(db: &mut PgConnection, now: Timestamp) -> Result<Vec<Gap>, sqlx::Error> {
    let oldest = now.checked_sub(MAX_AGE).unwrap_or(Timestamp::MIN);
    let range = (Moment::new(oldest).day(), Moment::new(now).day());
    let coverage = overview::read(&mut *db, range, now).await?;
    let mut gaps = Vec::new();
    for (paper, issues) in &coverage.papers {
        for issue in issues.iter().filter(|issue| issue.is_gap(now)) {
            let Some(due_at) = issue.due_at else { continue };
            if due_at > oldest && due_at > paper.expected_since {
                let name = paper.schedule.name.clone();
                gaps.push(Gap { paper_id: paper.id, name, day: issue.day, due_at });
            }
        }
    }
    if gaps.is_empty() {
        return Ok(gaps);
    }
    let mailed: HashSet<(Uuid, Day)> = expected_papers::mailed_gaps(db, range.0).await?.into_iter().collect();
    gaps.retain(|gap| !mailed.contains(&(gap.paper_id, gap.day)));
    gaps.sort_by_key(|gap| gap.due_at);
    Ok(gaps)
}
