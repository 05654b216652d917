//! What an administrator does with the accounts of others. Each action and its entry in the audit
//! log are one transaction.

use super::{
    mailed_links::{self, Link},
    second_factors::proof_check,
    security_mails::{self, SecurityEvent},
};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::{FieldError, ServiceError},
        user::{Role, User},
        validation,
    },
    storage::{
        self, api_keys, audit_log, mailed_links as stored_links, second_factors, sessions, user_directory,
        users,
    },
};
use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

/// The maximum number of characters of the reason for a lock.
const MAX_REASON_LENGTH: usize = 500;

const UNKNOWN_USER: ServiceError = ServiceError::NotFound("User");

/// Locks an account, signs out all its sessions and revokes its mailed links. While it is locked, it
/// has no plan. A lock of a locked account replaces the reason.
///
/// # Errors
/// Invalid without a reason, 404 for an unknown user, and a conflict if the actor locks their own
/// account.
pub async fn lock_user(context: &Context, actor: &Actor, id: Uuid, reason: &str) -> Result<(), ServiceError> {
    let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("reason", message)]);
    let reason = validation::parse_line(reason, "Reason", MAX_REASON_LENGTH).map_err(invalid)?;
    if reason.is_empty() {
        return Err(invalid("Reason is required".into()));
    }
    refuse_self(actor, id, "You cannot lock your own account")?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    hold(&mut tx, actor, id).await?;
    let before = user_directory::find(&mut *tx, id, now).await?.ok_or(UNKNOWN_USER)?;
    user_directory::set_lock(&mut tx, id, Some((&reason, now))).await?;
    stored_links::revoke_all(&mut tx, id, now).await?;
    sessions::end_others(&mut tx, id, None, now).await?;
    let values = (json!({"reason": before.lock_reason}), json!({"reason": reason}));
    record(context, &mut tx, actor, AuditAction::LockUser, id, values).await?;
    tx.commit().await?;
    Ok(())
}

/// Unlocks an account.
///
/// # Errors
/// 404 for an unknown user.
pub async fn unlock_user(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    hold(&mut tx, actor, id).await?;
    let before = user_directory::find(&mut *tx, id, now).await?.ok_or(UNKNOWN_USER)?;
    if before.locked_at.is_some() {
        user_directory::set_lock(&mut tx, id, None).await?;
        // A session that was being renewed during the lock must not come back.
        sessions::end_others(&mut tx, id, None, now).await?;
        let values = (json!({"reason": before.lock_reason}), json!({"reason": null}));
        record(context, &mut tx, actor, AuditAction::UnlockUser, id, values).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Signs out all sessions of a user.
///
/// # Errors
/// 404 for an unknown user.
pub async fn end_sessions(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    hold(&mut tx, actor, id).await?;
    user_directory::find(&mut *tx, id, now).await?.ok_or(UNKNOWN_USER)?;
    let open = sessions::open_of_user(&mut *tx, id, now).await?.len();
    sessions::end_others(&mut tx, id, None, now).await?;
    if open > 0 {
        let values = (json!({"sessions": open}), json!({"sessions": 0}));
        record(context, &mut tx, actor, AuditAction::EndSessions, id, values).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Removes the second factors of a user who has lost them, and signs out all sessions. The user is
/// notified by mail.
///
/// # Errors
/// 404 for an unknown user, and a conflict for the actor's own account.
pub async fn reset_second_factors(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    refuse_self(actor, id, "Remove your own second factors on your account page")?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    hold(&mut tx, actor, id).await?;
    let user = users::by_id(&mut *tx, id, now).await?.ok_or(UNKNOWN_USER)?;
    if second_factors::remove_all(&mut tx, id).await? {
        sessions::end_others(&mut tx, id, None, now).await?;
        security_mails::seal(context, &mut tx, &user, SecurityEvent::SecondFactorsReset).await?;
        record(context, &mut tx, actor, AuditAction::ResetSecondFactors, id, (Value::Null, Value::Null))
            .await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Whether an administrator must prove who they are to give a user this role.
pub const fn role_needs_proof(role: Role) -> bool {
    role.may_review()
}

/// Gives a user another role, signs out all sessions of the user and deletes the API keys. There is
/// always an administrator, because nobody can change their own role.
///
/// The caller verifies the proof of [`role_needs_proof`]. `caller` is the actor as verified, and the session.
///
/// # Errors
/// 404 for an unknown user, and a conflict if the actor changes their own role or if the address of
/// a new reviewer or administrator is not confirmed. Also the errors of [`proof_check::hold_proved`].
pub async fn change_role(
    context: &Context,
    (actor, caller): (&Actor, (&User, Uuid)),
    id: Uuid,
    role: Role,
) -> Result<(), ServiceError> {
    refuse_self(actor, id, "You cannot change your own role")?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    hold(&mut tx, actor, id).await?;
    if role_needs_proof(role) {
        proof_check::hold_proved(context, &mut tx, caller).await?;
    }
    let before = user_directory::find(&mut *tx, id, now).await?.ok_or(UNKNOWN_USER)?;
    if before.role != role {
        if role.may_review() && !before.email_verified {
            return Err(ServiceError::Conflict("The address of this account is not confirmed".into()));
        }
        api_keys::remove_all(&mut *tx, id).await?;
        user_directory::set_role(&mut tx, id, role, now).await?;
        sessions::end_others(&mut tx, id, None, now).await?;
        let values = (json!({"role": before.role}), json!({"role": role}));
        record(context, &mut tx, actor, AuditAction::ChangeRole, id, values).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Mails the link that confirms the address of an account again.
///
/// # Errors
/// 404 for an unknown user, a conflict if the address is confirmed, and a rate limit after several
/// mails within an hour.
pub async fn resend_confirmation(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    let user = users::by_id(&mut *tx, id, context.clock.now()).await?.ok_or(UNKNOWN_USER)?;
    if user.email_verified {
        return Err(ServiceError::Conflict("The address of this account is confirmed already".into()));
    }
    if !mailed_links::send(context, &mut tx, &user, Link::Verify).await? {
        return Err(ServiceError::RateLimited { retry_after_seconds: 3600 });
    }
    record(context, &mut tx, actor, AuditAction::ResendConfirmation, id, (Value::Null, Value::Null)).await?;
    tx.commit().await?;
    Ok(())
}

/// Holds the rows of the user and of all administrators. Two administrators who lock each other at
/// the same time therefore act one after the other, and the second one is refused.
async fn hold(tx: &mut PgConnection, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let administrators = user_directory::hold_with_administrators(tx, id).await?;
    match actor.identity {
        ActorIdentity::User(actor) if administrators.contains(&actor) => Ok(()),
        _ => Err(ServiceError::Forbidden("Only an administrator may do this")),
    }
}

/// Refuses an action on the actor's own account.
fn refuse_self(actor: &Actor, id: Uuid, message: &str) -> Result<(), ServiceError> {
    if actor.identity == ActorIdentity::User(id) {
        return Err(ServiceError::Conflict(message.into()));
    }
    Ok(())
}

async fn record(
    context: &Context,
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    user: Uuid,
    (before, after): (Value, Value),
) -> Result<(), ServiceError> {
    let present = |value: Value| Some(value).filter(|value| !value.is_null());
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::User,
        subject_id: &user.to_string(),
        before: present(before),
        after: present(after),
    };
    audit_log::insert(tx, &entry, context.clock.now()).await?;
    Ok(())
}
