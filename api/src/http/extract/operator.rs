//! Operator tokens, which `ingest` sends as bearer tokens, and the sessions of administrators and
//! reviewers.

use super::{bearer, caller::CurrentUser, client_address};
use crate::{
    app::state::AppState,
    base::secret::secret_hash,
    domain::{
        audit::{Actor, ActorIdentity},
        error::ServiceError,
        operator_token::{TOKEN_PREFIX, TokenState},
        user::{Role, RoleNeed, User},
    },
    storage::operator_tokens,
};
use axum::{extract::FromRequestParts, http::request::Parts};
use jiff::Timestamp;
use scope::RequiredScope;
use std::marker::PhantomData;
use uuid::Uuid;

/// The scopes that extractors require, as types.
pub mod scope {
    use crate::domain::operator_token::TokenScope;

    /// A scope that a call requires of an operator token.
    pub trait RequiredScope: Send {
        /// The scope.
        const SCOPE: TokenScope;
        /// The message for a token without the scope.
        const MISSING: &str;
    }

    macro_rules! scopes {
        ($($(#[$doc:meta])* $scope:ident $message:literal;)*) => {$(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy)]
            pub struct $scope;

            impl RequiredScope for $scope {
                const SCOPE: TokenScope = TokenScope::$scope;
                const MISSING: &str = $message;
            }
        )*};
    }

    scopes! {
        /// Requires [`TokenScope::Publish`].
        Publish "This operator token lacks the scope `publish`";
        /// Requires [`TokenScope::Review`].
        Review "This operator token lacks the scope `review`";
        /// Requires [`TokenScope::Work`].
        Work "This operator token lacks the scope `work`";
        /// Requires [`TokenScope::Bounces`].
        Bounces "This operator token lacks the scope `bounces`";
        /// Requires [`TokenScope::Trace`].
        Trace "This operator token lacks the scope `trace`";
    }
}

/// A valid operator token with the scope `S`. A request without a valid token gets 401, and a token
/// without the scope gets 403.
#[derive(Debug, Clone, Copy)]
pub struct Operator<S> {
    /// The id of the token.
    pub token_id: Uuid,
    /// From when the token is refused. `None`: it does not expire.
    pub expires_at: Option<Timestamp>,
    scope: PhantomData<S>,
}

impl<S: RequiredScope> FromRequestParts<AppState> for Operator<S> {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        const REFUSED: ServiceError = ServiceError::Unauthenticated(
            "This call needs a valid operator token: make one with `api admin token create` and send it as a bearer token",
        );
        const EXPIRED: ServiceError = ServiceError::Unauthenticated(
            "This operator token has expired: make a new one with `api admin token create`",
        );
        const REVOKED: ServiceError = ServiceError::Unauthenticated(
            "This operator token was revoked: make a new one with `api admin token create`",
        );
        let token = bearer(&parts.headers).filter(|token| token.starts_with(TOKEN_PREFIX)).ok_or(REFUSED)?;
        let found =
            operator_tokens::find_and_mark_used(&state.db, &secret_hash(token), state.clock.now()).await?;
        let found = found.ok_or(REFUSED)?;
        match found.state {
            TokenState::Live => {}
            TokenState::Expired => return Err(EXPIRED),
            TokenState::Revoked => return Err(REVOKED),
        }
        if !found.scopes.contains(&S::SCOPE) {
            return Err(ServiceError::Forbidden(S::MISSING));
        }
        Ok(Self { token_id: found.id, expires_at: found.expires_at, scope: PhantomData })
    }
}

/// An administrator's session. A request without a session gets 401, and a session of another user
/// gets 403.
#[derive(Debug, Clone)]
pub struct Administrator {
    /// The administrator, for the audit log.
    pub actor: Actor,
}

/// A valid operator token with the scope `S`, or an administrator's session. A request with neither
/// gets 401. A token without the scope and a session of another user get 403.
#[derive(Debug, Clone, Copy)]
pub struct OperatorOrAdmin<S>(PhantomData<S>);

/// A valid operator token with the scope `review`, or the session of a reviewer or an administrator.
/// A request with neither gets 401. A token without the scope and a session of another user get 403.
#[derive(Debug, Clone)]
pub struct Reviewer {
    /// The caller, for the audit log.
    pub actor: Actor,
    /// The role of the caller. An operator token has the rights of a reviewer.
    pub role: Role,
}

impl FromRequestParts<AppState> for Administrator {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        let user = CurrentUser::from_request_parts(parts, state).await?;
        if user.role != Role::Admin {
            return Err(refusal(&user, |role| role == Role::Admin, ADMINISTRATORS_ONLY));
        }
        Ok(Self { actor: actor(ActorIdentity::User(user.id), parts) })
    }
}

impl<S: RequiredScope> FromRequestParts<AppState> for OperatorOrAdmin<S> {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        if has_session(parts) {
            Administrator::from_request_parts(parts, state).await?;
        } else {
            Operator::<S>::from_request_parts(parts, state).await?;
        }
        Ok(Self(PhantomData))
    }
}

impl FromRequestParts<AppState> for Reviewer {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        let (identity, role) = if has_session(parts) {
            let user = CurrentUser::from_request_parts(parts, state).await?;
            if !user.role.may_review() {
                return Err(refusal(&user, Role::may_review, REVIEWERS_ONLY));
            }
            (ActorIdentity::User(user.id), user.role)
        } else {
            let operator = Operator::<scope::Review>::from_request_parts(parts, state).await?;
            (ActorIdentity::Token(operator.token_id), Role::Reviewer)
        };
        Ok(Self { actor: actor(identity, parts), role })
    }
}

const ADMINISTRATORS_ONLY: ServiceError = ServiceError::Forbidden("Only an administrator may do this");

const REVIEWERS_ONLY: ServiceError =
    ServiceError::Forbidden("Only a reviewer or an administrator may do this");

/// Why a user may not do something. If the user's suspended role permits it, the error says how to
/// use that role.
fn refusal(user: &User, permits: impl Fn(Role) -> bool, otherwise: ServiceError) -> ServiceError {
    match user.suspended_role {
        Some(suspended) if permits(suspended.role) => ServiceError::Forbidden(match suspended.need {
            RoleNeed::SecondFactor => {
                "Your role needs a second factor. Set it up on your account page, or sign in with it"
            }
            RoleNeed::LongerPassword => {
                "Your role needs a password of at least 12 characters. Change it on your account page"
            }
        }),
        _ => otherwise,
    }
}

/// Whether the bearer token is not an operator token.
fn has_session(parts: &Parts) -> bool {
    bearer(&parts.headers).is_some_and(|token| !token.starts_with(TOKEN_PREFIX))
}

fn actor(identity: ActorIdentity, parts: &Parts) -> Actor {
    Actor { identity, address: Some(client_address::of(&parts.extensions)) }
}
