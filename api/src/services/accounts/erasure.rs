//! Deletes an account in one transaction, with these effects:
//!
//! - Drafts are deleted. Open tenders are withdrawn, because nobody can answer bidders any more.
//!   Closed tenders stay. The contact person is removed from all revisions. Other text is
//!   unchanged.
//! - Attachments are removed from the tenders, and a background job deletes their files.
//! - Alerts are deleted with their matches and mails. The change log tells the matcher that
//!   they are gone. Reports are deleted.
//! - Views stay under a random id, because publishers count them. Intentions to bid are deleted.
//! - Subscriptions end and stay in the records without a user. Providers stop charging. Invoices
//!   stay as issued, as accounting law requires. Contact messages are deleted.
//!
//! A last mail to a confirmed address reports the deletion. The mail is deleted after it is sent.

use crate::{
    app::context::Context,
    base::{clock::Clock, i18n::mail_texts::MailTexts, random::Random},
    domain::{
        error::ServiceError,
        payment::AgreementInstruction,
        user::{Role, User},
    },
    services::{
        accounts::second_factors::proof_check,
        notifications::account_mail::{self, Recipient},
    },
    storage::{
        self, alerts,
        changes::{self, NewRevision},
        contact, documents,
        error::is_deadlock,
        mailed_links, payment_tasks, subscriptions, tender_views, tenders, user_directory, users,
    },
};
use index::LogPosition;
use jiff::Timestamp;
use serde_json::json;
use sqlx::{PgConnection, PgPool};
use std::time::Duration;
use tender_model::{
    deduplication::OWNER,
    tender::{FieldChange, Tender},
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// The maximum time that a response waits until the index no longer shows the account's tenders.
const INDEX_WAIT: Duration = Duration::from_secs(2);

/// The maximum number of attempts if deadlocks occur. Matching locks alerts and messages in the
/// order of the log, so no order of locks here avoids all deadlocks.
const MAX_ATTEMPTS: u32 = 5;

/// Deletes the account of a user who has proved who they are in this session.
///
/// # Errors
/// A conflict if the user is the only administrator. Also the errors of [`proof_check::hold_proved`].
pub async fn erase(context: &Context, (user, session): (&User, Uuid)) -> Result<(), ServiceError> {
    let mut attempt = 1;
    let at = loop {
        match delete_account(context, (user, session)).await {
            Err(error) if is_deadlock(&error) && attempt < MAX_ATTEMPTS => attempt += 1,
            done => break done?,
        }
    };
    tracing::info!(user = %user.id, attempt, "an account was deleted");
    context.progress.wait_until_indexed(at.position, INDEX_WAIT).await;
    Ok(())
}

/// Deletes the accounts of the demonstration and returns their addresses. It sends no mails and no
/// instructions to providers, because the sandbox took no money.
pub async fn erase_demo(db: &PgPool, clock: &Clock, random: &Random) -> Result<Vec<String>, sqlx::Error> {
    let mut erased = Vec::new();
    for user in users::demo_users(db).await? {
        let mut tx = storage::begin(db).await?;
        let RemainingWork { revisions, .. } = remove_account(&mut tx, user.id, clock.now(), random).await?;
        changes::commit(tx, &revisions, clock, random).await?;
        erased.push(user.email);
    }
    Ok(erased)
}

async fn delete_account(
    context: &Context,
    (user, session): (&User, Uuid),
) -> Result<LogPosition, ServiceError> {
    let (now, home) = (context.clock.now(), context.config.base_url());
    let mut tx = storage::begin(&context.db).await?;
    // As in `remove_account`, the tenders are locked before their owner.
    tenders::lock_owned_by(&mut tx, user.id).await?;
    // The role of an administrator also counts while it is suspended.
    if user.whole_role() == Role::Admin
        && user_directory::hold_with_administrators(&mut tx, user.id).await? == [user.id]
    {
        return Err(ServiceError::Conflict(
            "You are the only administrator. Give another user this role first".into(),
        ));
    }
    let user = proof_check::hold_proved(context, &mut tx, (user, session)).await?;
    let RemainingWork { revisions, charged } = remove_account(&mut tx, user.id, now, &context.random).await?;
    for (subscription, provider) in &charged {
        let id = context.random.id(&context.clock);
        payment_tasks::add(&mut tx, id, (provider, *subscription), AgreementInstruction::End, now, now)
            .await?;
    }
    if user.email_verified {
        let mail = MailTexts::of(user.language).mails.deleted.fill(&[]);
        account_mail::seal(
            context,
            &mut tx,
            Recipient::deleted_user(&user),
            &mail.mail(&user.first_name, &home),
        )
        .await?;
    }
    Ok(changes::commit(tx, &revisions, &context.clock, &context.random).await?)
}

/// The work that is left after an account was removed.
struct RemainingWork {
    /// Revisions to commit to the log.
    revisions: Vec<NewRevision>,
    /// Subscriptions that a provider still charges for, with the provider's name.
    charged: Vec<(Uuid, String)>,
}

/// Removes an account and its data. The caller commits the revisions and ends the agreements with
/// the payment providers.
async fn remove_account(
    tx: &mut PgConnection,
    user: Uuid,
    now: Timestamp,
    random: &Random,
) -> Result<RemainingWork, sqlx::Error> {
    // The tenders are locked before their owner, in the same order as when publishing.
    tenders::lock_owned_by(&mut *tx, user).await?;
    users::lock(&mut *tx, user).await?;
    let mut revisions = alerts::delete_of_user(&mut *tx, user).await?;
    tenders::delete_drafts_of_owner(&mut *tx, user).await?;
    tenders::strip_contact_and_documents_of_owner(&mut *tx, user).await?;
    documents::remove_of_owner(&mut *tx, user, now).await?;
    for tender in tenders::published_of_owner(&mut *tx, user).await? {
        let tender = without_publisher(tender, Moment::new(now));
        revisions.extend(tenders::revise(&mut *tx, &tender, now).await?);
    }
    let charged = subscriptions::end_of_user(&mut *tx, user, now).await?;
    tender_views::reassign(&mut *tx, user, Uuid::from_bytes(random.bytes())).await?;
    contact::delete_of_user(&mut *tx, user).await?;
    mailed_links::delete_requests_of_user(&mut *tx, user).await?;
    users::delete(&mut *tx, user).await?;
    Ok(RemainingWork { revisions, charged })
}

/// A published tender as it remains after its publisher was deleted.
fn without_publisher(mut tender: Tender, now: Moment) -> Tender {
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
    fn open_tenders_are_withdrawn_and_closed_ones_stay() {
        let now: Moment = "2026-11-20T12:00:00+05:30".parse().unwrap();
        let left = |status, closing: &str| {
            let mut tender = Tender { status, ..Tender::default() };
            tender.dates.closing = closing.parse().ok();
            let after = without_publisher(tender, now);
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
