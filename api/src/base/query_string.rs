//! Parses query strings.

use super::plain_errors;
use crate::domain::error::ServiceError;
use serde::de::DeserializeOwned;

/// The maximum length of a query string, in bytes.
const MAX_QUERY_LENGTH: usize = 4 * 1024;

/// Parses a query string. A parameter whose text ends with `=` is ignored, such as one with an
/// empty value.
///
/// # Errors
///
/// 400 if the query string is too long, 422 if it does not match `T`.
pub fn read_query<T: DeserializeOwned>(query: &str) -> Result<T, ServiceError> {
    if query.len() > MAX_QUERY_LENGTH {
        return Err(ServiceError::Unreadable(format!(
            "The query string may have at most {MAX_QUERY_LENGTH} bytes"
        )));
    }
    let given: Vec<&str> = query.split('&').filter(|pair| !pair.ends_with('=') && !pair.is_empty()).collect();
    let given = given.join("&");
    let pairs = serde_urlencoded::Deserializer::new(form_urlencoded::parse(given.as_bytes()));
    serde_path_to_error::deserialize(pairs).map_err(|error| {
        let (path, message) = (error.path().to_string(), error.inner().to_string());
        let mut error = plain_errors::field_error(&path, "query", &message);
        if error.message == message {
            error.message = format!("{}: {message}", error.field);
        }
        ServiceError::Invalid(vec![error])
    })
}
