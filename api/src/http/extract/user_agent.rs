//! The `User-Agent` header of a request.

use crate::services::accounts::session::UserAgent;
use axum::{
    extract::FromRequestParts,
    http::{header, request::Parts},
};
use std::convert::Infallible;

impl<S: Send + Sync> FromRequestParts<S> for UserAgent {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::new(parts.headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok())))
    }
}
