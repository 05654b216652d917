//! The calendar of holidays. Each change and its entry in the audit log are one transaction.

use super::invalid;
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        coverage::{Holiday, HolidayKind, MAX_NAME_LENGTH},
        error::ServiceError,
        validation,
    },
    storage::{self, audit_log, holidays},
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use tender_model::vocabulary::Day;

/// Adds a holiday, or replaces the one of its day.
///
/// # Errors
/// Invalid without a name.
pub async fn set(
    context: &Context,
    actor: &Actor,
    day: Day,
    name: &str,
    kind: HolidayKind,
) -> Result<(), ServiceError> {
    let name =
        validation::parse_line(name, "Name", MAX_NAME_LENGTH).map_err(|message| invalid("name", message))?;
    if name.is_empty() {
        return Err(invalid("name", "Please enter the name of the day"));
    }
    let after = Holiday { day, name, kind };
    let mut tx = storage::begin(&context.db).await?;
    let before = holidays::lock(&mut tx, day).await?;
    if before.as_ref() != Some(&after) {
        holidays::upsert(&mut tx, &after).await?;
        let change = (before.as_ref().map(values), Some(values(&after)));
        record(context, &mut tx, actor, AuditAction::SetHoliday, day, change).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Removes a holiday.
///
/// # Errors
/// 404 if the day is no holiday.
pub async fn remove(context: &Context, actor: &Actor, day: Day) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let before = holidays::lock(&mut tx, day).await?.ok_or(ServiceError::NotFound("Holiday"))?;
    holidays::delete(&mut tx, day).await?;
    let change = (Some(values(&before)), None);
    record(context, &mut tx, actor, AuditAction::RemoveHoliday, day, change).await?;
    tx.commit().await?;
    Ok(())
}

fn values(holiday: &Holiday) -> Value {
    json!({"name": holiday.name, "kind": holiday.kind})
}

async fn record(
    context: &Context,
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    day: Day,
    (before, after): (Option<Value>, Option<Value>),
) -> Result<(), ServiceError> {
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::Holiday,
        subject_id: &day.to_string(),
        before,
        after,
    };
    audit_log::insert(tx, &entry, context.clock.now()).await?;
    Ok(())
}
