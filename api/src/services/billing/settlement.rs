//! What administrators do with payment events that were not applied.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::{FieldError, ServiceError},
        validation,
    },
    storage::{self, audit_log, payment_events},
};
use serde_json::json;

/// The maximum number of characters of a note.
const MAX_NOTE_LENGTH: usize = 500;

/// Marks a payment event that was not applied as settled. The note says what was done, for example a
/// refund. A settled event is never applied, even if its checkout is paid later. Settling it again
/// replaces the note.
///
/// # Errors
/// 404 for an unknown event, invalid without a note, and a conflict for an event that was applied or
/// changes nothing.
pub async fn settle(context: &Context, actor: &Actor, id: i64, note: &str) -> Result<(), ServiceError> {
    let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("note", message)]);
    let note = validation::parse_line(note, "Note", MAX_NOTE_LENGTH).map_err(invalid)?;
    if note.is_empty() {
        return Err(invalid("Note is required".into()));
    }
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let found = payment_events::hold(&mut tx, id).await?;
    let found = found.ok_or(ServiceError::NotFound("Payment event"))?;
    if !found.outcome.needs_attention() {
        return Err(ServiceError::Conflict("This payment event needs no attention".into()));
    }
    if found.note.as_ref() != Some(&note) {
        let by = match actor.identity {
            ActorIdentity::User(id) => Some(id),
            ActorIdentity::Token(_) | ActorIdentity::CommandLine(_) => None,
        };
        payment_events::settle(&mut tx, id, by, &note, now).await?;
        let entry = NewAuditEntry {
            actor,
            action: AuditAction::SettlePayment,
            subject: AuditSubject::PaymentEvent,
            subject_id: &format!("{}:{}", found.provider, found.event_id),
            before: Some(json!({"note": found.note})),
            after: Some(json!({"note": note})),
        };
        audit_log::insert(&mut *tx, &entry, now).await?;
    }
    tx.commit().await?;
    Ok(())
}
