//! Scheduled mails for all readers: closing reminders each morning, the weekly summary on Monday,
//! monthly reports on the first. One process runs each of them once. A run that was missed while no
//! process was up is made up for once. Unique keys prevent duplicates if the clock is set back.

use crate::{
    app::state::AppState,
    domain::{schedule, tender::ClosingReminder},
    storage::{
        self,
        digest_queue::{self, Timing},
        favourites, reports,
        scheduled::{self, Pass},
    },
};
use index::vocabulary::Moment;
use jiff::{SignedDuration, Timestamp, ToSpan, civil};

/// The days before closing on which a reminder is sent, earliest first.
const DAYS_BEFORE: [i8; 2] = [3, 1];

/// Runs what is due. An interrupted run is repeated.
pub(super) async fn make(state: &AppState) -> anyhow::Result<()> {
    let now = state.clock.now();
    let today = schedule::last_morning(Moment::new(now));
    if scheduled::day(&state.db, Pass::Reminders).await? != Some(today) {
        remind(state, now, today).await?;
    }
    let monday = schedule::monday_of(today);
    if scheduled::day(&state.db, Pass::Summary).await? != Some(monday) {
        summarise(state, now, monday).await?;
    }
    let (month, due) = schedule::last_reports(Moment::new(now));
    if scheduled::day(&state.db, Pass::Reports).await? != Some(month) {
        report(state, now, (month, due)).await?;
    }
    Ok(())
}

async fn remind(state: &AppState, now: Timestamp, today: civil::Date) -> anyhow::Result<()> {
    let mut tx = state.db.begin().await?;
    let Some(last) = scheduled::take(&mut tx, Pass::Reminders).await? else { return Ok(()) };
    let days = schedule::missed(last, today);
    let closing_on = |before: i8| {
        days.iter().filter_map(move |day| {
            Some(ClosingReminder { closes: day.checked_add(i64::from(before).days()).ok()?, before })
        })
    };
    let reminders: Vec<ClosingReminder> = DAYS_BEFORE.into_iter().flat_map(closing_on).collect();
    let items = favourites::closing(&mut tx, &reminders, now).await?;
    storage::go_by_keys(&mut tx).await?;
    let timing = Timing { now, seal_at: now, limit: SignedDuration::ZERO };
    for item in &items {
        digest_queue::collect_saved(&mut tx, state.random.id(&state.clock), item, timing).await?;
    }
    scheduled::made(&mut tx, Pass::Reminders, today).await?;
    tx.commit().await?;
    tracing::info!(day = %today, items = items.len(), "opened the closing reminders");
    Ok(())
}

async fn summarise(state: &AppState, now: Timestamp, monday: civil::Date) -> anyhow::Result<()> {
    let mut tx = state.db.begin().await?;
    let Some(last) = scheduled::take(&mut tx, Pass::Summary).await? else { return Ok(()) };
    // A new portal starts on the next Monday.
    let is_due = last.is_some_and(|last| last != monday);
    let readers = if is_due { scheduled::summary_readers(&mut tx, now).await? } else { Vec::new() };
    for (user_id, address) in &readers {
        let id = state.random.id(&state.clock);
        digest_queue::open_summary(&mut tx, id, (*user_id, address), monday, now).await?;
    }
    scheduled::made(&mut tx, Pass::Summary, monday).await?;
    tx.commit().await?;
    tracing::info!(%monday, readers = readers.len(), "opened the weekly summaries");
    Ok(())
}

/// Opens the reports of a month that were enabled before the report was due. If several months were
/// missed, only the newest is reported.
async fn report(
    state: &AppState,
    now: Timestamp,
    (month, due): (civil::Date, Timestamp),
) -> anyhow::Result<()> {
    let mut tx = state.db.begin().await?;
    let Some(last) = scheduled::take(&mut tx, Pass::Reports).await? else { return Ok(()) };
    let is_due = last != Some(month);
    let reports = if is_due { reports::monthly(&mut tx, due, now).await? } else { Vec::new() };
    for report in &reports {
        reports::open(&mut tx, state.random.id(&state.clock), report, month, now).await?;
    }
    scheduled::made(&mut tx, Pass::Reports, month).await?;
    tx.commit().await?;
    tracing::info!(%month, reports = reports.len(), "opened the monthly reports");
    Ok(())
}
