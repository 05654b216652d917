//! Routes with which administrators manage undelivered messages and suppressed addresses.

pub(crate) mod list_dead;
pub(crate) mod retry;
pub(crate) mod suppressed;

use crate::domain::error::FieldError;

/// The maximum number of characters of a filter.
const MAX_FILTER_LENGTH: usize = 500;

/// Reads a part of an address or of a reason. `None`: it is blank.
fn read_filter(name: &str, text: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let text = text.map(str::trim).filter(|text| !text.is_empty())?;
    if text.chars().count() > MAX_FILTER_LENGTH {
        errors.push(FieldError::new(name, format!("{name}: at most {MAX_FILTER_LENGTH} characters")));
    }
    // A text in Postgres can't contain NUL.
    Some(text.replace('\0', ""))
}
