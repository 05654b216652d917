//! Notes that an issue did not appear or cannot be had. Each change and its entry in the audit log
//! are one transaction.

use super::{UNKNOWN_PAPER, invalid, overview};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        error::ServiceError,
        validation,
    },
    storage::{
        self, audit_log,
        expected_papers::{self, AbsentIssue},
    },
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// The maximum number of characters of a note.
const MAX_NOTE_LENGTH: usize = 500;

/// Notes that an issue did not appear, so that it is no gap. A later note replaces the earlier one.
///
/// # Errors
/// Invalid if the note is too long, 404 for an unknown newspaper, and a conflict if a part of the
/// issue was read.
pub async fn note(
    context: &Context,
    actor: &Actor,
    (paper_id, day): (Uuid, Day),
    note: &str,
) -> Result<(), ServiceError> {
    let note =
        validation::parse_line(note, "Note", MAX_NOTE_LENGTH).map_err(|message| invalid("note", message))?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    expected_papers::lock_all(&mut tx).await?;
    let coverage = overview::read(&mut tx, (day, day), now).await?;
    let found = coverage.papers.iter().find(|(paper, _)| paper.id == paper_id);
    let (_, issues) = found.ok_or(UNKNOWN_PAPER)?;
    if issues.iter().any(|issue| issue.content.read > 0 || issue.content.notices > 0) {
        return Err(ServiceError::Conflict("The portal has read a part of this issue".into()));
    }
    let before = expected_papers::absence(&mut *tx, paper_id, day).await?;
    if before.as_ref() != Some(&note) {
        let absence = AbsentIssue { paper_id, day, note };
        expected_papers::upsert_absence(&mut tx, &absence, now).await?;
        let change = (before.as_deref(), Some(absence.note.as_str()));
        record(context, &mut tx, actor, AuditAction::NoteAbsence, (paper_id, day), change).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Removes the note that an issue did not appear.
///
/// # Errors
/// 404 for an unknown newspaper.
pub async fn remove(
    context: &Context,
    actor: &Actor,
    (paper_id, day): (Uuid, Day),
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    expected_papers::lock_all(&mut tx).await?;
    expected_papers::find(&mut *tx, paper_id).await?.ok_or(UNKNOWN_PAPER)?;
    if let Some(before) = expected_papers::absence(&mut *tx, paper_id, day).await? {
        expected_papers::delete_absence(&mut tx, paper_id, day).await?;
        let change = (Some(before.as_str()), None);
        record(context, &mut tx, actor, AuditAction::RemoveAbsence, (paper_id, day), change).await?;
    }
    tx.commit().await?;
    Ok(())
}

async fn record(
    context: &Context,
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    (paper_id, day): (Uuid, Day),
    (before, after): (Option<&str>, Option<&str>),
) -> Result<(), ServiceError> {
    let values = |note: &str| -> Value { json!({"day": day.to_string(), "note": note}) };
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::Paper,
        subject_id: &paper_id.to_string(),
        before: before.map(values),
        after: after.map(values),
    };
    audit_log::insert(tx, &entry, context.clock.now()).await?;
    Ok(())
}
