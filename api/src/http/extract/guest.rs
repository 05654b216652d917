//! A browser of which nobody is signed in: a random id in a signed cookie, which says nothing of whose it is and serves only to
//! count the details that it opened.

use crate::app::state::AppState;
use crate::http::cookie::{self, SetCookie};
use axum::http::HeaderMap;
use uuid::Uuid;

const COOKIE: &str = "guest";
/// What the signature is for.
const PURPOSE: &str = "guest";
/// A year, in seconds.
const LIFE: u32 = 365 * 24 * 3600;

/// A guest's browser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Guest {
    /// Random.
    pub id: Uuid,
    /// It has no cookie yet.
    pub is_new: bool,
}

impl Guest {
    /// The guest that a request's cookie names; another, where it names none that we made.
    #[must_use]
    pub fn of(headers: &HeaderMap, state: &AppState) -> Self {
        let known = cookie::values(headers, COOKIE).find_map(|value| {
            let (id, signature) = value.split_once('.')?;
            let id = Uuid::try_parse(id).ok()?;
            state.signing_key.signed(PURPOSE, id.as_bytes(), signature).then_some(id)
        });
        match known {
            Some(id) => Self { id, is_new: false },
            None => Self { id: Uuid::from_bytes(state.random.bytes()), is_new: true },
        }
    }

    /// The header that lets the browser be known again.
    #[must_use]
    pub fn cookie(self, state: &AppState) -> Option<SetCookie> {
        let signature = state.signing_key.sign(PURPOSE, self.id.as_bytes());
        cookie::set(state, COOKIE, &format!("{}.{signature}", self.id.simple()), "/api", LIFE)
    }
}
