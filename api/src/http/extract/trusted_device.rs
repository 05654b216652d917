//! A browser in which a user has registered or signed in with a password, identified by a signed
//! cookie. The browser has its own limit of login attempts. Failures of other clients in the same
//! network therefore don't lock the user out.

use crate::app::state::AppState;
use crate::http::cookie::{Cookie, SetCookie};
use axum::http::HeaderMap;
use uuid::Uuid;

const COOKIE: Cookie = Cookie { name: "device", lifetime: 365 * 24 * 3600, former_path: Some("/api/auth") };
/// The purpose that the signature is bound to.
const PURPOSE: &str = "device";

/// A browser in which a user has registered or signed in with a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrustedDevice {
    /// A random id.
    pub id: Uuid,
    /// The last user who registered or signed in with a password in this browser.
    pub user_id: Uuid,
}

impl TrustedDevice {
    /// Reads the device from the request's cookie, if the cookie is valid.
    #[must_use]
    pub fn of(headers: &HeaderMap, state: &AppState) -> Option<Self> {
        COOKIE.values(headers, state).into_iter().find_map(|value| {
            let mut parts = value.split('.');
            let (id, user_id, signature) = (parts.next()?, parts.next()?, parts.next()?);
            let device = Self { id: Uuid::try_parse(id).ok()?, user_id: Uuid::try_parse(user_id).ok()? };
            state.signing_key.verify(PURPOSE, &device.signed_bytes(), signature).then_some(device)
        })
    }

    /// Returns the headers that mark the browser as a trusted device of this user.
    pub fn remember(headers: &HeaderMap, user_id: Uuid, state: &AppState) -> SetCookie {
        let known = Self::of(headers, state).filter(|device| device.user_id == user_id);
        let device = known.unwrap_or_else(|| Self { id: Uuid::from_bytes(state.random.bytes()), user_id });
        let signature = state.signing_key.sign(PURPOSE, &device.signed_bytes());
        let value = format!("{}.{}.{signature}", device.id.simple(), user_id.simple());
        COOKIE.set(headers, state, &value)
    }

    fn signed_bytes(self) -> Vec<u8> {
        [self.id.into_bytes(), self.user_id.into_bytes()].concat()
    }
}
