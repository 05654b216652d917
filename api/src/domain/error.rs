//! [`ApiError`]: every way a call can fail, and how it is told. A failure of the portal tells the user nothing and the log
//! everything; a mistake of the caller is named field by field.

use crate::domain::locked_tender::LockedTender;
use axum::{
    Extension, Json,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::sync::Arc;
use utoipa::ToSchema;

/// Nobody is signed in.
pub(crate) const SIGN_IN: ApiError = ApiError::Unauthorized("Unauthorized: please log in to continue");

/// A call's failure.
#[derive(Debug, thiserror::Error)]
pub enum ApiError {
    /// 400: the request can't be read at all.
    #[error("{0}")]
    BadRequest(String),
    /// 401: nobody is signed in, or the credentials are wrong.
    #[error("{0}")]
    Unauthorized(&'static str),
    /// 403: signed in, but not allowed by role.
    #[error("{0}")]
    Forbidden(&'static str),
    /// 403: signed in or not, a plan or an account is wanting.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// 404: there is no such thing, or the caller may not know of it.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// 409: the state of things forbids it.
    #[error("{0}")]
    Conflict(String),
    /// 413: larger than this call takes.
    #[error("{0}")]
    TooLarge(String),
    /// 416: a part of a file that it does not have.
    #[error("The file has no such part")]
    NoSuchRange,
    /// 421: the request is for a host that this portal is not.
    #[error("This demonstration answers only at an address of its own machine, such as http://localhost")]
    Misdirected,
    /// 422: fields that do not fit, in the specification's order; the first one's message is the call's.
    #[error("{}", .0.first().map_or("Invalid request", |first| first.message.as_str()))]
    Invalid(Vec<FieldError>),
    /// 429: too many requests.
    #[error("Too many requests. Please try again in {retry_after_seconds} seconds.")]
    TooManyRequests {
        /// After which a call may succeed again.
        retry_after_seconds: u64,
    },
    /// 503: a part the call needs is not there at the moment.
    #[error("{0}")]
    Unavailable(&'static str),
    /// 500: a defect or a broken part; the reader sees no more than that.
    #[error("Something went wrong on our side. Nothing was changed; please try again.")]
    Internal(#[from] anyhow::Error),
}

/// A refusal that a plan or an account would lift.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// What is wanting.
    pub code: RefusalCode,
    /// The lowest plan that lifts it; `free` is an account without a subscription. `None` where no plan does.
    pub plan: Option<String>,
    /// For people.
    pub message: String,
    /// What may be known of a tender that is locked.
    pub tender: Option<LockedTender>,
}

impl Refusal {
    /// For an account whose e-mail address is not confirmed.
    pub fn unverified(message: impl Into<String>) -> Self {
        Self { code: RefusalCode::Unverified, plan: None, message: message.into(), tender: None }
    }
}

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

/// What is wanting, where a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefusalCode {
    /// The plan does not permit it at all.
    Plan,
    /// What the plan permits in a period is used up.
    Quota,
    /// The tender is for readers of another plan.
    Visibility,
    /// The account's e-mail address is not confirmed.
    Unverified,
}

/// One field that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// Path in the request's JSON: `keywords[2].term`.
    pub field: String,
    /// For people.
    pub message: String,
}

impl FieldError {
    /// A field and what is wrong with it.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}

/// The body of every failure.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Failure)]
#[serde(rename_all = "camelCase")]
pub struct FailureBody {
    /// Always false.
    pub success: bool,
    /// For people: the first failure in the specification's order.
    pub message: String,
    /// For programs, where a plan or an account would open what is refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<RefusalCode>,
    /// The lowest plan that would open it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// What may be known of a tender that is locked to the caller.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tender: Option<LockedTender>,
    /// Every field that does not fit.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<FieldError>,
    /// Names the request in the log; tell it to support.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
}

impl FailureBody {
    /// A failure that says only this.
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

impl ApiError {
    /// The HTTP status it is told with.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::Forbidden(_) | Self::Refused(_) => StatusCode::FORBIDDEN,
            Self::NotFound(_) => StatusCode::NOT_FOUND,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::TooLarge(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Self::NoSuchRange => StatusCode::RANGE_NOT_SATISFIABLE,
            Self::Misdirected => StatusCode::MISDIRECTED_REQUEST,
            Self::Invalid(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::TooManyRequests { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Whether it and another transaction waited for each other, and Postgres ended this one: nothing has happened, and trying again helps.
    #[must_use]
    pub fn is_deadlock(&self) -> bool {
        let Self::Internal(error) = self else { return false };
        let code =
            error.chain().find_map(|cause| cause.downcast_ref::<sqlx::Error>()?.as_database_error()?.code());
        code.as_deref() == Some("40P01")
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed | sqlx::Error::Io(_) => {
                tracing::error!(%error, "the database cannot be reached");
                Self::Unavailable("The portal cannot reach its database. Please try again in a moment.")
            }
            // It was deleted while the call was under way.
            sqlx::Error::Database(error)
                if error.is_foreign_key_violation() && error.constraint().is_some_and(names_the_caller) =>
            {
                SIGN_IN
            }
            error => Self::Internal(error.into()),
        }
    }
}

/// Whether a constraint ties a row to the account of whoever made it.
fn names_the_caller(constraint: &str) -> bool {
    constraint.ends_with("_user_id_fkey") || constraint == "tender_owner_id_fkey"
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        if let Self::Internal(error) = &self {
            tracing::error!(error = format!("{error:#}"), "a request failed");
        }
        let status = self.status();
        let message = self.to_string();
        let retry_after = match &self {
            Self::TooManyRequests { retry_after_seconds } => Some(retry_after_seconds.to_string()),
            _ => None,
        };
        let mut body = FailureBody::new(message);
        match self {
            Self::Invalid(errors) => body.errors = errors,
            Self::Refused(refusal) => {
                body.code = Some(refusal.code);
                body.plan = refusal.plan;
                body.tender = refusal.tender;
            }
            _ => {}
        }
        // Kept beside the body, so that the request's id can be written into it on the way out.
        let mut response = (status, Extension(Arc::new(body.clone())), Json(body)).into_response();
        if let Some(value) = retry_after.and_then(|seconds| seconds.parse().ok()) {
            response.headers_mut().insert(axum::http::header::RETRY_AFTER, value);
        }
        response
    }
}
