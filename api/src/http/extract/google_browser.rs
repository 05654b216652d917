//! The browser that asks for nonces of sign-ins with Google, identified by a random secret in a cookie.

use crate::{
    app::state::AppState,
    http::cookie::{Cookie, SetCookie},
    services::accounts::google_nonce::GoogleBrowser,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use std::convert::Infallible;

/// The cookie is kept for a day, so that pages in several tabs share it.
const COOKIE: Cookie = Cookie { name: "google_sign_in", lifetime: 24 * 3600, former_path: None };
/// The length of a secret that the server has made.
const SECRET_LENGTH: usize = 43;

impl FromRequestParts<AppState> for GoogleBrowser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let values = COOKIE.values(&parts.headers, state).into_iter();
        Ok(Self(values.map(str::to_owned).find(|secret| secret.len() == SECRET_LENGTH)))
    }
}

/// Returns the headers that set the cookie with this secret.
pub(crate) fn remember_google_browser(headers: &HeaderMap, state: &AppState, secret: &str) -> SetCookie {
    COOKIE.set(headers, state, secret)
}
