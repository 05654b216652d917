//! Coverage: which issues of the expected newspapers were read, and which are missing.

pub(crate) mod absences;
pub(crate) mod gaps;
pub(crate) mod holidays;
pub(crate) mod overview;
pub(crate) mod papers;

use crate::domain::error::{FieldError, ServiceError};

const UNKNOWN_PAPER: ServiceError = ServiceError::NotFound("Newspaper");

fn invalid(field: &str, message: impl Into<String>) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message.into())])
}
