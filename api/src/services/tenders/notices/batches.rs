//! Withdraws batches of notices. Starting and undoing a withdrawal are one transaction each, with
//! their entries in the audit log. The job `crate::jobs::withdraw_batches` then calls [`process`]
//! until no notice is left. Each call is one transaction with a limited number of notices.

use super::store::{reject_notices, restore_notices};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        batch::{
            Batch, BatchWithdrawal, MAX_BATCH_NOTICES, NewWithdrawal, WithdrawalCounts, WithdrawalPreview,
            WithdrawalState, WithdrawnNotice, WithdrawnTender,
        },
        error::{FieldError, ServiceError},
        notice::{Notice, NoticeStanding},
        review::NoticeState,
        validation,
    },
    storage::{
        self, audit_log,
        batches::{
            self,
            contents::{self, TenderEffects},
            progress, readers,
        },
        changes::{self, NewRevision},
        notices, tenders,
    },
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tender_model::vocabulary::{Moment, TenderStatus};
use uuid::Uuid;

/// The number of notices in a transaction. All notices of a tender are in one transaction, so that a
/// transaction may have a few more.
const STEP_NOTICES: i64 = 25;
/// The maximum number of characters of a reason.
const MAX_REASON_LENGTH: usize = 500;

/// What the withdrawal of a batch would do now.
///
/// # Errors
/// 422 if the batch is too large.
pub async fn preview(context: &Context, batch: &Batch) -> Result<WithdrawalPreview, ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let keys = find_notices(&mut tx, batch).await?;
    let TenderEffects { waiting, withdrawn, printed_elsewhere, owned } =
        contents::effects(&mut tx, &keys).await?;
    let readers = readers::of_withdrawal(&mut tx, &withdrawn, None, context.clock.now()).await?;
    let (notices, tenders, readers) = (keys.len(), withdrawn.len(), readers.len());
    Ok(WithdrawalPreview { notices, waiting, tenders, printed_elsewhere, owned, readers })
}

async fn find_notices(tx: &mut PgConnection, batch: &Batch) -> Result<Vec<String>, ServiceError> {
    let keys = contents::notices(tx, batch, MAX_BATCH_NOTICES as i64 + 1).await?;
    if keys.len() > MAX_BATCH_NOTICES {
        let message = format!("A batch has at most {MAX_BATCH_NOTICES} notices");
        return Err(ServiceError::Invalid(vec![FieldError::new("batch", message)]));
    }
    Ok(keys)
}

