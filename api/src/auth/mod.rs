//! Who is calling: passwords, sessions (a short-lived signed access token and a rotated refresh token), operators'
//! tokens, and the extractors that handlers name in their arguments. What a caller may do by plan is read from the
//! database at each call, never from a token.

pub mod access_token;
pub mod api_key;
pub mod attempts;
mod caller;
pub mod cookie;
mod device;
mod google;
mod guest;
pub mod key;
pub mod mailed_link;
pub mod operator;
pub mod password;
pub mod person;
pub mod proof;
pub mod session;

pub use attempts::{Attempter, Attempts};
pub use caller::{Caller, CurrentUser, MaybeUser};
pub use device::Device;
pub use google::{Google, GoogleAccount};
pub use guest::Guest;
pub use key::SigningKey;
pub use operator::{Operator, OperatorOrAdmin};
pub use password::Passwords;

use sha2::{Digest, Sha256};

/// What is stored of a secret of 256 random bits: such a secret can't be guessed from its plain hash.
#[must_use]
pub fn secret_hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}

/// The token of an `Authorization: Bearer` header.
pub(crate) fn bearer(headers: &axum::http::HeaderMap) -> Option<&str> {
    let value = headers.get(axum::http::header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}
