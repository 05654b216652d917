//! Creates and revokes operator tokens, for the command line and for administrators. Each action
//! and its entry in the audit log are one transaction.

use crate::{
    base::{clock::Clock, random::Random, secret::secret_hash},
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        error::{FieldError, ServiceError},
        operator_token::{MAX_LIFETIME_DAYS, OperatorToken, TOKEN_PREFIX, TokenRequest},
        validation,
    },
    storage::{self, audit_log, operator_tokens},
};
use jiff::SignedDuration;
use serde_json::{Value, json};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// The maximum number of characters of a name.
const MAX_NAME_LENGTH: usize = 100;

/// Creates a token and returns it with its secret. Only the hash of the secret is stored.
///
/// # Errors
/// Invalid without a name or a scope, or for a lifetime out of range.
pub async fn create(
    db: &PgPool,
    (clock, random): (&Clock, &Random),
    actor: &Actor,
    request: TokenRequest,
) -> Result<(OperatorToken, String), ServiceError> {
    let now = clock.now();
    let (name, lifetime) = validate(&request).map_err(ServiceError::Invalid)?;
    let token = OperatorToken {
        id: random.id(clock),
        name,
        scopes: request.scopes.into_iter().collect(),
        created_at: now,
        expires_at: lifetime.map(|lifetime| now.saturating_add(lifetime).unwrap_or(now)),
        last_used_at: None,
        revoked_at: None,
    };
    let secret = format!("{TOKEN_PREFIX}{}", random.secret());
    let mut tx = storage::begin(db).await?;
    operator_tokens::insert(&mut *tx, &token, &secret_hash(&secret)).await?;
    let scopes: Vec<&str> = token.scopes.iter().map(|scope| scope.as_str()).collect();
    let after = json!({"id": token.id, "scopes": scopes.join(", "), "expiresAt": token.expires_at});
    record(&mut tx, clock, actor, AuditAction::CreateToken, (&token.name, after)).await?;
    tx.commit().await?;
    Ok((token, secret))
}

fn validate(request: &TokenRequest) -> Result<(String, Option<SignedDuration>), Vec<FieldError>> {
    let mut errors = Vec::new();
    let name = match validation::parse_line(&request.name, "Name", MAX_NAME_LENGTH) {
        Ok(name) if name.is_empty() => Err("Name is required".to_owned()),
        name => name,
    };
    let name = name.unwrap_or_else(|message| {
        errors.push(FieldError::new("name", message));
        String::new()
    });
    if request.scopes.is_empty() {
        errors.push(FieldError::new("scopes", "Choose what the token may be used for"));
    }
    if request.lifetime_days.is_some_and(|days| !(1..=MAX_LIFETIME_DAYS).contains(&days)) {
        let message = format!("A token can expire after 1 to {MAX_LIFETIME_DAYS} days");
        errors.push(FieldError::new("expiresInDays", message));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok((name, request.lifetime_days.map(|days| SignedDuration::from_hours(24 * i64::from(days)))))
}

/// Revokes a token. A revoked token stays revoked.
///
/// # Errors
/// 404 for an unknown token.
pub async fn revoke(db: &PgPool, clock: &Clock, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let mut tx = storage::begin(db).await?;
    let token = operator_tokens::hold(&mut tx, id).await?.ok_or(ServiceError::NotFound("Operator token"))?;
    if token.revoked_at.is_none() {
        operator_tokens::revoke(&mut tx, id, clock.now()).await?;
        let after = json!({"id": id, "revoked": 1});
        record(&mut tx, clock, actor, AuditAction::RevokeTokens, (&token.name, after)).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Revokes the tokens with a name. Returns how many were not revoked before.
pub async fn revoke_named(
    db: &PgPool,
    clock: &Clock,
    actor: &Actor,
    name: &str,
) -> Result<u64, ServiceError> {
    let mut tx = storage::begin(db).await?;
    let revoked = operator_tokens::revoke_named(&mut tx, name, clock.now()).await?;
    if revoked > 0 {
        let after = json!({"revoked": revoked});
        record(&mut tx, clock, actor, AuditAction::RevokeTokens, (name, after)).await?;
    }
    tx.commit().await?;
    Ok(revoked)
}

async fn record(
    tx: &mut PgConnection,
    clock: &Clock,
    actor: &Actor,
    action: AuditAction,
    (name, after): (&str, Value),
) -> Result<(), sqlx::Error> {
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::Token,
        subject_id: name,
        before: None,
        after: Some(after),
    };
    audit_log::insert(tx, &entry, clock.now()).await
}
