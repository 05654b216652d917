//! Traces requests. A trace that began elsewhere is continued only if a trusted proxy forwarded the
//! request. Other clients could otherwise choose which requests are traced, and join their requests to
//! traces of others.

use super::request_metrics::{method_name, route_of};
use crate::{base::trace::trace_span, http::extract::client_address::ClientOrigin};
use axum::{extract::Request, middleware::Next, response::Response};
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_http::HeaderExtractor;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::{Instrument, field::Empty};
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The middleware.
pub async fn trace_requests(request: Request, next: Next) -> Response {
    let (method, route) = (method_name(request.method()), route_of(&request));
    let span = trace_span!(
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        http.request.method = method,
        http.route = &*route,
        http.response.status_code = Empty,
        otel.status_code = Empty,
    );
    if span.is_disabled() {
        return next.run(request).await;
    }
    if request.extensions().get::<ClientOrigin>().is_some_and(|origin| origin.is_forwarded) {
        let parent = TraceContextPropagator::new().extract(&HeaderExtractor(request.headers()));
        // It fails only if the span has begun.
        let _ = span.set_parent(parent);
    }
    let response = next.run(request).instrument(span.clone()).await;
    let status = response.status();
    span.record("http.response.status_code", status.as_u16());
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
    response
}
