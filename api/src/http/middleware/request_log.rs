//! Gives each request an id, or keeps the one of a trusted proxy. The id is sent in the `x-request-id`
//! header and in failure bodies, and each log line of the request contains it. Each line also contains
//! the client's truncated address, and the account of a signed-in user. Every failure under /api gets a
//! translated JSON body here, whether it comes from a handler, the router, a limit or a panic.

use crate::{
    app::state::AppState,
    base::i18n::messages,
    domain::error::ServiceError,
    http::{error::FailureBody, extract::client_address::ClientOrigin},
};
use axum::{
    Json,
    extract::{MatchedPath, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::{
    any::Any,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::Arc,
    time::Instant,
};
use tender_model::vocabulary::Language;
use tracing::Instrument;

/// The header with the request's id.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The middleware. It logs the route template, not the path, because paths may contain secrets.
pub async fn log_requests(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let origin = request.extensions().get::<ClientOrigin>().copied();
    let id = origin.filter(|origin| origin.is_forwarded).and_then(|_| forwarded_id(request.headers()));
    let id = id.unwrap_or_else(|| state.random.id(&state.clock).to_string());
    let (method, path) = (request.method().clone(), request.uri().path().to_owned());
    let language = messages::preferred_language(request.headers());
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str).to_owned();
    let client = origin.map(|origin| tracing::field::display(truncated(origin.address)));
    let span = tracing::info_span!("request", id, %method, route, client, account = tracing::field::Empty);
    let is_probe = matches!(path.as_str(), "/livez" | "/readyz");
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
        // Service managers probe every few seconds.
        _ if is_probe => tracing::debug!(status, duration_ms, "answered"),
        _ => tracing::info!(status, duration_ms, "answered"),
    });
    response
}

/// The maximum length of an id that a proxy has chosen.
const MAX_ID_LENGTH: usize = 64;

/// Returns the id that a proxy has given to the request, if it is fit for logs and JSON.
fn forwarded_id(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(REQUEST_ID)?.to_str().ok()?;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let is_valid = (1..=MAX_ID_LENGTH).contains(&id.len()) && id.chars().all(is_plain);
    is_valid.then(|| id.to_owned())
}

/// Returns the network for the log, which does not identify a client: an IPv4 /24 or an IPv6 /48.
fn truncated(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6(Ipv6Addr::from_bits(v6.to_bits() & (u128::MAX << 80))),
        IpAddr::V4(v4) => IpAddr::V4(Ipv4Addr::from_bits(v4.to_bits() & (u32::MAX << 8))),
    }
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

    #[test]
    fn logged_address_is_truncated() {
        for (address, expected) in [
            ("203.0.113.77", "203.0.113.0"),
            ("::ffff:203.0.113.77", "203.0.113.0"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ] {
            let expected: IpAddr = expected.parse().unwrap();
            assert_eq!(truncated(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn id_of_a_proxy_is_kept_if_it_is_plain() {
        let kept = |value: &str| {
            let headers = HeaderMap::from_iter([(REQUEST_ID, value.parse().unwrap())]);
            forwarded_id(&headers)
        };
        for valid in ["0191", "req-1_2.3", &"a".repeat(64)] {
            assert_eq!(kept(valid).as_deref(), Some(valid));
        }
        for invalid in ["", "a b", "<script>", "a\"b", &"a".repeat(65)] {
            assert_eq!(kept(invalid), None, "{invalid}");
        }
    }
}
