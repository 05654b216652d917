//! What administrators do with messages of the contact form.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::{FieldError, ServiceError},
        validation,
    },
    storage::{self, audit_log, contact},
};
use serde_json::json;
use uuid::Uuid;

/// The maximum number of characters of a note.
const MAX_NOTE_LENGTH: usize = 500;

/// Marks a message as answered or open, and replaces its note. The audit log does not contain the
/// note, because the note is deleted with the account of the sender.
///
/// # Errors
/// 404 for an unknown message, and invalid for a note that is too long.
pub async fn set_answered(
    context: &Context,
    actor: &Actor,
    id: Uuid,
    is_answered: bool,
    note: Option<&str>,
) -> Result<(), ServiceError> {
    let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("note", message)]);
    let note = note.map(|note| validation::parse_line(note, "Note", MAX_NOTE_LENGTH));
    let note = note.transpose().map_err(invalid)?.filter(|note| !note.is_empty());
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let before = contact::hold(&mut tx, id).await?.ok_or(ServiceError::NotFound("Message"))?;
    let (was_answered, old_note) = &before;
    if (*was_answered, old_note) != (is_answered, &note) {
        let by = match actor.identity {
            ActorIdentity::User(id) => Some(id),
            ActorIdentity::Token(_) | ActorIdentity::CommandLine(_) => None,
        };
        contact::set_answered(&mut tx, id, is_answered.then_some((by, now)), note.as_deref()).await?;
        let values = |is_answered: bool, note: &Option<String>| json!({"isAnswered": is_answered, "hasNote": note.is_some()});
        let entry = NewAuditEntry {
            actor,
            action: if is_answered { AuditAction::AnswerMessage } else { AuditAction::ReopenMessage },
            subject: AuditSubject::ContactMessage,
            subject_id: &id.to_string(),
            before: Some(values(*was_answered, old_note)),
            after: Some(values(is_answered, &note)),
        };
        audit_log::insert(&mut *tx, &entry, now).await?;
    }
    tx.commit().await?;
    Ok(())
}
