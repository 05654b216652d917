//! Cookies of ours: read by name, set for this portal alone and out of scripts' reach.

use crate::app::state::AppState;
use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The most cookies of one name that are looked at.
const MOST: usize = 4;

/// A header that sets a cookie.
pub type SetCookie = [(HeaderName, HeaderValue); 1];

/// The values of the cookies of this name.
pub(super) fn values<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let cookies = lines.flat_map(|line| line.split(';')).filter_map(move |cookie| {
        let (found, value) = cookie.trim().split_once('=')?;
        (found == name).then_some(value)
    });
    cookies.take(MOST)
}

/// Sets a cookie for the calls below a path, for so many seconds.
pub(super) fn set(state: &AppState, name: &str, value: &str, path: &str, seconds: u32) -> Option<SetCookie> {
    let secure = if state.config.base_url().starts_with("https:") { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    cookie.parse().ok().map(|value| [(header::SET_COOKIE, value)])
}
