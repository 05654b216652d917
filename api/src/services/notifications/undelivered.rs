//! Sends messages again that could not be delivered, and lifts suppressions, for the command line
//! and for administrators. Each action and its entry in the audit log are one transaction.

use crate::{
    base::clock::Clock,
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        delivery::{DeadDelivery, DeadFilter},
        error::ServiceError,
    },
    storage::{self, audit_log, deliveries::sending, suppressions},
};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// The subject of a message. `None`: the message has none, as on other channels than mail.
#[must_use]
pub fn subject(delivery: &DeadDelivery) -> Option<String> {
    let parsed = MessageParser::default().parse_headers(delivery.beginning.as_deref()?)?;
    parsed.subject().map(str::to_owned)
}

/// Sends a dead message again.
///
/// # Errors
/// 404 if there is no such dead message, and a conflict if its address is suppressed or it could not
/// be composed.
pub async fn retry(db: &PgPool, clock: &Clock, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let filter = DeadFilter { id: Some(id), ..DeadFilter::default() };
    let found = sending::page_of_dead(db, &filter, None, 1).await?.pop();
    let found = found.ok_or(ServiceError::NotFound("Undelivered message"))?;
    if found.is_suppressed {
        return Err(ServiceError::Conflict("No mail is sent to this address: it is suppressed".into()));
    }
    if found.beginning.is_none() {
        return Err(ServiceError::Conflict("This message could not be composed".into()));
    }
    match retry_all(db, clock, actor, &filter).await? {
        0 => Err(ServiceError::NotFound("Undelivered message")),
        _ => Ok(()),
    }
}

/// Sends all dead messages again that pass a filter, except those to suppressed addresses. Returns
/// their number. The audit log does not contain the filter, which may contain an address.
pub async fn retry_all(
    db: &PgPool,
    clock: &Clock,
    actor: &Actor,
    filter: &DeadFilter,
) -> Result<u64, ServiceError> {
    let mut tx = storage::begin(db).await?;
    let retried = sending::retry_dead(&mut *tx, filter, clock.now()).await?;
    if retried > 0 {
        let subject = filter.id.map_or_else(|| "all".to_owned(), |id| id.to_string());
        let subject = (AuditSubject::Message, subject.as_str());
        let is_filtered = filter.address.is_some() || filter.reason.is_some();
        let after = if is_filtered {
            json!({"retried": retried, "isFiltered": true})
        } else {
            json!({"retried": retried})
        };
        record(&mut tx, clock, (actor, AuditAction::RetryMail), subject, (None, Some(after))).await?;
    }
    tx.commit().await?;
    Ok(retried)
}

/// Lifts the suppression of an address. The address stays unconfirmed, so its owner gets only
/// account mails until the owner confirms it again.
///
/// # Errors
/// 404 if there is no such suppression.
pub async fn lift_suppression(
    db: &PgPool,
    clock: &Clock,
    actor: &Actor,
    id: i64,
) -> Result<(), ServiceError> {
    let mut tx = storage::begin(db).await?;
    let lifted = suppressions::lift_by_id(&mut tx, id).await?;
    let lifted = lifted.ok_or(ServiceError::NotFound("Suppressed address"))?;
    let before = json!({"reason": lifted.reason, "since": lifted.at, "user": lifted.user_id});
    let id = id.to_string();
    let subject = (AuditSubject::Suppression, id.as_str());
    record(&mut tx, clock, (actor, AuditAction::LiftSuppression), subject, (Some(before), None)).await?;
    tx.commit().await?;
    Ok(())
}

async fn record(
    tx: &mut PgConnection,
    clock: &Clock,
    (actor, action): (&Actor, AuditAction),
    (subject, subject_id): (AuditSubject, &str),
    (before, after): (Option<Value>, Option<Value>),
) -> Result<(), sqlx::Error> {
    let entry = NewAuditEntry { actor, action, subject, subject_id, before, after };
    audit_log::insert(tx, &entry, clock.now()).await
}
