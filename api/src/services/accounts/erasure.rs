//! Deleting an account. One transaction takes away whatever says whose it was; what others rely on stays without it:
//!
//! - Drafts are deleted. Tenders that are open are withdrawn, as nobody is left to answer a bidder; those that have closed stay as
//!   they were published. No revision keeps the contact person. What a publisher wrote into a text stays as written.
//! - Attached files are taken off, and no revision names them; the sweep takes their bytes.
//! - Alerts go, with their matches and mails, and the log tells the matcher. Reports go.
//! - Views stay under a number drawn for them, as publishers count them; intentions to bid go.
//! - Subscriptions end, and stay on the books without a name; whoever charges for them is told to stop. Invoices stay as they were issued,
//!   with what is printed on them, under nobody's account: the law of the books asks for them. Contact messages go.
//!
//! The last mail says so, and goes itself when it has been sent.

use crate::{
    app::context::Context,
    base::{clock::Clock, i18n::mail_words::Words, random::Random},
    domain::{error::ServiceError, payment::AgreementInstruction, user::User},
    services::notifications::account_mail::{self, Recipient},
    storage::{
        alerts,
        changes::{self, NewRevision},
        contact, documents,
        error::is_deadlock,
        mailed_links, payment_tasks, subscriptions, tenders, users, views,
    },
};
use index::{
    LogPosition,
    notices::OWNER,
    tender::{FieldChange, Tender},
    vocabulary::{Moment, TenderStatus},
};
use jiff::Timestamp;
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use std::time::Duration;
use uuid::Uuid;

/// How long an answer waits for the index, so that whoever looks at the listing next finds nothing of the account.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often it is tried where it and another transaction wait for each other. Matching locks alerts and messages in the order of the
/// log, and no other order of ours would suit all who write beside us.
const ATTEMPTS: u32 = 5;

/// Deletes an account.
pub async fn erase(context: &Context, user: &User) -> Result<(), ServiceError> {
    let mut attempt = 1;
    let at = loop {
        match take_away(context, user).await {
            Err(error) if is_deadlock(&error) && attempt < ATTEMPTS => attempt += 1,
            done => break done?,
        }
    };
    tracing::info!(user = %user.id, attempt, "an account was deleted");
    context.progress.reached(at.position, PATIENCE).await;
    Ok(())
}

/// Deletes the accounts of a demonstration, and answers their addresses. Nobody is written to, and no provider is told: the
/// sandbox took no money.
pub async fn erase_demo(db: &PgPool, clock: &Clock, random: &Random) -> Result<Vec<String>, sqlx::Error> {
    let mut erased = Vec::new();
    for user in users::demo(db).await? {
        let mut tx = db.begin().await?;
        let Removed { revisions, .. } = remove(&mut tx, user.id, clock.now(), random).await?;
        changes::commit(tx, &revisions, clock, random).await?;
        erased.push(user.email);
    }
    Ok(erased)
}

async fn take_away(context: &Context, user: &User) -> Result<LogPosition, ServiceError> {
    let (now, home) = (context.clock.now(), context.config.base_url());
    let mut tx = context.db.begin().await?;
    let Removed { revisions, charged } = remove(&mut tx, user.id, now, &context.random).await?;
    for (subscription, provider) in &charged {
        let id = context.random.id(&context.clock);
        payment_tasks::add(&mut tx, id, (provider, *subscription), AgreementInstruction::End, now, now)
            .await?;
    }
    if user.email_verified {
        let told = Words::of(user.language).letters.deleted.written(&[]);
        account_mail::seal(context, &mut tx, Recipient::last(user), &told.letter(&user.first_name, &home))
            .await?;
    }
    Ok(changes::commit(tx, &revisions, &context.clock, &context.random).await?)
}

/// What is left to do when an account has been removed.
struct Removed {
    /// To be committed to the log.
    revisions: Vec<NewRevision>,
    /// Subscriptions that a provider charges for, and which.
    charged: Vec<(Uuid, String)>,
}

/// Removes an account with what is its alone.
async fn remove(
    tx: &mut PgConnection,
    user: Uuid,
    now: Timestamp,
    random: &Random,
) -> Result<Removed, sqlx::Error> {
    // Whoever publishes locks a tender before its owner.
    tenders::lock_of_owner(&mut *tx, user).await?;
    users::lock(&mut *tx, user).await?;
    let mut revisions = alerts::delete_of_user(&mut *tx, user).await?;
    tenders::delete_drafts_of_owner(&mut *tx, user).await?;
    tenders::strip_contact_of_owner(&mut *tx, user).await?;
    documents::remove_of_owner(&mut *tx, user, now).await?;
    for tender in tenders::published_of_owner(&mut *tx, user).await? {
        let tender = left_behind(tender, Moment::new(now));
        revisions.extend(tenders::revise(&mut *tx, &tender, now).await?);
    }
    let charged = subscriptions::end_of_user(&mut *tx, user, now).await?;
    views::rename(&mut *tx, user, Uuid::from_bytes(random.bytes())).await?;
    contact::delete_of_user(&mut *tx, user).await?;
    mailed_links::delete_requests_of_user(&mut *tx, user).await?;
    users::delete(&mut *tx, user).await?;
    Ok(Removed { revisions, charged })
}

/// A published tender as it stays when its publisher has gone.
fn left_behind(mut tender: Tender, now: Moment) -> Tender {
    if tender.effective_status(now) == TenderStatus::Published {
        let (from, to) = (json!(tender.status), json!(TenderStatus::Withdrawn));
        tender.changes.push(FieldChange { at: now, field: "status".into(), from, to, source: OWNER.into() });
        tender.status = TenderStatus::Withdrawn;
    }
    tender
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_open_is_withdrawn_and_what_has_closed_stays() {
        let now: Moment = "2026-11-20T12:00:00+05:30".parse().unwrap();
        let left = |status, closing: &str| {
            let mut tender = Tender { status, ..Tender::default() };
            tender.dates.closing = closing.parse().ok();
            let after = left_behind(tender, now);
            (after.status, after.changes.len())
        };
        let (past, future) = ("2026-11-19T12:00:00+05:30", "2026-12-01T12:00:00+05:30");
        assert_eq!(left(TenderStatus::Published, future), (TenderStatus::Withdrawn, 1));
        assert_eq!(left(TenderStatus::Published, past), (TenderStatus::Published, 0));
        for status in [TenderStatus::Closed, TenderStatus::Awarded, TenderStatus::Cancelled] {
            assert_eq!(left(status, future), (status, 0));
        }
    }
}
