//! Bounces and complaints, from the mail server's answer or from a later report. An address that
//! does not exist, or whose reader complained, gets no mail until it is confirmed again. An address
//! that fails for other reasons is suppressed after the third time in a month.

use crate::{
    base::clock::Clock,
    domain::mail_return::MailReturn,
    services::notifications::dsn::{self, Failure, Verdict},
    storage::suppressions,
};
use jiff::SignedDuration;
use serde::Serialize;
use sqlx::{PgConnection, PgPool};
use utoipa::ToSchema;
use uuid::Uuid;

/// How often mail may bounce in [`A_MONTH`] for a temporary reason.
const PATIENCE: i64 = 3;
const A_MONTH: SignedDuration = SignedDuration::from_hours(24 * 30);

/// What was done about a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = ReportOutcome)]
pub enum Outcome {
    /// Nothing: it is no report, of no message of ours, was known, or says nothing that matters.
    Ignored,
    /// It is noted on its message.
    Noted,
    /// The address gets no mail any more.
    Suppressed,
}

/// Processes a report that arrived by mail.
pub async fn receive(db: &PgPool, clock: &Clock, bytes: &[u8]) -> Result<Outcome, sqlx::Error> {
    let Some(report) = dsn::read(bytes) else { return Ok(Outcome::Ignored) };
    let mut tx = db.begin().await?;
    let outcome = match report.verdict {
        Verdict::Other => Outcome::Ignored,
        Verdict::Bounce(failure) => bounced(&mut tx, clock, report.delivery, &failure).await?,
        Verdict::Complaint => complained(&mut tx, clock, report.delivery).await?,
    };
    tx.commit().await?;
    tracing::info!(delivery = %report.delivery, ?outcome, "a report of a mail");
    Ok(outcome)
}

/// A message could not be delivered.
pub async fn bounced(
    tx: &mut PgConnection,
    clock: &Clock,
    delivery: Uuid,
    failure: &Failure,
) -> Result<Outcome, sqlx::Error> {
    let now = clock.now();
    let Some(address) = suppressions::note(tx, delivery, MailReturn::Bounce, now).await? else {
        return Ok(Outcome::Ignored);
    };
    let since = now.saturating_sub(A_MONTH).unwrap_or(now);
    if failure.is_final || suppressions::returned_since(&mut *tx, &address, since).await? >= PATIENCE {
        suppressions::suppress(tx, &address, (MailReturn::Bounce, &failure.detail), now).await?;
        return Ok(Outcome::Suppressed);
    }
    Ok(Outcome::Noted)
}

async fn complained(tx: &mut PgConnection, clock: &Clock, delivery: Uuid) -> Result<Outcome, sqlx::Error> {
    let now = clock.now();
    let Some(address) = suppressions::note(tx, delivery, MailReturn::Complaint, now).await? else {
        return Ok(Outcome::Ignored);
    };
    suppressions::suppress(tx, &address, (MailReturn::Complaint, "its reader marked a mail as junk"), now)
        .await?;
    Ok(Outcome::Suppressed)
}
