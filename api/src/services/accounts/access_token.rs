//! Access tokens: JSON Web Tokens (RFC 7519) signed with HS256 and valid for an hour. A token names
//! only a user and a session. The role and the plan are read from the database for each request.

use crate::base::signing_key::SigningKey;
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// How long an access token is valid.
pub const LIFETIME: SignedDuration = SignedDuration::from_hours(1);
/// Distinguishes an access token from other tokens that the key signs.
const AUDIENCE: &str = "access";

/// The claims of an access token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessClaims {
    /// The user.
    pub user_id: Uuid,
    /// The session, which is the id of a family of refresh tokens.
    pub session: Uuid,
}

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: Uuid,
    sid: Uuid,
    aud: String,
    /// Seconds since 1970.
    iat: i64,
    /// Seconds since 1970.
    exp: i64,
}

/// Signs an access token.
pub fn issue(key: &SigningKey, access: AccessClaims, now: Timestamp) -> anyhow::Result<String> {
    let iat = now.as_second();
    let exp = iat.saturating_add(LIFETIME.as_secs());
    let claims = Claims { sub: access.user_id, sid: access.session, aud: AUDIENCE.to_owned(), iat, exp };
    Ok(jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &EncodingKey::from_secret(key.bytes()))?)
}

/// The claims of an access token, if the current key or an earlier one signed the token and the token
/// has not expired.
#[must_use]
pub fn read(key: &SigningKey, token: &str, now: Timestamp) -> Option<AccessClaims> {
    let mut validation = Validation::new(Algorithm::HS256);
    validation.set_audience(&[AUDIENCE]);
    // The library would use the machine's clock, but here the time is a parameter.
    validation.validate_exp = false;
    let decode =
        |key| jsonwebtoken::decode::<Claims>(token, &DecodingKey::from_secret(key), &validation).ok();
    let claims = key.all_bytes().find_map(decode)?.claims;
    (claims.exp > now.as_second()).then_some(AccessClaims { user_id: claims.sub, session: claims.sid })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(letter: &str) -> SigningKey {
        SigningKey::new(letter.repeat(40).into()).unwrap()
    }

    fn access() -> AccessClaims {
        AccessClaims { user_id: Uuid::from_u128(1), session: Uuid::from_u128(2) }
    }

    #[test]
    fn a_token_is_valid_for_an_hour_with_its_own_key() {
        let now: Timestamp = "2026-11-20T06:00:00Z".parse().unwrap();
        let token = issue(&key("a"), access(), now).unwrap();
        assert_eq!(read(&key("a"), &token, now + SignedDuration::from_mins(59)), Some(access()));
        assert_eq!(read(&key("a"), &token, now + SignedDuration::from_mins(60)), None);
        assert_eq!(read(&key("b"), &token, now), None);
    }

    #[test]
    fn other_algorithms_and_audiences_are_refused() {
        let now: Timestamp = "2026-11-20T06:00:00Z".parse().unwrap();
        let signing = EncodingKey::from_secret(key("a").bytes());
        let claims = |aud: &str| Claims {
            sub: Uuid::nil(),
            sid: Uuid::nil(),
            aud: aud.to_owned(),
            iat: now.as_second(),
            exp: now.as_second() + 60,
        };
        let other =
            jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims("unsubscribe"), &signing).unwrap();
        let longer =
            jsonwebtoken::encode(&Header::new(Algorithm::HS512), &claims("access"), &signing).unwrap();
        let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiIwIn0.";
        for token in ["", "x", "a.b.c", unsigned, &other, &longer] {
            assert_eq!(read(&key("a"), token, now), None, "{token}");
        }
    }
}
