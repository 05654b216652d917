//! [`ServiceError`]: every way a service can fail.

use crate::domain::{locked_tender::LockedTender, plan::PlanName};
use serde::Serialize;
use utoipa::ToSchema;

/// Nobody is signed in.
pub(crate) const SIGN_IN: ServiceError =
    ServiceError::Unauthenticated("Unauthorized: please log in to continue");

/// Why a service refuses a call or fails.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The request cannot be parsed.
    #[error("{0}")]
    Unreadable(String),
    /// Nobody is signed in, or the credentials are wrong.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// Signed in, but not allowed by role.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The plan or the account does not permit it.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// It does not exist, or the caller may not see it.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The current state does not permit it.
    #[error("{0}")]
    Conflict(String),
    /// Larger than permitted.
    #[error("{0}")]
    TooLarge(String),
    /// Invalid fields, in the order of the form. The message of the first is that of the response.
    #[error("{}", .0.first().map_or("Invalid request", |first| first.message.as_str()))]
    Invalid(Vec<FieldError>),
    /// Too many calls.
    #[error("Too many requests. Please try again in {retry_after_seconds} seconds.")]
    RateLimited {
        /// Seconds until a call may succeed again.
        retry_after_seconds: u64,
    },
    /// A part of the portal or an external service is unavailable.
    #[error("{0}")]
    Unavailable(&'static str),
    /// A defect or an outage. The user sees only this message; the log has the cause.
    #[error("Something went wrong on our side. Nothing was changed; please try again.")]
    Internal(#[from] anyhow::Error),
}

/// A refusal that another plan or a confirmed account would lift.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// What is wanting.
    pub code: RefusalCode,
    /// The lowest plan that lifts it; `free` is an account without a subscription. `None`: no plan.
    pub plan: Option<PlanName>,
    /// For people.
    pub message: String,
    /// What the caller may see of a locked tender.
    pub tender: Option<LockedTender>,
}

impl Refusal {
    /// For an account whose e-mail address is not confirmed.
    pub fn unverified(message: impl Into<String>) -> Self {
        Self { code: RefusalCode::Unverified, plan: None, message: message.into(), tender: None }
    }
}

impl From<Refusal> for ServiceError {
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
