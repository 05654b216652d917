//! Rate limit extractors (generic cell rate algorithm, by `governor`). They use the portal's
//! clock, so that tests can move time.

use super::client_address;
use crate::{app::state::AppState, domain::error::ServiceError};
use axum::{extract::FromRequestParts, http::request::Parts};
use std::net::IpAddr;

/// The client's address, for a rate limit that applies to some callers only.
#[derive(Debug, Clone, Copy)]
pub struct CallerAddress(pub IpAddr);

impl FromRequestParts<AppState> for CallerAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Self::Rejection> {
        Ok(Self(client_address::of(parts)))
    }
}

/// Counts the request against the sign-in limit of the client's address. It must be a handler's
/// first argument, so that requests which other extractors reject are also counted.
#[derive(Debug, Clone, Copy)]
pub struct SignInLimit;

impl FromRequestParts<AppState> for SignInLimit {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ServiceError> {
        state.sign_in_limit.try_acquire(client_address::of(parts)).map(|()| Self)
    }
}
