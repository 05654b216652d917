//! Gives each request an id. The id is sent in the `x-request-id` header and in failure bodies,
//! and each log line of the request contains it. Every failure under /api gets a translated JSON
//! body here, whether it comes from a handler, the router, a limit or a panic.

use crate::{
    app::state::AppState, base::i18n::messages, domain::error::ServiceError, http::error::FailureBody,
};
use axum::{
    Json,
    extract::{MatchedPath, Request, State},
    http::{HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{any::Any, sync::Arc, time::Instant};
use tender_model::vocabulary::Language;
use tracing::Instrument;

/// The header with the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The middleware. It logs the route template, not the path, because paths may contain secrets.
pub async fn log_requests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let id = state.random.id(&state.clock).to_string();
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let language = messages::preferred_language(request.headers());
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str).to_owned();
    let span = tracing::info_span!("request", id, %method, route);
    let started = Instant::now();
    let mut response = next.run(request).instrument(span.clone()).await;
    if path.starts_with("/api") && !response.status().is_success() {
        response = complete_failure(response, &method, &id, language);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    let status = response.status().as_u16();
    let duration_ms = started.elapsed().as_millis() as u64;
    span.in_scope(|| match status {
        // A component is unavailable, or the request took too long.
        503 => tracing::warn!(status, duration_ms, "answered"),
        500.. => tracing::error!(status, duration_ms, "answered"),
        _ => tracing::info!(status, duration_ms, "answered"),
    });
    response
}

/// Returns the response to a request whose handler panicked. The panic's message is logged but not
/// sent.
#[must_use]
pub fn panic_response(cause: Box<dyn Any + Send>) -> Response {
    let cause = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("unknown");
    ServiceError::Internal(anyhow::anyhow!("a handler panicked: {cause}")).into_response()
}

/// Adds the request's id to a failure and translates its messages. A failure without a
/// [`FailureBody`] gets a default message.
fn complete_failure(response: Response, method: &Method, id: &str, language: Language) -> Response {
    let status = response.status();
    if status.is_redirection() || status.is_informational() {
        return response;
    }
    let mut body = match response.extensions().get::<Arc<FailureBody>>() {
        Some(failure) => FailureBody::clone(failure),
        None => FailureBody::new(default_message(status, method)),
    };
    let messages =
        std::iter::once(&mut body.message).chain(body.errors.iter_mut().map(|error| &mut error.message));
    for message in messages {
        if let Some(words) = messages::translate(message, language) {
            *message = words;
        }
    }
    body.request_id = Some(id.to_owned());
    let mut headers = response.headers().clone();
    headers.remove(header::CONTENT_LENGTH);
    headers.remove(header::CONTENT_TYPE);
    let mut completed = (status, Json(body)).into_response();
    for (name, value) in &headers {
        completed.headers_mut().insert(name, value.clone());
    }
    completed
}

fn default_message(status: StatusCode, method: &Method) -> String {
    match status {
        StatusCode::NOT_FOUND => "There is nothing at this address".into(),
        StatusCode::METHOD_NOT_ALLOWED => {
            format!("This address does not support {method}; see the Allow header")
        }
        StatusCode::SERVICE_UNAVAILABLE => "The request took too long. Please try again.".into(),
        StatusCode::PAYLOAD_TOO_LARGE => "The request is too large".into(),
        status => status.canonical_reason().unwrap_or("The request failed").into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panic_response_has_the_request_id_but_not_the_panic_message() {
        let response = complete_failure(
            panic_response(Box::new("the key is hush")),
            &Method::GET,
            "0191",
            Language::English,
        );
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = futures::executor::block_on(axum::body::to_bytes(response.into_body(), 10_000)).unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!((&body["success"], &body["requestId"]), (&false.into(), &"0191".into()));
        assert!(!body.to_string().contains("hush"));
    }
}
