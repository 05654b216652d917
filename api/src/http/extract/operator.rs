//! Operator tokens, which `ingest` sends as bearer tokens. `api admin token create` prints a new
//! token once.

use super::caller::CurrentUser;
use crate::{
    app::state::AppState,
    base::random::Random,
    domain::{error::ServiceError, user::Role},
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

/// A valid operator token or an administrator's session. A request with neither gets 401, and a
/// session of another user gets 403.
#[derive(Debug, Clone, Copy)]
pub struct OperatorOrAdmin;

impl FromRequestParts<AppState> for OperatorOrAdmin {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        let is_session = bearer(&parts.headers).is_some_and(|token| !token.starts_with(PREFIX));
        if !is_session {
            return Operator::from_request_parts(parts, state).await.map(|_| Self);
        }
        let user = CurrentUser::from_request_parts(parts, state).await?;
        if user.role == Role::Admin {
            Ok(Self)
        } else {
            Err(ServiceError::Forbidden("Only an administrator may do this"))
        }
    }
}
