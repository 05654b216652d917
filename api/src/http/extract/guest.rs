//! Identifies the browser of a guest by a random id in a signed cookie. The id is used only to
//! count the tender details that the guest opens.

use crate::app::state::AppState;
use crate::http::cookie::{Cookie, SetCookie};
use axum::http::HeaderMap;
use uuid::Uuid;

const COOKIE: Cookie = Cookie { name: "guest", lifetime: 365 * 24 * 3600, former_path: Some("/api") };
/// The purpose that the signature is bound to.
const PURPOSE: &str = "guest";

/// A guest's browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    /// A random id.
    pub id: Uuid,
    /// Whether the browser has no valid cookie yet, or one that an earlier version has set.
    pub needs_cookie: bool,
}

impl Guest {
    /// Reads the guest from the request's cookie. Creates a new guest if the cookie is missing or
    /// invalid.
    #[must_use]
    pub fn of(headers: &HeaderMap, state: &AppState) -> Self {
        let known = COOKIE.values(headers, state).into_iter().find_map(|value| {
            let (id, signature) = value.split_once('.')?;
            let id = Uuid::try_parse(id).ok()?;
            state.signing_key.verify(PURPOSE, id.as_bytes(), signature).then_some(id)
        });
        match known {
            Some(id) => Self { id, needs_cookie: !COOKIE.is_current(headers, state) },
            None => Self { id: Uuid::from_bytes(state.random.bytes()), needs_cookie: true },
        }
    }

    /// Returns the headers that set the guest's cookie. `None`: the browser has it.
    #[must_use]
    pub fn cookie(self, headers: &HeaderMap, state: &AppState) -> Option<SetCookie> {
        let signature = state.signing_key.sign(PURPOSE, self.id.as_bytes());
        let value = format!("{}.{signature}", self.id.simple());
        self.needs_cookie.then(|| COOKIE.set(headers, state, &value))
    }
}
