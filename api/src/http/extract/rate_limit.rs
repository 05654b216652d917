//! Limits by address or key: so many calls at once, refilled over a minute (a generic cell rate algorithm, by `governor`).
//! The time is the portal's clock, so that a test can move it.

use super::client_address;
use crate::{app::state::AppState, domain::error::ServiceError};
use axum::{extract::FromRequestParts, http::request::Parts};
use std::net::IpAddr;

/// The address that a call comes from, for a limit that only some of its callers count against.
#[derive(Debug, Clone, Copy)]
pub struct CallerAddress(pub IpAddr);

impl FromRequestParts<AppState> for CallerAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        Ok(Self(client_address::of(parts, state.config.behind_proxy)))
    }
}

/// Named by a handler as its first argument: the call counts against its address's allowance to sign in, whatever
/// becomes of it.
#[derive(Debug, Clone, Copy)]
pub struct SignInLimit;

impl FromRequestParts<AppState> for SignInLimit {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        state.sign_in_limit.count(client_address::of(parts, state.config.behind_proxy)).map(|()| Self)
    }
}
