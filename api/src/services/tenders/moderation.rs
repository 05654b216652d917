//! What administrators decide about tenders: the check of a new publisher's first publication, and
//! taking tenders down. Each decision, its entry in the audit log and the mail to the owner are one
//! transaction. Followers of a tender that is taken down learn that the portal did it. Only the
//! owner and administrators see the reason.

use super::{edit_audit, form::missing_fields, publishing::INDEX_WAIT};
use crate::{
    app::context::Context,
    base::i18n::mail_texts::{AccountMails, MailTexts, shortened},
    domain::{
        audit::{Actor, AuditAction},
        error::{FieldError, ServiceError},
        user::User,
        validation,
    },
    services::notifications::account_mail::{self, FilledMailText, Recipient},
    storage::{
        self,
        changes::{self, NewRevision},
        moderation, tenders, users,
    },
};
use serde_json::{Value, json};
use sqlx::{PgConnection, Postgres, Transaction};
use tender_model::{
    deduplication::PORTAL,
    tender::{FieldChange, Tender},
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// The maximum number of characters of a reason.
const MAX_REASON_LENGTH: usize = 500;
/// The maximum number of characters of a title in a mail.
const MAX_TITLE_LENGTH: usize = 120;

const UNKNOWN_TENDER: ServiceError = ServiceError::NotFound("Tender");

/// Publishes a tender that waits for a check, and the other waiting tenders of its publisher. From
/// now on, the publisher's tenders are published at once. Other waiting tenders whose closing has
/// passed keep waiting. `revision` is the revision that the administrator has read.
///
/// # Errors
/// 404 if no such tender waits, and a conflict if it has changed, its closing has passed, or its
/// publisher may not publish.
pub async fn approve(context: &Context, actor: &Actor, id: Uuid, revision: i64) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let owner = moderation::publisher_of_held(&mut *tx, id).await?.ok_or(UNKNOWN_TENDER)?;
    // The tenders are locked before their owner, in the same order as when publishing. A tender that
    // is submitted in between is found afterwards.
    moderation::lock_held_of(&mut tx, owner).await?;
    users::lock(&mut tx, owner).await?;
    let held = moderation::take_held_of(&mut tx, owner).await?;
    let publisher = users::by_id(&mut *tx, owner, now).await?.ok_or(UNKNOWN_TENDER)?;
    if !held.contains(&id) {
        return Err(UNKNOWN_TENDER);
    }
    if publisher.is_locked || !publisher.role.may_publish() {
        return Err(ServiceError::Conflict("The publisher's account is locked or may not publish".into()));
    }
    let (mut revisions, mut titles) = (Vec::new(), Vec::new());
    for tender_id in held {
        let found = tenders::current(&mut *tx, tender_id).await?.ok_or(UNKNOWN_TENDER)?;
        let missing = missing_fields(&found.tender, None, Moment::new(now).day());
        if tender_id == id {
            if found.revision != revision {
                let message = "The publisher has changed the tender meanwhile. Please read it again";
                return Err(ServiceError::Conflict(message.into()));
            }
            if let Some(missing) = missing.into_iter().next() {
                let message = format!("The tender cannot be published: {}", missing.message);
                return Err(ServiceError::Conflict(message));
            }
        } else if !missing.is_empty() {
            continue;
        }
        let before = found.tender;
        let tender = Tender {
            status: TenderStatus::Published,
            published_at: Some(Moment::new(now)),
            ..before.clone()
        };
        titles.push(format!("“{}”", shortened(&tender.title, MAX_TITLE_LENGTH)));
        revisions.extend(tenders::revise(&mut tx, &tender, now).await?);
        let values = (Some(edit_audit::summary(&before)), Some(publication_values(&tender, owner)));
        edit_audit::record(&mut tx, actor, AuditAction::ApprovePublication, tender_id, values, now).await?;
    }
    moderation::approve_publisher(&mut tx, owner, now).await?;
    let titles = titles.join(", ");
    let link = format!("{}/supplier/dashboard", context.config.base_url());
    let mail = mails(&publisher).publication_approved.fill(&[("titles", &titles)]);
    send(context, &mut tx, &publisher, &mail, &link).await?;
    commit(context, tx, &revisions).await
}

