//! Runs the canary: every hour, a tender and an alert of the portal's own go the whole way to a mail.
//! Administrators get a mail when a run is late, and when the canary works again.

use crate::{
    app::state::AppState,
    base::i18n::mail_texts::MailTexts,
    domain::canary::{CanaryState, CanaryStep},
    services::{
        canary as runs,
        notifications::account_mail::{self, Recipient},
    },
    storage::{self, canary, moderation, portal_state, users},
};
use jiff::Timestamp;
use sqlx::PgConnection;
use std::time::Duration;
use tender_model::vocabulary::Moment;
use tokio_util::sync::CancellationToken;

/// The pause between two looks at the current run.
const INTERVAL: Duration = Duration::from_secs(2);

/// Runs until stopped.
pub(super) async fn run(state: &AppState, stop: &CancellationToken) -> anyhow::Result<()> {
    loop {
        step(state).await?;
        tokio::select! {
            () = stop.cancelled() => return Ok(()),
            () = tokio::time::sleep(INTERVAL) => {}
        }
    }
}

/// Looks at the current run, begins the next one when it is due, and reports a change of the state.
/// Only one process at a time does so.
pub async fn step(state: &AppState) -> anyhow::Result<()> {
    let Some(address) = runs::address(state) else { return Ok(()) };
    if portal_state::sending_off(&state.db).await?.is_some() {
        return Ok(());
    }
    let now = state.clock.now();
    let schedule = state.config.canary.schedule();
    let mut tx = storage::begin(&state.db).await?;
    let Some(reported_at) = canary::lock(&mut tx).await? else { return Ok(()) };
    if let Some(last) =
        canary::latest_runs(&mut *tx, 1).await?.first().filter(|run| run.next_step().is_some())
    {
        runs::observe(state, &mut tx, last).await?;
    }
    let latest = canary::latest_runs(&mut *tx, 2).await?;
    match (schedule.state(&latest, now), reported_at) {
        // When the job begins after a pause, the next run begins at once and tells the state.
        (CanaryState::Late { step, since }, None) if step != CanaryStep::Publication => {
            report(state, &mut tx, Some((step, since))).await?;
        }
        (CanaryState::Works, Some(_)) => report(state, &mut tx, None).await?,
        _ => {}
    }
    if schedule.is_due(latest.first(), now) {
        runs::begin_run(state, tx, &address, latest.first()).await
    } else {
        Ok(tx.commit().await?)
    }
}

/// Mails administrators that a step was not passed in time, or with `None`, that the canary works
/// again. The mails and the record that they are sent are one transaction.
async fn report(
    state: &AppState,
    tx: &mut PgConnection,
    late: Option<(CanaryStep, Timestamp)>,
) -> anyhow::Result<()> {
    let now = state.clock.now();
    let link = format!("{}/operate", state.config.base_url());
    for id in moderation::mailed_administrators(&mut *tx).await? {
        let Some(user) = users::by_id(&mut *tx, id, now).await? else { continue };
        let texts = MailTexts::of(user.language);
        let mail = match late {
            Some((step, since)) => {
                let moment = texts.moment(Moment::new(since));
                texts.mails.canary_late.fill(&[("moment", &moment), ("reason", &texts.canary_step(step))])
            }
            None => texts.mails.canary_works.fill(&[]),
        };
        account_mail::seal(state, &mut *tx, Recipient::user(&user), &mail.mail(&user.first_name, &link))
            .await?;
    }
    canary::record_report(&mut *tx, late.map(|_| now)).await?;
    match late {
        Some((step, since)) => tracing::error!(
            step = <&str>::from(step),
            %since,
            "the test of the way from a tender to its mail is late; readers may miss alerts"
        ),
        None => tracing::info!("the test of the way from a tender to its mail works again"),
    }
    Ok(())
}
