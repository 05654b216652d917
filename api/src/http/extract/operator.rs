//! Operator tokens, which `ingest` sends as bearer tokens. `api admin token create` prints a new
//! token once.

use super::{caller::CurrentUser, client_address};
use crate::{
    app::state::AppState,
    base::random::Random,
    domain::{
        audit::{Actor, ActorIdentity},
        error::ServiceError,
        user::Role,
    },
    storage::operator_tokens,
};
use crate::{base::secret::secret_hash, http::extract::bearer};
use axum::{extract::FromRequestParts, http::request::Parts};
use uuid::Uuid;

/// The prefix of every operator token. It makes leaked tokens easy to recognise.
pub const PREFIX: &str = "operator_";

/// Generates an operator token.
#[must_use]
pub fn generate(random: &Random) -> String {
    format!("{PREFIX}{}", random.secret())
}

/// A valid operator token. A request without one gets 401.
#[derive(Debug, Clone, Copy)]
pub struct Operator {
    /// The id of the token.
    pub token_id: Uuid,
}

impl FromRequestParts<AppState> for Operator {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        const REFUSED: ServiceError = ServiceError::Unauthenticated(
            "This call needs a valid operator token: make one with `api admin token create` and send it as a bearer token",
        );
        let token = bearer(&parts.headers).filter(|token| token.starts_with(PREFIX)).ok_or(REFUSED)?;
        let found =
            operator_tokens::find_and_mark_used(&state.db, &secret_hash(token), state.clock.now()).await?;
        found.map(|token_id| Self { token_id }).ok_or(REFUSED)
    }
}

/// An administrator's session. A request without a session gets 401, and a session of another user
/// gets 403.
#[derive(Debug, Clone)]
pub struct Administrator {
    /// The administrator, for the audit log.
    pub actor: Actor,
}

/// A valid operator token or an administrator's session. A request with neither gets 401, and a
/// session of another user gets 403.
#[derive(Debug, Clone, Copy)]
pub struct OperatorOrAdmin;

/// A valid operator token, or the session of a reviewer or an administrator. A request with neither
/// gets 401, and a session of another user gets 403.
#[derive(Debug, Clone)]
pub struct Reviewer {
    /// The caller, for the audit log.
    pub actor: Actor,
}

impl FromRequestParts<AppState> for Administrator {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        let user = CurrentUser::from_request_parts(parts, state).await?;
        if user.role != Role::Admin {
            return Err(ADMINISTRATORS_ONLY);
        }
        Ok(Self { actor: actor(ActorIdentity::User(user.id), parts, state) })
    }
}

impl FromRequestParts<AppState> for OperatorOrAdmin {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        if has_session(parts) {
            return Administrator::from_request_parts(parts, state).await.map(|_| Self);
        }
        Operator::from_request_parts(parts, state).await.map(|_| Self)
    }
}

impl FromRequestParts<AppState> for Reviewer {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        let identity = if has_session(parts) {
            let user = CurrentUser::from_request_parts(parts, state).await?;
            if !user.role.may_review() {
                return Err(ServiceError::Forbidden("Only a reviewer or an administrator may do this"));
            }
            ActorIdentity::User(user.id)
        } else {
            ActorIdentity::Token(Operator::from_request_parts(parts, state).await?.token_id)
        };
        Ok(Self { actor: actor(identity, parts, state) })
    }
}

const ADMINISTRATORS_ONLY: ServiceError = ServiceError::Forbidden("Only an administrator may do this");

/// Whether the bearer token is not an operator token.
fn has_session(parts: &Parts) -> bool {
    bearer(&parts.headers).is_some_and(|token| !token.starts_with(PREFIX))
}

fn actor(identity: ActorIdentity, parts: &Parts, state: &AppState) -> Actor {
    Actor { identity, address: Some(client_address::of(parts, state.config.behind_proxy)) }
}
