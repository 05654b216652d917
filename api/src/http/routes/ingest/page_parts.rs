//! The parts of a request with the result of a page: a JSON document and the picture of the page.

use super::invalid;
use crate::{
    domain::{clip::MediaType, error::ServiceError},
    http::extract::input::too_large,
};
use axum::{
    extract::{
        Multipart,
        multipart::{Field, MultipartError, MultipartRejection},
    },
    http::StatusCode,
};
use serde::de::DeserializeOwned;

/// The maximum size of the result without the picture, in bytes.
const READING_LIMIT: usize = 1024 * 1024;
/// The maximum size of the picture, in bytes.
const PICTURE_LIMIT: usize = 4 * 1024 * 1024;
/// The maximum size of the whole request, in bytes.
pub(crate) const REQUEST_LIMIT: usize = READING_LIMIT + PICTURE_LIMIT + 64 * 1024;

/// Reads the JSON document in the part `name`, and the picture.
pub(super) async fn read_page_parts<T: DeserializeOwned>(
    form: Result<Multipart, MultipartRejection>,
    name: &'static str,
) -> Result<(T, Vec<u8>), ServiceError> {
    let mut form =
        form.map_err(|_| ServiceError::Unreadable("Expected a body of type multipart/form-data".into()))?;
    let (mut document, mut picture) = (None, None);
    while let Some(field) = form.next_field().await.map_err(multipart_error)? {
        let (part, limit, subject) = match field.name() {
            Some(given) if given == name => (&mut document, READING_LIMIT, "a result"),
            Some("picture") => (&mut picture, PICTURE_LIMIT, "a picture"),
            _ => {
                let message = format!("The form must have the parts {name} and picture, and no others");
                return Err(invalid("form", &message));
            }
        };
        if part.is_some() {
            return Err(invalid("form", &format!("The form must have one {name} and one picture")));
        }
        *part = Some(read_part(field, limit, subject).await?);
    }
    let document = document.ok_or_else(|| invalid(name, &format!("The form has no part called {name}")))?;
    let picture = picture.ok_or_else(|| invalid("picture", "The form has no part called picture"))?;
    let document = serde_json::from_slice(&document)
        .map_err(|error| invalid(name, &format!("The result is not valid: {error}")))?;
    if MediaType::sniff(&picture) != Some(MediaType::Jpeg) {
        return Err(invalid("picture", "The picture is not a JPEG image"));
    }
    Ok((document, picture))
}

async fn read_part(mut field: Field<'_>, limit: usize, subject: &str) -> Result<Vec<u8>, ServiceError> {
    let mut bytes = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(multipart_error)? {
        if bytes.len() + chunk.len() > limit {
            return Err(too_large(subject, limit));
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes)
}

fn multipart_error(error: MultipartError) -> ServiceError {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        too_large("a result with its picture", REQUEST_LIMIT)
    } else {
        ServiceError::Unreadable(format!("The body is not a multipart form: {}", error.body_text()))
    }
}
