//! Extractors of the caller: [`CurrentUser`] requires a valid session, [`MaybeUser`] also accepts
//! guests.

use crate::{
    app::state::AppState,
    domain::{
        error::{NOT_SIGNED_IN, ServiceError},
        user::User,
    },
};
use crate::{
    http::extract::bearer,
    services::accounts::{
        access_token::{self, AccessClaims},
        session,
    },
};
use axum::{extract::FromRequestParts, http::request::Parts};
use std::ops::Deref;
use uuid::Uuid;

/// A signed-in user, read from the database for this request, and the user's session.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The user with the current plan.
    pub user: User,
    /// The id of the session. For a request with an API key, this is the key's id, which matches no
    /// session.
    pub session: Uuid,
}

/// The signed-in user. A request without a valid session gets 401.
#[derive(Debug, Clone)]
pub struct CurrentUser(pub Caller);

/// The signed-in user, or a guest. A request with an invalid access token gets 401, so that the
/// browser renews the token.
#[derive(Debug, Clone)]
pub struct MaybeUser(pub Option<Caller>);

impl Deref for CurrentUser {
    type Target = User;

    fn deref(&self) -> &User {
        &self.0.user
    }
}

impl MaybeUser {
    /// Returns the signed-in user. `None`: the caller is a guest.
    #[must_use]
    pub fn user(&self) -> Option<&User> {
        self.0.as_ref().map(|caller| &caller.user)
    }
}

/// Adds the account of the caller to the log lines of the current request.
pub(crate) fn record_account(account: Uuid) {
    tracing::Span::current().record("account", tracing::field::display(account));
}

impl FromRequestParts<AppState> for CurrentUser {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        // The API key middleware has already authenticated the caller.
        if let Some(caller) = parts.extensions.get::<Caller>() {
            return Ok(Self(caller.clone()));
        }
        let token = bearer(&parts.headers).ok_or(NOT_SIGNED_IN)?;
        let now = state.clock.now();
        let AccessClaims { user_id, session } =
            access_token::read(&state.signing_key, token, now).ok_or(NOT_SIGNED_IN)?;
        let user = session::user_of(state, &state.db, user_id, session).await?.ok_or(NOT_SIGNED_IN)?;
        record_account(user.id);
        Ok(Self(Caller { user, session }))
    }
}

impl FromRequestParts<AppState> for MaybeUser {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        if !parts.headers.contains_key(axum::http::header::AUTHORIZATION) {
            return Ok(Self(None));
        }
        CurrentUser::from_request_parts(parts, state).await.map(|CurrentUser(caller)| Self(Some(caller)))
    }
}