/// Refuses to publish a tender that waits for a check. It becomes a draft again, and its owner can
/// submit it again.
///
/// # Errors
/// Invalid without a reason, and 404 if no such tender waits.
pub async fn refuse(context: &Context, actor: &Actor, id: Uuid, reason: &str) -> Result<(), ServiceError> {
    let reason = read_reason(reason)?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    tenders::lock(&mut tx, id).await?;
    let owner = moderation::publisher_of_held(&mut *tx, id).await?.ok_or(UNKNOWN_TENDER)?;
    let found = tenders::current(&mut *tx, id).await?.ok_or(UNKNOWN_TENDER)?;
    moderation::release(&mut tx, id, Some((&reason, now))).await?;
    let values = (None, Some(json!({"reason": reason, "publisher": owner})));
    edit_audit::record(&mut tx, actor, AuditAction::RefusePublication, id, values, now).await?;
    if let Some(publisher) = users::by_id(&mut *tx, owner, now).await? {
        let title = shortened(&found.tender.title, MAX_TITLE_LENGTH);
        let link = format!("{}/supplier/tenders/{id}/edit", context.config.base_url());
        let reason = reason.trim_end_matches('.');
        let mail = mails(&publisher).publication_refused.fill(&[("title", &title), ("reason", &reason)]);
        send(context, &mut tx, &publisher, &mail, &link).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Takes a published tender down. It is withdrawn, neither its owner nor a notice can publish it
/// again, and the next publication of its owner waits for a check. For a tender that is taken down
/// already, the reason is replaced.
///
/// # Errors
/// Invalid without a reason, 404 for an unknown tender, and a conflict if the tender is not public.
pub async fn take_down(context: &Context, actor: &Actor, id: Uuid, reason: &str) -> Result<(), ServiceError> {
    let reason = read_reason(reason)?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    tenders::lock(&mut tx, id).await?;
    let found = tenders::current(&mut *tx, id).await?.ok_or(UNKNOWN_TENDER)?;
    let earlier = moderation::of_tenders(&mut *tx, &[id]).await?.remove(&id);
    let earlier = earlier.and_then(|moderation| moderation.takedown);
    let before = found.tender;
    let mut revisions = Vec::new();
    if earlier.is_none() {
        if !before.status.is_public() {
            return Err(ServiceError::Conflict("Only a published tender can be taken down".into()));
        }
        let mut tender = Tender { status: TenderStatus::Withdrawn, ..before.clone() };
        tender.changes.push(FieldChange {
            at: Moment::new(now),
            field: "status".to_owned(),
            from: json!(before.status),
            to: json!(tender.status),
            source: PORTAL.to_owned(),
        });
        revisions.extend(tenders::revise(&mut tx, &tender, now).await?);
    }
    moderation::take_down(&mut tx, id, &reason, now).await?;
    let values = match earlier {
        None => {
            (json!({"status": before.status}), json!({"status": TenderStatus::Withdrawn, "reason": reason}))
        }
        Some(earlier) => (json!({"reason": earlier.reason}), json!({"reason": reason})),
    };
    let values = (Some(values.0), Some(values.1));
    edit_audit::record(&mut tx, actor, AuditAction::TakeDownTender, id, values, now).await?;
    if let Some(owner) = found.owner_id {
        moderation::revoke_publisher_approval(&mut tx, owner).await?;
        if let Some(publisher) = users::by_id(&mut *tx, owner, now).await? {
            let (title, link) = title_and_link(context, &before);
            let mail = mails(&publisher).taken_down.fill(&[("title", &title), ("reason", &reason)]);
            send(context, &mut tx, &publisher, &mail, &link).await?;
        }
    }
    commit(context, tx, &revisions).await
}

/// Puts a tender back that was taken down, with its earlier status. For another tender, nothing
/// changes.
///
/// # Errors
/// 404 for an unknown tender, and a conflict if the account of its publisher is deleted.
pub async fn restore(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    tenders::lock(&mut tx, id).await?;
    let found = tenders::current(&mut *tx, id).await?.ok_or(UNKNOWN_TENDER)?;
    let takedown = moderation::of_tenders(&mut *tx, &[id]).await?.remove(&id);
    let Some(takedown) = takedown.and_then(|moderation| moderation.takedown) else { return Ok(()) };
    if found.owner_id.is_none() && found.tender.sources.is_empty() {
        return Err(ServiceError::Conflict("The account of this tender's publisher is deleted".into()));
    }
    let mut tender = found.tender;
    let is_takedown = |change: &FieldChange| change.field == "status" && change.source == PORTAL;
    let position = tender.changes.iter().rposition(is_takedown);
    let takedown_change = position.map(|position| tender.changes.remove(position));
    // A corrigendum may have cancelled the tender meanwhile.
    let last = tender.changes.iter().rfind(|change| change.field == "status").map(|change| change.to.clone());
    let status = last.or(takedown_change.map(|change| change.from));
    let status = status.ok_or_else(|| anyhow::anyhow!("the tender {id} does not record its status"))?;
    tender.status = serde_json::from_value(status).map_err(anyhow::Error::from)?;
    let revisions: Vec<_> = tenders::revise(&mut tx, &tender, now).await?.into_iter().collect();
    let values = (
        Some(json!({"status": TenderStatus::Withdrawn, "reason": takedown.reason})),
        Some(json!({"status": tender.status})),
    );
    edit_audit::record(&mut tx, actor, AuditAction::RestoreTender, id, values, now).await?;
    if let Some(owner) = found.owner_id {
        users::lock(&mut tx, owner).await?;
        if !moderation::has_taken_down(&mut *tx, owner).await? {
            moderation::approve_publisher(&mut tx, owner, now).await?;
        }
        if let Some(publisher) = users::by_id(&mut *tx, owner, now).await? {
            let (title, link) = title_and_link(context, &tender);
            let mail = mails(&publisher).restored.fill(&[("title", &title)]);
            send(context, &mut tx, &publisher, &mail, &link).await?;
        }
    }
    commit(context, tx, &revisions).await
}

fn read_reason(reason: &str) -> Result<String, ServiceError> {
    let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("reason", message)]);
    let reason = validation::parse_line(reason, "Reason", MAX_REASON_LENGTH).map_err(invalid)?;
    if reason.is_empty() { Err(invalid("Reason is required".into())) } else { Ok(reason) }
}

