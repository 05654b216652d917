//! A browser in which a user has signed in with a password before, known by a signed cookie. It has an allowance of attempts of its
//! own, so that whoever fails at the user's password from the same network keeps nobody out but himself.

use crate::app::state::AppState;
use crate::http::cookie::{self, SetCookie};
use axum::http::HeaderMap;
use uuid::Uuid;

const COOKIE: &str = "device";
/// What the signature is for.
const PURPOSE: &str = "device";
/// A year, in seconds.
const LIFE: u32 = 365 * 24 * 3600;

/// A browser that a user has signed in with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// Random.
    pub id: Uuid,
    /// Whoever signed in with it last.
    pub user_id: Uuid,
}

impl Device {
    /// The device that a request's cookie names, where we made it.
    #[must_use]
    pub fn of(headers: &HeaderMap, state: &AppState) -> Option<Self> {
        cookie::values(headers, COOKIE).find_map(|value| {
            let mut parts = value.split('.');
            let (id, user_id, signature) = (parts.next()?, parts.next()?, parts.next()?);
            let device = Self { id: Uuid::try_parse(id).ok()?, user_id: Uuid::try_parse(user_id).ok()? };
            state.signing_key.signed(PURPOSE, &device.signed(), signature).then_some(device)
        })
    }

    /// The header that lets a browser be known again in which this user has just signed in.
    #[must_use]
    pub fn remember(headers: &HeaderMap, user_id: Uuid, state: &AppState) -> Option<SetCookie> {
        let known = Self::of(headers, state).filter(|device| device.user_id == user_id);
        let device = known.unwrap_or_else(|| Self { id: Uuid::from_bytes(state.random.bytes()), user_id });
        let signature = state.signing_key.sign(PURPOSE, &device.signed());
        let value = format!("{}.{}.{signature}", device.id.simple(), user_id.simple());
        cookie::set(state, COOKIE, &value, "/api/auth", LIFE)
    }

    fn signed(self) -> Vec<u8> {
        [self.id.into_bytes(), self.user_id.into_bytes()].concat()
    }
}
