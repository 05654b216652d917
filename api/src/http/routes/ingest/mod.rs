//! Routes for publishing and reviewing notices, which operators and `ingest` use.

pub(crate) mod gazetteer;
pub(crate) mod leases;
pub(crate) mod page_parts;
pub(crate) mod post_awards;
pub(crate) mod put_notice;
pub(crate) mod put_page;

use crate::domain::error::{FieldError, ServiceError};

/// Whether a key is valid: 32 lower-case hex digits.
fn is_key(key: &str) -> bool {
    key.len() == 32 && key.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}
