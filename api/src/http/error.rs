//! Maps service errors to HTTP: the status and the body of a failure.

use crate::domain::{
    error::{FieldError, RefusalCode, ServiceError},
    locked_tender::LockedTender,
};
use axum::{
    Extension, Json,
    http::{StatusCode, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// When a client may repeat a call that was refused because the portal is busy.
pub(crate) const BUSY_RETRY_SECONDS: u64 = 5;

/// The body of every failed response of the API.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Failure)]
#[serde(rename_all = "camelCase")]
pub struct FailureBody {
    /// Always false.
    pub success: bool,
    /// A message for the user. For invalid fields, it is the message of the first error in
    /// `errors`.
    pub message: String,
    /// A machine-readable reason, if the user's plan or account is the cause.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<RefusalCode>,
    /// The lowest plan that permits the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// The visible part of a tender that is locked for the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tender: Option<LockedTender>,
    /// All invalid fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// The id of the request in the log. Quote it to support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl FailureBody {
    /// Creates a failure with a message only.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            success: false,
            message: message.into(),
            code: None,
            plan: None,
            tender: None,
            errors: Vec::new(),
            request_id: None,
        }
    }
}

/// Returns the HTTP status of an error.
#[must_use]
pub const fn status(error: &ServiceError) -> StatusCode {
    match error {
        ServiceError::Unreadable(_) => StatusCode::BAD_REQUEST,
        ServiceError::Unauthenticated(_) => StatusCode::UNAUTHORIZED,
        ServiceError::Forbidden(_) | ServiceError::Refused(_) => StatusCode::FORBIDDEN,
        ServiceError::NotFound(_) => StatusCode::NOT_FOUND,
        ServiceError::Conflict(_) => StatusCode::CONFLICT,
        ServiceError::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
        ServiceError::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
        ServiceError::RateLimited { .. } => StatusCode::TOO_MANY_REQUESTS,
        ServiceError::Busy(_) | ServiceError::Deadlock | ServiceError::Unavailable(_) => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        ServiceError::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl IntoResponse for ServiceError {
    fn into_response(self) -> Response {
        if let Self::Internal(error) = &self {
            tracing::error!(error = format!("{error:#}"), "a request failed");
        }
        let status = status(&self);
        let message = self.to_string();
        let retry_after = match &self {
            Self::RateLimited { retry_after_seconds } => Some(*retry_after_seconds),
            Self::Busy(_) | Self::Deadlock => Some(BUSY_RETRY_SECONDS),
            _ => None,
        };
        let mut body = FailureBody::new(message);
        match self {
            Self::Invalid(errors) => body.errors = errors,
            Self::Refused(refusal) => {
                body.code = Some(refusal.code);
                body.plan = refusal.plan.map(|plan| plan.to_string());
                body.tender = refusal.tender;
            }
            _ => {}
        }
        // The request log adds the request's id to this copy of the body.
        let mut response = (status, Extension(Arc::new(body.clone())), Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Returns the response to a failure that the HTTP layer itself detects.
pub(crate) fn failure_response(status: StatusCode, message: &str) -> Response {
    let body = FailureBody::new(message);
    (status, Extension(Arc::new(body.clone())), Json(body)).into_response()
}
