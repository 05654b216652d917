//! Whether messages wait that should have been sent long ago.

use super::{
    problem::{CheckReport, ProblemKind},
    target::CheckTarget,
};
use crate::storage::{checks, portal_state};
use jiff::SignedDuration;
use std::time::Duration;
use tender_model::terminal_text::counted;

/// A message that is due for longer than this is reported.
const MAX_DELAY: SignedDuration = SignedDuration::from_hours(1);
/// The pause before suspects are looked at again.
const PAUSE: Duration = Duration::from_secs(2);

/// Checks the deliveries. While sending is off, messages that wait are no problem.
pub(super) async fn check(target: &CheckTarget<'_>, report: &mut CheckReport) -> anyhow::Result<()> {
    let before = target.clock.now().saturating_sub(MAX_DELAY)?;
    let mut tx = checks::begin(target.db).await?;
    let dead = checks::count_dead(&mut *tx).await?;
    let off = portal_state::sending_off(&mut *tx).await?;
    let suspects = checks::overdue_deliveries(&mut *tx, before).await?;
    tx.rollback().await?;
    if dead > 0 {
        report.information.push(format!("given up: {}; see `api mail dead`", counted(dead, "message")));
    }
    if let Some(off) = off {
        let waiting = counted(suspects.len(), "message");
        let information = format!("sending is off since {} ({}); waiting: {waiting}", off.since, off.reason);
        report.information.push(information);
        return Ok(());
    }
    if suspects.is_empty() {
        return Ok(());
    }
    tokio::time::sleep(PAUSE).await;
    let still = checks::overdue_deliveries(target.db, before).await?;
    for message in suspects.into_iter().filter(|message| still.contains(message)) {
        let detail = format!("it is {} by {} since {}", message.state, message.channel, message.since);
        report.add(ProblemKind::Delivery, format!("message {}", message.id), detail);
    }
    Ok(())
}
