//! Bounces and complaints, from the mail server's response or from a later report. An address is
//! suppressed if it can never be reached, if its owner complained, or after three bounces in a
//! month. Until a suppressed address is confirmed again, it gets only account mails.

use crate::{
    base::clock::Clock,
    domain::{canary::CanaryStep, suppression::SuppressionReason},
    services::notifications::dsn::{self, Failure, Verdict},
    storage::{self, canary, suppressions},
};
use jiff::SignedDuration;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use utoipa::ToSchema;
use uuid::Uuid;

/// An address is suppressed after this many bounces in [`BOUNCE_WINDOW`].
const MAX_BOUNCES: i64 = 3;
const BOUNCE_WINDOW: SignedDuration = SignedDuration::from_hours(24 * 30);

/// The result of processing a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ReportOutcome)]
pub enum Outcome {
    /// The mail is not a report about one of our messages, or the report changes nothing.
    Ignored,
    /// The report was recorded with the message that it is about, or the mail is that of the canary.
    Noted,
    /// The address was suppressed.
    Suppressed,
}

/// Processes a report that arrived by mail, or the mail of the canary that came back.
pub async fn receive(db: &PgPool, clock: &Clock, bytes: &[u8]) -> Result<Outcome, sqlx::Error> {
    let Some(report) = dsn::read(bytes) else { return receive_canary(db, clock, bytes).await };
    let mut tx = storage::begin(db).await?;
    let outcome = match report.verdict {
        Verdict::Other => Outcome::Ignored,
        Verdict::Bounce(failure) => record_bounce(&mut tx, clock, report.delivery, &failure).await?,
        Verdict::Complaint => record_complaint(&mut tx, clock, report.delivery).await?,
    };
    tx.commit().await?;
    tracing::info!(delivery = %report.delivery, ?outcome, "a mail report was processed");
    Ok(outcome)
}

/// Records that a mail of the canary has come back. Other mails are ignored.
async fn receive_canary(db: &PgPool, clock: &Clock, bytes: &[u8]) -> Result<Outcome, sqlx::Error> {
    let Some(message_id) = dsn::message_id(bytes) else { return Ok(Outcome::Ignored) };
    let Some(run) = canary::run_of_mail(db, &message_id).await? else { return Ok(Outcome::Ignored) };
    canary::record_step(db, run, CanaryStep::Arrival, clock.now()).await?;
    tracing::debug!(%run, "the mail of the canary came back");
    Ok(Outcome::Noted)
}

/// Records that a message could not be delivered.
pub async fn record_bounce(
    tx: &mut PgConnection,
    clock: &Clock,
    delivery: Uuid,
    failure: &Failure,
) -> Result<Outcome, sqlx::Error> {
    let now = clock.now();
    let Some(address) = suppressions::record(tx, delivery, SuppressionReason::Bounce, now).await? else {
        return Ok(Outcome::Ignored);
    };
    let since = now.saturating_sub(BOUNCE_WINDOW).unwrap_or(now);
    if failure.is_final || suppressions::count_bounces_since(&mut *tx, &address, since).await? >= MAX_BOUNCES
    {
        suppressions::suppress(tx, &address, (SuppressionReason::Bounce, &failure.detail), now).await?;
        return Ok(Outcome::Suppressed);
    }
    Ok(Outcome::Noted)
}

async fn record_complaint(
    tx: &mut PgConnection,
    clock: &Clock,
    delivery: Uuid,
) -> Result<Outcome, sqlx::Error> {
    let now = clock.now();
    let Some(address) = suppressions::record(tx, delivery, SuppressionReason::Complaint, now).await? else {
        return Ok(Outcome::Ignored);
    };
    suppressions::suppress(
        tx,
        &address,
        (SuppressionReason::Complaint, "the recipient marked a mail as junk"),
        now,
    )
    .await?;
    Ok(Outcome::Suppressed)
}
