//! The `Idempotency-Key` header. A repeated request with the same key has no further effect.

use crate::domain::error::{FieldError, ServiceError};
use axum::{extract::FromRequestParts, http::request::Parts};
use uuid::Uuid;

const HEADER: &str = "idempotency-key";

/// The client's idempotency key, if it sent one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdempotencyKey(pub Option<Uuid>);

impl<S: Send + Sync> FromRequestParts<S> for IdempotencyKey {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ServiceError> {
        let Some(value) = parts.headers.get(HEADER) else { return Ok(Self(None)) };
        let id = value.to_str().ok().and_then(|id| Uuid::try_parse(id).ok());
        id.map(|id| Self(Some(id))).ok_or_else(|| {
            let message = "The header Idempotency-Key is not a UUID";
            ServiceError::Invalid(vec![FieldError::new("Idempotency-Key", message)])
        })
    }
}
