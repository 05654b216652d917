//! The envelope of every success. Failures have theirs in [`crate::domain::error`].

use crate::domain::error::ServiceError;
use axum::{
    Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

/// What a handler returns.
pub type Answer<T> = Result<Envelope<T>, ServiceError>;

/// The body of every success.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Envelope<T> {
    /// Always true.
    pub success: bool,
    /// For people, where there is something to say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// The answer.
    pub data: T,
}

impl<T> Envelope<T> {
    /// The answer alone.
    pub const fn of(data: T) -> Self {
        Self { success: true, message: None, data }
    }

    /// The answer and a word to people.
    pub fn saying(message: impl Into<String>, data: T) -> Self {
        Self { success: true, message: Some(message.into()), data }
    }
}

impl<T: Serialize> IntoResponse for Envelope<T> {
    fn into_response(self) -> Response {
        (StatusCode::OK, Json(self)).into_response()
    }
}

/// An answer with nothing in it.
#[derive(Debug, Clone, Copy, Default, Serialize, ToSchema)]
pub struct Empty {}