fn publication_values(tender: &Tender, publisher: Uuid) -> Value {
    json!({"status": tender.status, "publisher": publisher})
}

fn title_and_link(context: &Context, tender: &Tender) -> (String, String) {
    let title = shortened(&tender.title, MAX_TITLE_LENGTH);
    (title, format!("{}/tenders/{}", context.config.base_url(), tender.id))
}

async fn commit(
    context: &Context,
    tx: Transaction<'static, Postgres>,
    revisions: &[NewRevision],
) -> Result<(), ServiceError> {
    let at = changes::commit(tx, revisions, &context.clock, &context.random).await?;
    // The decision is stored even if the index lags.
    context.progress.wait_until_indexed(at.position, INDEX_WAIT).await;
    Ok(())
}

/// The mails in the language of a publisher.
fn mails(publisher: &User) -> &'static AccountMails {
    &MailTexts::of(publisher.language).mails
}

/// Mails a decision to the publisher of a tender.
async fn send(
    context: &Context,
    tx: &mut PgConnection,
    publisher: &User,
    mail: &FilledMailText,
    link: &str,
) -> Result<(), ServiceError> {
    let recipient = Recipient::user(publisher);
    account_mail::seal(context, tx, recipient, &mail.mail(&publisher.first_name, link)).await?;
    Ok(())
}
