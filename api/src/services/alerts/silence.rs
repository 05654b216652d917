//! Alerts that have matched nothing for a long time, and what broader versions would have found.

use super::{
    past_tenders::PastTenders,
    proposals::{self, Proposal, Sample},
};
use crate::{app::context::Context, domain::alert::SILENT_DAYS};
use anyhow::Context as _;
use jiff::{SignedDuration, Timestamp};
use tender_model::{alert::AlertQuery, vocabulary::Moment};

/// Broader versions of a silent alert, each with what it would have found in the last [`SILENT_DAYS`].
pub async fn broader_versions(context: &Context, query: &AlertQuery) -> anyhow::Result<Vec<Proposal>> {
    let past = PastTenders::load(context, &proposals::broadest(query)).await?;
    let (rates, since) = (context.config.rates_lkr.clone(), silent_since(context.clock.now()));
    let query = query.clone();
    let found = tokio::task::spawn_blocking(move || {
        let tenders = past.since(Moment::new(since));
        proposals::broader(&query, Sample { tenders, days: u32::from(SILENT_DAYS), rates: &rates })
    });
    found.await.context("finding broader versions of an alert")
}

/// An alert without a match or a change since this moment is silent.
#[must_use]
pub fn silent_since(now: Timestamp) -> Timestamp {
    now.checked_sub(SignedDuration::from_hours(24 * i64::from(SILENT_DAYS))).unwrap_or(Timestamp::MIN)
}
