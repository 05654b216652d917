//! Security headers of every response, such as the content security policy. API responses also get
//! a header that forbids caching.

use crate::app::state::AppState;
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// Only this origin may provide scripts, fonts and data. Images may also have `data:` and `blob:`
/// URLs, and styles may be inline.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; \
    style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// [`CONTENT_SECURITY_POLICY`] with the sources that Google's sign-in requires.
const CONTENT_SECURITY_POLICY_WITH_GOOGLE: &str = "default-src 'self'; script-src 'self' https://accounts.google.com/gsi/client; \
    connect-src 'self' https://accounts.google.com/gsi/; frame-src https://accounts.google.com/gsi/; \
    img-src 'self' data: blob:; style-src 'self' 'unsafe-inline' https://accounts.google.com/gsi/style; \
    object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/// The middleware. Headers that a handler has set are kept.
pub async fn add_security_headers(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    // Google's pop-up window sends the credential to the page that opened it.
    let (content_security, opener) = match state.google {
        Some(_) => (CONTENT_SECURITY_POLICY_WITH_GOOGLE, "same-origin-allow-popups"),
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

/// The middleware of `/api`: forbids caching unless the handler has set a policy.
pub async fn forbid_caching(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
