//! Extractors for request input. Unreadable input gets 400; invalid values get 422 with the
//! field's path.

use crate::base::plain_errors;
use crate::base::query_string::read_query;
use crate::domain::{
    error::{FieldError, ServiceError},
    validation,
};
use axum::{
    body::{Body as HttpBody, Bytes},
    extract::{FromRequest, FromRequestParts, Path, Request},
    http::{HeaderMap, header::CONTENT_TYPE, request::Parts},
};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use tender_model::vocabulary::Day;
use uuid::Uuid;

/// The maximum size of a JSON body, in bytes.
pub const JSON_LIMIT: usize = 256 * 1024;

/// A JSON body.
#[derive(Debug, Clone, Copy)]
pub struct Body<T>(pub T);

/// The query string. A parameter with an empty value counts as absent. `T` decides whether unknown
/// parameters are rejected.
#[derive(Debug, Clone, Copy)]
pub struct Query<T>(pub T);

/// The path's only parameter, a UUID.
#[derive(Debug, Clone, Copy)]
pub struct PathId(pub Uuid);

/// The path's only parameter: the id of a resource that is identified by a number.
#[derive(Debug, Clone, Copy)]
pub struct PathNumber(pub i64);

/// Two path parameters: the id of a resource, and the id of one of its parts.
#[derive(Debug, Clone, Copy)]
pub struct PathIds(pub Uuid, pub Uuid);

/// The path's only parameter, a day.
#[derive(Debug, Clone, Copy)]
pub struct PathDay(pub Day);

/// Two path parameters: the id of a resource, and a day.
#[derive(Debug, Clone, Copy)]
pub struct PathIdAndDay(pub Uuid, pub Day);

/// The path's only parameter, as text. Invalid UTF-8 becomes the empty text, which matches
/// nothing.
#[derive(Debug, Clone)]
pub struct PathName(pub String);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ServiceError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ServiceError> {
        let (parts, body) = request.into_parts();
        if !is_json(&parts.headers) {
            return Err(ServiceError::Unreadable(
                "Expected a JSON body with the header Content-Type: application/json".into(),
            ));
        }
        let bytes = read_up_to(body, JSON_LIMIT, "a JSON body").await?;
        from_json(&bytes).map(Self)
    }
}

/// Reads a JSON body that may be absent or empty.
pub async fn optional_json<T: DeserializeOwned + Default>(request: Request) -> Result<T, ServiceError> {
    let bytes = read_up_to(request.into_body(), JSON_LIMIT, "a JSON body").await?;
    if bytes.trim_ascii().is_empty() { Ok(T::default()) } else { from_json(&bytes) }
}

/// Reads a body of at most `limit` bytes.
///
/// # Errors
///
/// 413 if the body is longer, 400 if the connection fails before the end of the body.
pub async fn read_up_to(body: HttpBody, limit: usize, subject: &str) -> Result<Bytes, ServiceError> {
    match Limited::new(body, limit).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(too_large(subject, limit)),
        Err(_) => Err(ServiceError::Unreadable(
            "The connection closed before the whole request was received".into(),
        )),
    }
}

/// Returns a 413 error with the limit in its message.
pub(crate) fn too_large(subject: &str, limit: usize) -> ServiceError {
    ServiceError::TooLarge(format!("Too large: {subject} may have at most {} KiB", limit / 1024))
}

fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, ServiceError> {
    let mut json = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if !inner.is_data() {
            return invalid_json(&inner);
        }
        // Drop serde_json's " at line 1 column 9", which does not help users.
        let text = inner.to_string();
        let text = text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text);
        ServiceError::Invalid(vec![plain_errors::field_error(&path, "body", text)])
    })?;
    json.end().map_err(|error| invalid_json(&error))?;
    Ok(value)
}

fn invalid_json(error: &serde_json::Error) -> ServiceError {
    let (line, column) = (error.line(), error.column());
    ServiceError::Unreadable(format!("The body is not valid JSON: line {line}, column {column}"))
}

fn is_json(headers: &HeaderMap) -> bool {
    let Some(value) = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()) else { return false };
    let essence = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    essence == "application/json" || (essence.starts_with("application/") && essence.ends_with("+json"))
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ServiceError> {
        read_query(parts.uri.query().unwrap_or_default()).map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathName {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Self::Rejection> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        Ok(Self(name.map(|Path(name)| name).unwrap_or_default()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathId {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        let Ok(PathName(text)) = PathName::from_request_parts(parts, state).await;
        Uuid::try_parse(&text).map(Self).map_err(|_| invalid_uuid())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathNumber {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        let Ok(PathName(text)) = PathName::from_request_parts(parts, state).await;
        text.parse().map(Self).map_err(|_| {
            ServiceError::Invalid(vec![FieldError::new("id", "The id in the address is not a number")])
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathIds {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        let texts = Path::<(String, String)>::from_request_parts(parts, state).await;
        let ids = texts.ok().and_then(|Path((whole, part))| {
            Some(Self(Uuid::try_parse(&whole).ok()?, Uuid::try_parse(&part).ok()?))
        });
        ids.ok_or_else(invalid_uuid)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathDay {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        let Ok(PathName(text)) = PathName::from_request_parts(parts, state).await;
        read_day(&text).map(Self)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PathIdAndDay {
    type Rejection = ServiceError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ServiceError> {
        let texts = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Ok(Path((id, day))) = texts else { return Err(invalid_uuid()) };
        Ok(Self(Uuid::try_parse(&id).map_err(|_| invalid_uuid())?, read_day(&day)?))
    }
}

fn read_day(text: &str) -> Result<Day, ServiceError> {
    validation::parse_day(text)
        .map_err(|message| ServiceError::Invalid(vec![FieldError::new("day", message)]))
}

fn invalid_uuid() -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new("id", "The id in the address is not valid")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Form {
        #[expect(dead_code)]
        keywords: Vec<Keyword>,
    }

    #[derive(Debug, Deserialize)]
    struct Keyword {
        #[expect(dead_code)]
        term: String,
    }

    #[test]
    fn error_of_a_wrong_type_names_the_path() {
        let error = from_json::<Form>(br#"{"keywords":[{"term":"a"},{"term":7}]}"#).unwrap_err();
        let ServiceError::Invalid(errors) = error else { panic!("{error:?}") };
        assert_eq!(errors[0].field, "keywords[1].term");
        assert_eq!(errors[0].message, "keywords[1].term must be text");
    }

    #[test]
    fn invalid_json_is_rejected() {
        for body in ["", "{", "{}x", "\u{0}", "{\"keywords\":[]}{}", &"[".repeat(10_000)] {
            let error = from_json::<Form>(body.as_bytes()).unwrap_err();
            assert!(matches!(error, ServiceError::Unreadable(_) | ServiceError::Invalid(_)), "{error:?}");
        }
    }
}