/// Starts to withdraw a batch. `expected` is the number of notices that the administrator saw in the
/// preview. Returns the id of the withdrawal.
///
/// # Errors
/// 422 without a reason, or if the batch is too large. A conflict if the batch has no notice, or has
/// changed since the preview.
pub async fn start(
    context: &Context,
    actor: &Actor,
    batch: &Batch,
    reason: &str,
    expected: usize,
) -> Result<Uuid, ServiceError> {
    let reason = read_reason(reason)?;
    let (by, now) = (administrator(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    notices::lock(&mut tx).await?;
    let keys = find_notices(&mut tx, batch).await?;
    if keys.is_empty() {
        return Err(ServiceError::Conflict("This batch has no notice that can be withdrawn".into()));
    }
    if keys.len() != expected {
        return Err(ServiceError::Conflict(
            "The batch has changed since the preview. Look at it again".into(),
        ));
    }
    let file_name = match batch {
        Batch::File(id) => {
            Some(contents::file_name(&mut *tx, *id).await?.ok_or(ServiceError::NotFound("File"))?)
        }
        Batch::Issue { .. } | Batch::Sent { .. } => None,
    };
    let id = context.random.id(&context.clock);
    let new = NewWithdrawal { id, batch, file_name: file_name.as_deref(), reason: &reason, at: now, by };
    batches::insert(&mut tx, &new, &keys).await?;
    let effects = contents::effects(&mut tx, &keys).await?;
    let mut after = audited_batch(batch, file_name.as_deref());
    after["reason"] = json!(reason);
    after["notices"] = json!(keys.len());
    after["tenders"] = json!(effects.withdrawn.len());
    record(context, &mut tx, actor, AuditAction::WithdrawBatch, (id, None, Some(after))).await?;
    tx.commit().await?;
    Ok(id)
}

/// Starts to undo a withdrawal. The notices that were not yet rejected stay as they are.
///
/// # Errors
/// 404 for an unknown withdrawal. A conflict if it is undone, or was started too long ago.
pub async fn undo(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let (by, now) = (administrator(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    let withdrawal = batches::lock(&mut tx, id).await?.ok_or(ServiceError::NotFound("Withdrawal"))?;
    let Some(until) = withdrawal.undo_until() else {
        return Err(ServiceError::Conflict("This withdrawal has been undone already".into()));
    };
    if now >= until {
        return Err(ServiceError::Conflict("A withdrawal can be undone for seven days".into()));
    }
    batches::start_undo(&mut tx, id, by, now).await?;
    let mut before = audited_batch(&withdrawal.batch, withdrawal.name.as_deref());
    before["notices"] = json!(withdrawal.counts.withdrawn_notices);
    before["tenders"] = json!(withdrawal.counts.withdrawn_tenders);
    record(context, &mut tx, actor, AuditAction::UndoBatchWithdrawal, (id, Some(before), None)).await?;
    tx.commit().await?;
    Ok(())
}

/// Rejects or restores the next notices of a withdrawal. Returns whether the state of the withdrawal
/// still needs this. The numbers, the notices and their tenders change in one transaction.
pub async fn process(context: &Context, id: Uuid) -> Result<bool, ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    // This lock comes first, as in all other decisions about notices.
    notices::lock(&mut tx).await?;
    let Some(withdrawal) = batches::lock(&mut tx, id).await? else { return Ok(false) };
    let step = match withdrawal.state {
        WithdrawalState::Withdrawing => reject_next(context, &mut tx, &withdrawal).await?,
        WithdrawalState::Undoing => restore_next(context, &mut tx, &withdrawal).await?,
        WithdrawalState::Telling
        | WithdrawalState::Done
        | WithdrawalState::TellingUndo
        | WithdrawalState::Undone => return Ok(false),
    };
    let Some(step) = step else {
        let next = match withdrawal.state {
            WithdrawalState::Withdrawing => WithdrawalState::Telling,
            _ => WithdrawalState::TellingUndo,
        };
        batches::set_state(&mut tx, id, next, None).await?;
        tx.commit().await?;
        return Ok(false);
    };
    let mut counts = withdrawal.counts;
    counts.add(step.counts);
    batches::set_counts(&mut tx, id, counts).await?;
    if step.revisions.is_empty() {
        tx.commit().await?;
    } else {
        changes::commit(tx, &step.revisions, &context.clock, &context.random).await?;
    }
    Ok(true)
}

/// What a transaction did.
#[derive(Default)]
struct Step {
    counts: WithdrawalCounts,
    revisions: Vec<NewRevision>,
}

async fn reject_next(
    context: &Context,
    tx: &mut PgConnection,
    withdrawal: &BatchWithdrawal,
) -> Result<Option<Step>, ServiceError> {
    let pending = progress::pending(tx, withdrawal.id, STEP_NOTICES).await?;
    if pending.is_empty() {
        return Ok(None);
    }
    let mut step = Step::default();
    for group in groups(&pending, |(_, tender_id)| *tender_id) {
        let mut found = Vec::with_capacity(group.len());
        for (key, tender_id) in group {
            let Some(notice) = notices::get(&mut *tx, key).await? else { continue };
            if notice.standing == NoticeStanding::Rejected {
                progress::record_notice(tx, withdrawal.id, key, false).await?;
                step.counts.skipped_notices += 1;
                continue;
            }
            let before = NoticeState::of(&notice);
            let withdrawn = WithdrawnNotice { key: key.clone(), before, tender_id: *tender_id };
            progress::record_withdrawn(tx, withdrawal.id, &withdrawn).await?;
            step.counts.withdrawn_notices += 1;
            found.push(notice);
        }
        if found.is_empty() {
            continue;
        }
        let tender_id = found.first().and_then(|notice| notice.standing.tender_id());
        let was_public = is_public(tx, tender_id).await?;
        let revision = reject_notices(context, tx, tender_id, found).await?;
        match (was_public, is_public(tx, tender_id).await?, revision) {
            (true, false, Some(NewRevision { id, revision, .. })) => {
                progress::record_tender(tx, withdrawal.id, WithdrawnTender { id, revision }).await?;
                step.counts.withdrawn_tenders += 1;
            }
            (true, true, _) => step.counts.kept_tenders += 1,
            _ => {}
        }
        step.revisions.extend(revision);
    }
    Ok(Some(step))
}

async fn restore_next(
    context: &Context,
    tx: &mut PgConnection,
    withdrawal: &BatchWithdrawal,
) -> Result<Option<Step>, ServiceError> {
    let withdrawn = progress::withdrawn(tx, withdrawal.id, STEP_NOTICES).await?;
    if withdrawn.is_empty() {
        return Ok(None);
    }
    let mut step = Step::default();
    for group in groups(&withdrawn, |notice| notice.tender_id) {
        let mut found: Vec<(Notice, NoticeState)> = Vec::with_capacity(group.len());
        for WithdrawnNotice { key, before, .. } in group {
            let notice = notices::get(&mut *tx, key).await?;
            let rejected = notice.filter(|notice| notice.standing == NoticeStanding::Rejected);
            progress::record_notice(tx, withdrawal.id, key, rejected.is_some()).await?;
            match rejected {
                Some(notice) => {
                    step.counts.restored_notices += 1;
                    found.push((notice, before.clone()));
                }
                None => step.counts.skipped_notices += 1,
            }
        }
        let Some(tender_id) = group.first().map(|notice| notice.tender_id).filter(|_| !found.is_empty())
        else {
            continue;
        };
        let publishes = match tender_id {
            Some(tender_id) => progress::has_withdrawn(&mut *tx, withdrawal.id, tender_id).await?,
            None => false,
        };
        let revisions = restore_notices(context, tx, tender_id, found, publishes).await?;
        if let (true, true, Some(first)) =
            (publishes, is_public(tx, tender_id).await?, revisions.first().copied())
        {
            let restored = WithdrawnTender { id: first.id, revision: first.revision };
            progress::record_restored(tx, withdrawal.id, restored).await?;
            step.counts.restored_tenders += 1;
        }
        step.revisions.extend(revisions);
    }
    Ok(Some(step))
}

/// Splits sorted notices into groups of one tender, or of one notice without a tender.
fn groups<T>(notices: &[T], tender: impl Fn(&T) -> Option<Uuid>) -> impl Iterator<Item = &[T]> {
    notices.chunk_by(move |one, other| tender(one).is_some() && tender(one) == tender(other))
}

async fn is_public(tx: &mut PgConnection, tender_id: Option<Uuid>) -> Result<bool, ServiceError> {
    let Some(tender_id) = tender_id else { return Ok(false) };
    let current = tenders::current(tx, tender_id).await?;
    Ok(current.is_some_and(|current| TenderStatus::is_public(current.tender.status)))
}

fn read_reason(reason: &str) -> Result<String, ServiceError> {
    let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("reason", message)]);
    let reason = validation::parse_line(reason, "Reason", MAX_REASON_LENGTH).map_err(invalid)?;
    if reason.is_empty() { Err(invalid("Reason is required".into())) } else { Ok(reason) }
}

const fn administrator(actor: &Actor) -> Result<Uuid, ServiceError> {
    match actor.identity {
        ActorIdentity::User(id) => Ok(id),
        ActorIdentity::Token(_) | ActorIdentity::CommandLine(_) => {
            Err(ServiceError::Forbidden("Only an administrator may do this"))
        }
    }
}

fn audited_batch(batch: &Batch, name: Option<&str>) -> Value {
    match batch {
        Batch::File(id) => json!({"file": name, "fileId": id}),
        Batch::Issue { publication, date } => json!({"publication": publication, "date": date.to_string()}),
        Batch::Sent { token, from, until } => {
            json!({"token": token, "from": Moment::new(*from), "until": Moment::new(*until)})
        }
    }
}

async fn record(
    context: &Context,
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    (id, before, after): (Uuid, Option<Value>, Option<Value>),
) -> Result<(), ServiceError> {
    let subject_id = id.to_string();
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::BatchWithdrawal,
        subject_id: &subject_id,
        before,
        after,
    };
    audit_log::insert(tx, &entry, context.clock.now()).await?;
    Ok(())
}
