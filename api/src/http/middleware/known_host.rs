//! Rejects requests that name no host or a foreign one. A portal with an https public URL answers only
//! under the host of that URL and under loopback addresses. Otherwise, a page of another name could be
//! made to show the portal, or be stored in a shared cache under that name.

use super::loopback_only::names_only;
use crate::{app::state::AppState, http::error::failure_response};
use axum::{
    extract::{Request, State},
    http::{StatusCode, Uri, Version, header::HOST},
    middleware::Next,
    response::Response,
};
use settings::transport::is_loopback_name;

/// The health checks, which service managers call under any name of the machine.
const HEALTH_CHECKS: [&str; 2] = ["/livez", "/readyz"];

/// The middleware. It responds with 400 to an HTTP/1.1 request without `Host` (RFC 9112, section 3.2), and
/// with 421 to a request that names another host than the public URL.
pub async fn require_known_host(State(state): State<AppState>, request: Request, next: Next) -> Response {
    if request.version() == Version::HTTP_11 && !request.headers().contains_key(HOST) {
        return failure_response(StatusCode::BAD_REQUEST, "The request has no Host header");
    }
    let base_url = state.config.base_url();
    let is_health_check = HEALTH_CHECKS.contains(&request.uri().path());
    if is_health_check || !base_url.starts_with("https://") {
        return next.run(request).await;
    }
    let public: Option<Uri> = base_url.parse().ok();
    let public = public.as_ref().and_then(Uri::host).unwrap_or_default();
    let is_known =
        |host: &str| host.trim_end_matches('.').eq_ignore_ascii_case(public) || is_loopback_name(host);
    if names_only(request.uri(), request.headers(), is_known) {
        next.run(request).await
    } else {
        failure_response(StatusCode::MISDIRECTED_REQUEST, "This portal has another address")
    }
}
