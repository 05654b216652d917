//! Reads and sets the portal's cookies. They are `HttpOnly` and limited to this host. With an https
//! public URL, their names begin with `__Secure-`, so that a browser accepts them only over TLS.

use crate::app::state::AppState;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The maximum number of cookies with one name that are read.
const MAX_COOKIES: usize = 4;

/// A `Set-Cookie` header.
pub type SetCookie = [(HeaderName, HeaderValue); 1];

/// The prefix of a cookie that browsers set only over TLS.
const SECURE_PREFIX: &str = "__Secure-";

/// Returns the values of the cookies with this name, at most [`MAX_COOKIES`].
pub(super) fn values<'a>(
    headers: &'a HeaderMap,
    state: &AppState,
    name: &'a str,
) -> impl Iterator<Item = &'a str> {
    let prefix = if is_encrypted(state) { SECURE_PREFIX } else { "" };
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = lines.flat_map(|line| line.split(';')).filter_map(move |cookie| {
        let (found, value) = cookie.trim().split_once('=')?;
        (found.strip_prefix(prefix)? == name).then_some(value)
    });
    cookies.take(MAX_COOKIES)
}

/// Returns the header that sets a cookie for a path, with a lifetime in seconds.
pub(super) fn set(state: &AppState, name: &str, value: &str, path: &str, seconds: u32) -> Option<SetCookie> {
    let (prefix, secure) = if is_encrypted(state) { (SECURE_PREFIX, "; Secure") } else { ("", "") };
    let cookie =
        format!("{prefix}{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    cookie.parse().ok().map(|value| [(header::SET_COOKIE, value)])
}

fn is_encrypted(state: &AppState) -> bool {
    state.config.base_url().starts_with("https:")
}
