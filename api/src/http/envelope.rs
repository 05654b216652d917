//! The response envelope of successful requests. For failures see [`crate::http::error`].

use crate::domain::error::ServiceError;
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// The result of a handler.
pub type ApiResult<T> = Result<Envelope<T>, ServiceError>;

/// The body of a successful JSON response.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Envelope<T> {
    /// True, except in `verifySession` while the payment is not confirmed.
    pub success: bool,
    /// A message for the user, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The payload.
    pub data: T,
}

impl<T> Envelope<T> {
    /// Wraps a payload without a message.
    pub const fn of(data: T) -> Self {
        Self { success: true, message: None, data }
    }

    /// Wraps a payload with a message for the user.
    pub fn with_message(message: impl Into<String>, data: T) -> Self {
        Self { success: true, message: Some(message.into()), data }
    }
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        (StatusCode::OK, Json(self)).into_response()
    }
}

/// An empty payload.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
#[schema(as = Empty)]
pub struct NoData {}
