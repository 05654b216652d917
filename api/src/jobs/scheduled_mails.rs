//! Scheduled mails: closing reminders, mails about expiring documents and mails about silent
//! alerts each morning, the weekly summary on Monday, and monthly reports on the first day of the
//! next month. Only one process prepares each of them. Reminders that were missed while no process
//! was running are prepared later. Of missed summaries and reports, only the latest is prepared. Unique keys prevent
//! duplicate reminders, summaries and reports if the clock is set back.

use super::{expiry_mails, silent_alert_mails};
use crate::{
    app::state::AppState,
    domain::{schedule, tender::ClosingReminder},
    storage::{
        self,
        digest_queue::{self, SealSchedule},
        reports, saved_tenders,
        scheduled_mails::{self, ScheduledMail},
    },
};
use jiff::{SignedDuration, Timestamp, ToSpan, civil};
use tender_model::vocabulary::Moment;

/// Prepares the mails that are due. If this is interrupted, the next call prepares them.
pub(super) async fn run_due(state: &AppState) -> anyhow::Result<()> {
    let now = state.clock.now();
    let today = schedule::last_morning(Moment::new(now));
    if scheduled_mails::last_day(&state.db, ScheduledMail::Reminders).await? != Some(today) {
        open_reminders(state, now, today).await?;
    }
    if scheduled_mails::last_day(&state.db, ScheduledMail::Expiries).await? != Some(today) {
        expiry_mails::open(state, today).await?;
    }
    if scheduled_mails::last_day(&state.db, ScheduledMail::Silences).await? != Some(today) {
        silent_alert_mails::open(state, today).await?;
    }
    let monday = schedule::monday_of(today);
    if scheduled_mails::last_day(&state.db, ScheduledMail::Summary).await? != Some(monday) {
        open_summaries(state, now, monday).await?;
    }
    let (month, due) = schedule::last_due_report_month(Moment::new(now));
    if scheduled_mails::last_day(&state.db, ScheduledMail::Reports).await? != Some(month) {
        open_reports(state, now, (month, due)).await?;
    }
    Ok(())
}

async fn open_reminders(state: &AppState, now: Timestamp, today: civil::Date) -> anyhow::Result<()> {
    let mut tx = storage::begin(&state.db).await?;
    let Some(last) = scheduled_mails::lock_last_day(&mut tx, ScheduledMail::Reminders).await? else {
        return Ok(());
    };
    let days = schedule::missed_days(last, today);
    let closing_on = |before: i8| {
        days.iter().filter_map(move |day| {
            Some(ClosingReminder { closes: day.checked_add(i64::from(before).days()).ok()?, before })
        })
    };
    let reminders: Vec<ClosingReminder> = schedule::REMINDER_DAYS.into_iter().flat_map(closing_on).collect();
    let items = saved_tenders::reminder_items(&mut tx, &reminders, now).await?;
    storage::disable_seq_scans(&mut tx).await?;
    let timing = SealSchedule { now, seal_at: now, limit: SignedDuration::ZERO };
    for item in &items {
        digest_queue::collect_saved(&mut tx, state.random.id(&state.clock), item, timing).await?;
    }
    scheduled_mails::record_day(&mut tx, ScheduledMail::Reminders, today).await?;
    tx.commit().await?;
    tracing::info!(day = %today, items = items.len(), "opened the closing reminders");
    Ok(())
}

async fn open_summaries(state: &AppState, now: Timestamp, monday: civil::Date) -> anyhow::Result<()> {
    let mut tx = storage::begin(&state.db).await?;
    let Some(last) = scheduled_mails::lock_last_day(&mut tx, ScheduledMail::Summary).await? else {
        return Ok(());
    };
    // A new portal sends its first summary on the next Monday.
    let is_due = last.is_some_and(|last| last != monday);
    let recipients =
        if is_due { scheduled_mails::summary_recipients(&mut tx, now).await? } else { Vec::new() };
    for (user_id, address) in &recipients {
        let id = state.random.id(&state.clock);
        digest_queue::open_summary(&mut tx, id, (*user_id, address), monday, now).await?;
    }
    scheduled_mails::record_day(&mut tx, ScheduledMail::Summary, monday).await?;
    tx.commit().await?;
    tracing::info!(%monday, readers = recipients.len(), "opened the weekly summaries");
    Ok(())
}

/// Opens the messages of the monthly reports that were enabled before the due time.
async fn open_reports(
    state: &AppState,
    now: Timestamp,
    (month, due): (civil::Date, Timestamp),
) -> anyhow::Result<()> {
    let mut tx = storage::begin(&state.db).await?;
    let Some(last) = scheduled_mails::lock_last_day(&mut tx, ScheduledMail::Reports).await? else {
        return Ok(());
    };
    let is_due = last != Some(month);
    let reports = if is_due { reports::monthly(&mut tx, due, now).await? } else { Vec::new() };
    for report in &reports {
        reports::open(&mut tx, state.random.id(&state.clock), report, month, now).await?;
    }
    scheduled_mails::record_day(&mut tx, ScheduledMail::Reports, month).await?;
    tx.commit().await?;
    tracing::info!(%month, reports = reports.len(), "opened the monthly reports");
    Ok(())
}
