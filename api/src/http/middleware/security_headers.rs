//! Security headers of every response, such as the content security policy. API responses also get
//! a header that forbids caching.

use crate::app::state::AppState;
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::Response,
};

/// Only this origin may provide scripts, styles, fonts and data. Images may also have `data:` and `blob:`
/// URLs.
const CONTENT_SECURITY_POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// [`CONTENT_SECURITY_POLICY`] with the sources that Google's sign-in requires.
const CONTENT_SECURITY_POLICY_WITH_GOOGLE: &str = "default-src 'self'; script-src 'self' https://accounts.google.com/gsi/client; \
    connect-src 'self' https://accounts.google.com/gsi/; frame-src https://accounts.google.com/gsi/; \
    img-src 'self' data: blob:; style-src 'self' https://accounts.google.com/gsi/style; \
    object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// The portal uses none of these functions of the browser.
const PERMISSIONS_POLICY: &str = "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), \
    hid=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()";

/// Browsers use TLS alone for a year. Other hosts of the domain are left to their operator.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";

/// The middleware. Headers that a handler has set are kept.
pub async fn add_security_headers(State(state): State<AppState>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    // Google's pop-up window sends the credential to the page that opened it.
    let (content_security, opener) = match state.google {
        Some(_) => (CONTENT_SECURITY_POLICY_WITH_GOOGLE, "same-origin-allow-popups"),
        None => (CONTENT_SECURITY_POLICY, "same-origin"),
    };
    let always: [(HeaderName, &'static str); 7] = [
        (header::CONTENT_SECURITY_POLICY, content_security),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "strict-origin-when-cross-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), opener),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS_POLICY),
    ];
    for (name, value) in always {
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    if state.config.base_url().starts_with("https://") {
        let value = HeaderValue::from_static(STRICT_TRANSPORT_SECURITY);
        response.headers_mut().insert(header::STRICT_TRANSPORT_SECURITY, value);
    }
    response
}

/// The middleware of `/api`, the health checks and the pages of one user. It forbids caching unless the
/// handler has set a policy.
pub async fn forbid_caching(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    response.headers_mut().entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
