//! Matches that only the passage of time causes.

use super::{digests::add_to_digests, loaded_alerts::add_alert};
use crate::{
    app::state::AppState,
    domain::{alert_shard::AlertShard, schedule},
    storage::{
        alerts,
        matches::{self, MatchCandidate},
        revisions,
    },
};
use index::{LogPosition, percolate::Percolator};
use jiff::ToSpan;
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashSet};
use tender_model::{alert::AlertQuery, tender::Tender, vocabulary::Moment};
use uuid::Uuid;

/// Adds matches of the alerts of a shard that only the passage of time causes: the days until a
/// tender's closing reach the limit of an alert. For each day since the last run, the alerts with
/// a limit are matched against the tenders that close exactly that many days later. A match counts
/// only if the tender's last revision is newer than the alert's.
pub(super) async fn match_closing_days(
    state: &AppState,
    tx: &mut PgConnection,
    shard: AlertShard,
    at: LogPosition,
) -> anyhow::Result<()> {
    let now = state.clock.now();
    let today = Moment::new(now).day();
    let last = matches::last_closing_check(&mut *tx, shard).await?;
    if last == Some(today) {
        return Ok(());
    }
    let days = schedule::missed_days(last, today);
    let mut by_limit: BTreeMap<u16, Vec<(Uuid, AlertQuery)>> = BTreeMap::new();
    if let Some(((first, last), limited_alerts)) = days
        .first()
        .zip(days.last())
        .zip(Some(alerts::with_max_days_until_closing(&mut *tx, shard, at.position).await?))
    {
        for (id, query) in limited_alerts {
            if let Some(bound) = query.advanced_filters.max_days_until_closing {
                by_limit.entry(bound).or_default().push((id, query));
            }
        }
        let mut candidates = Vec::new();
        for (bound, alerts) in by_limit {
            let ahead = i64::from(bound).days();
            let (Ok(from), Ok(until)) = (first.checked_add(ahead), last.checked_add(ahead)) else { continue };
            let Some(span) = Moment::start_of(from).zip(Moment::end_of(until)) else { continue };
            let span = (span.0.timestamp(), span.1.timestamp());
            let tenders = revisions::closing_within(&mut *tx, span).await?;
            let rates = state.config.rates_lkr.clone();
            let matched = tokio::task::spawn_blocking(move || {
                match_alerts_to_tenders(&alerts, &tenders, Moment::new(now), &rates, at)
            });
            candidates.extend(matched.await?);
        }
        let pairs: Vec<_> = candidates.iter().map(|found| (found.alert_id, found.tender_id)).collect();
        let kept: HashSet<_> = matches::keep_newer_tenders(&mut *tx, &pairs).await?.into_iter().collect();
        candidates.retain(|found| kept.contains(&(found.alert_id, found.tender_id)));
        let recorded = matches::record(&mut *tx, &candidates, now).await?;
        add_to_digests(state, &mut *tx, &recorded.items, now).await?;
        tracing::info!(day = %today, days = days.len(), matches = recorded.count, "matched by days until closing");
    }
    matches::record_closing_check(&mut *tx, shard, today).await?;
    Ok(())
}

/// Matches these alerts against these tenders.
fn match_alerts_to_tenders(
    alerts: &[(Uuid, AlertQuery)],
    tenders: &[(i64, Tender)],
    now: Moment,
    rates: &tender_model::vocabulary::Rates,
    at: LogPosition,
) -> Vec<MatchCandidate> {
    let percolator = Percolator::new();
    for (id, query) in alerts {
        add_alert(&percolator, *id, query);
    }
    let mut candidates = Vec::new();
    for (revision, tender) in tenders {
        let hits = percolator.percolate(tender, now, rates).hits;
        candidates.extend(hits.iter().filter_map(|hit| {
            Some(MatchCandidate {
                alert_id: hit.alert,
                tender_id: tender.id,
                tender_revision: *revision,
                position: at.position,
                why: percolator.match_reason(hit)?,
            })
        }));
    }
    candidates
}
