//! The headers that every response carries: what a page of ours may load, and who may frame it.

use crate::app::state::AppState;
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// Scripts, fonts and calls from ourselves alone; images too, and those the page makes itself.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; \
    style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// The same with what Google's documentation of its sign-in asks for, and no more of Google.
const WITH_GOOGLE: &str = "default-src 'self'; script-src 'self' https://accounts.google.com/gsi/client; \
    connect-src 'self' https://accounts.google.com/gsi/; frame-src https://accounts.google.com/gsi/; \
    img-src 'self' data: blob:; style-src 'self' 'unsafe-inline' https://accounts.google.com/gsi/style; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// The middleware. A handler that sets one of them itself keeps its own.
pub async fn secure(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    // Google's window tells the page that opened it who signed in.
    let (content_security, opener) = match state.google {
        Some(_) => (WITH_GOOGLE, "same-origin-allow-popups"),
        None => (CONTENT_SECURITY_POLICY, "same-origin"),
    };
    let always: [(HeaderName, &'static str); 5] = [
        (header::CONTENT_SECURITY_POLICY, content_security),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), opener),
    ];
    for (name, value) in always {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

/// The middleware of `/api`: what it says belongs to its caller and its moment, unless a handler knows better.
pub async fn uncached(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
