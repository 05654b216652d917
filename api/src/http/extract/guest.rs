//! Identifies the browser of a guest by a random id in a signed cookie. The id is used only to
//! count the tender details that the guest opens.

use crate::app::state::AppState;
use crate::http::cookie::{self, SetCookie};
use axum::http::HeaderMap;
use uuid::Uuid;

const COOKIE: &str = "guest";
/// The purpose that the signature is bound to.
const PURPOSE: &str = "guest";
/// One year, in seconds.
const COOKIE_LIFETIME: u32 = 365 * 24 * 3600;

/// A guest's browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    /// A random id.
    pub id: Uuid,
    /// Whether the browser has no valid cookie yet.
    pub is_new: bool,
}

impl Guest {
    /// Reads the guest from the request's cookie. Creates a new guest if the cookie is missing or
    /// invalid.
    #[must_use]
    pub fn of(headers: &HeaderMap, state: &AppState) -> Self {
        let known = cookie::values(headers, state, COOKIE).find_map(|value| {
            let (id, signature) = value.split_once('.')?;
            let id = Uuid::try_parse(id).ok()?;
            state.signing_key.verify(PURPOSE, id.as_bytes(), signature).then_some(id)
        });
        match known {
            Some(id) => Self { id, is_new: false },
            None => Self { id: Uuid::from_bytes(state.random.bytes()), is_new: true },
        }
    }

    /// Returns the header that sets the guest's cookie.
    #[must_use]
    pub fn cookie(self, state: &AppState) -> Option<SetCookie> {
        let signature = state.signing_key.sign(PURPOSE, self.id.as_bytes());
        cookie::set(state, COOKIE, &format!("{}.{signature}", self.id.simple()), "/api", COOKIE_LIFETIME)
    }
}
