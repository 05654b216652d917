//! [`ServiceError`]: every way a service can fail.

use crate::domain::{locked_tender::LockedTender, plan::PlanName};
use serde::Serialize;
use utoipa::ToSchema;

/// The error if nobody is signed in.
pub(crate) const NOT_SIGNED_IN: ServiceError =
    ServiceError::Unauthenticated("Unauthorized: please log in to continue");

/// Why a service call is refused or fails.
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The request cannot be parsed.
    #[error("{0}")]
    Unreadable(String),
    /// Nobody is signed in, or the credentials are wrong.
    #[error("{0}")]
    Unauthenticated(&'static str),
    /// The caller's role, scope or account does not permit the call.
    #[error("{0}")]
    Forbidden(&'static str),
    /// The plan or the state of the account does not permit the call.
    #[error("{}", .0.message)]
    Refused(Box<Refusal>),
    /// The requested object does not exist, or the caller may not see it.
    #[error("{0} not found")]
    NotFound(&'static str),
    /// The current state of the data does not permit the call.
    #[error("{0}")]
    Conflict(String),
    /// The request or a file is larger than permitted.
    #[error("{0}")]
    TooLarge(String),
    /// Invalid fields, in the order of the form. The first field's message becomes the response's
    /// message.
    #[error("{}", .0.first().map_or("Invalid request", |first| first.message.as_str()))]
    Invalid(Vec<FieldError>),
    /// The caller made too many calls.
    #[error("Too many requests. Please try again in {retry_after_seconds} seconds.")]
    RateLimited {
        /// Seconds until a call can succeed again.
        retry_after_seconds: u64,
    },
    /// The portal is overloaded, or its database is unreachable. The call may succeed soon.
    #[error("{0}")]
    Busy(&'static str),
    /// The database rolled the call back, because it and another call waited for each other.
    #[error("Something else was changed at the same moment. Please try again.")]
    Deadlock,
    /// A part of the portal or an external service is unavailable.
    #[error("{0}")]
    Unavailable(&'static str),
    /// A defect or an outage. The user sees only this message; the log has the cause.
    #[error("Something went wrong on our side. Nothing was changed; please try again.")]
    Internal(#[from] anyhow::Error),
}

impl ServiceError {
    /// The error if too many calls wait for the same resource.
    pub const BUSY: Self = Self::Busy("The portal is busy. Please try again in a moment.");
}

/// A refusal because of the user's plan or an unconfirmed e-mail address.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Why the call is refused.
    pub code: RefusalCode,
    /// The lowest plan that permits the call; `free` means an account without a subscription.
    /// `None`: no plan permits it, or the plan is not the reason.
    pub plan: Option<PlanName>,
    /// The message for the user.
    pub message: String,
    /// The visible part of the tender, if the call is refused because the tender is locked.
    pub tender: Option<LockedTender>,
}

impl Refusal {
    /// Creates a refusal for an account whose e-mail address is not confirmed.
    pub fn unverified(message: impl Into<String>) -> Self {
        Self { code: RefusalCode::Unverified, plan: None, message: message.into(), tender: None }
    }
}

impl From<Refusal> for ServiceError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(Box::new(refusal))
    }
}

/// Why a call is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RefusalCode {
    /// The plan does not include the function or the tender.
    Plan,
    /// The plan's allowance is used up.
    Quota,
    /// The tender is visible only to users of another plan.
    Visibility,
    /// The account's e-mail address is not confirmed.
    Unverified,
}

/// An invalid field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FieldError {
    /// The field's path in the request, such as `keywords[2].term`.
    pub field: String,
    /// The message for the user.
    pub message: String,
}

impl FieldError {
    /// Creates an error for a field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { field: field.into(), message: message.into() }
    }
}
