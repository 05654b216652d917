//! What administrators do with the names that the readers should know.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        error::{FieldError, ServiceError},
        gazetteer::{MAX_SPELLINGS, NameState, NamedThing, NewName, name_problem},
    },
    storage::{self, audit_log, gazetteer},
};
use serde_json::{Value, json};
use uuid::Uuid;

/// Adds a confirmed name. Returns its id.
///
/// # Errors
/// Invalid if the name cannot be in a gazetteer file, and a conflict if the portal has it already.
pub async fn add(context: &Context, actor: &Actor, name: NewName) -> Result<Uuid, ServiceError> {
    let name = checked(name)?;
    let (id, now) = (context.random.id(&context.clock), context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    if !gazetteer::insert_confirmed(&mut tx, id, &name, now).await? {
        return Err(already_known());
    }
    let entry = NewAuditEntry {
        actor,
        action: AuditAction::AddName,
        subject: AuditSubject::GazetteerName,
        subject_id: &id.to_string(),
        before: None,
        after: Some(audited(&name, NameState::Confirmed)),
    };
    audit_log::insert(&mut *tx, &entry, now).await?;
    tx.commit().await?;
    Ok(id)
}

/// Changes a name, and confirms or refuses it. A name stays an organisation or a town.
///
/// # Errors
/// 404 for an unknown name, invalid if the name cannot be in a gazetteer file, and a conflict if
/// another entry has the name.
pub async fn change(
    context: &Context,
    actor: &Actor,
    id: Uuid,
    name: NewName,
    state: NameState,
) -> Result<(), ServiceError> {
    let name = checked(name)?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    let known = gazetteer::lock(&mut tx, id).await?.ok_or(ServiceError::NotFound("Name"))?;
    let is_town = |thing: NamedThing| matches!(thing, NamedThing::Town { .. });
    if is_town(known.name.thing) != is_town(name.thing) {
        return Err(invalid("kind", "An organisation cannot become a town, nor a town an organisation"));
    }
    if gazetteer::is_taken(&mut tx, id, &name).await? {
        return Err(already_known());
    }
    if (&known.name, known.state) != (&name, state) {
        gazetteer::update(&mut tx, id, &name, state, now).await?;
        let entry = NewAuditEntry {
            actor,
            action: AuditAction::ChangeName,
            subject: AuditSubject::GazetteerName,
            subject_id: &id.to_string(),
            before: Some(audited(&known.name, known.state)),
            after: Some(audited(&name, state)),
        };
        audit_log::insert(&mut *tx, &entry, now).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// The name without blanks at its ends and without empty or repeated spellings.
fn checked(name: NewName) -> Result<NewName, ServiceError> {
    let NewName { name, spellings, thing } = name;
    let name = name.trim().to_owned();
    if let Some(problem) = name_problem(&name, thing) {
        return Err(invalid("name", problem));
    }
    let mut kept: Vec<String> = Vec::new();
    for spelling in spellings {
        let spelling = spelling.trim();
        if spelling.is_empty() || spelling == name || kept.iter().any(|known| known == spelling) {
            continue;
        }
        if let Some(problem) = name_problem(spelling, thing) {
            return Err(invalid("spellings", problem));
        }
        kept.push(spelling.to_owned());
    }
    if kept.len() > MAX_SPELLINGS {
        return Err(invalid("spellings", "A name has at most 20 other spellings"));
    }
    Ok(NewName { name, spellings: kept, thing })
}

fn already_known() -> ServiceError {
    ServiceError::Conflict("The gazetteer has this name already".into())
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}

fn audited(name: &NewName, state: NameState) -> Value {
    json!({"name": name.name, "spellings": name.spellings, "thing": name.thing, "state": state})
}
