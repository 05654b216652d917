//! Sign-in with Google: verifies the signature, issuer, audience and times of ID tokens (OpenID
//! Connect Core 1.0, section 2). `keys.rs` fetches the issuer's keys.
//! [`crate::services::accounts::google_sign_in`] decides which account a token signs in.

pub(crate) mod keys;

use crate::{
    base::{clock::Clock, config::GoogleConfig},
    domain::error::ServiceError,
};
use jiff::SignedDuration;
use jsonwebtoken::{Algorithm, Validation};
use keys::{Keys, Unreachable};
use serde::Deserialize;

/// The maximum size of an ID token, in bytes. Google's tokens have about 1200 bytes.
const MAX_TOKEN_LENGTH: usize = 8 * 1024;
/// How far the issuer's clock may be ahead of ours.
const CLOCK_SKEW: SignedDuration = SignedDuration::from_mins(5);
/// The maximum age of a token that replaces a password.
const MAX_TOKEN_AGE: SignedDuration = SignedDuration::from_mins(5);
/// The error for every rejected token. Its message is always the same, so that it reveals nothing
/// to attackers.
pub const REFUSED: ServiceError =
    ServiceError::Unauthenticated("The sign-in with Google could not be verified. Please try again.");

/// Verifies ID tokens issued for this portal.
pub struct Google {
    client_id: String,
    issuers: Vec<String>,
    keys: Keys,
    clock: Clock,
}

/// The Google account that an ID token describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleAccount {
    /// Google's permanent id of the account.
    pub subject: String,
    /// The account's mail address.
    pub email: Option<String>,
    /// Whether Google has verified that the user owns the address.
    pub email_verified: bool,
    /// Whether Google hosts the verified address, so that the address currently belongs to the
    /// user.
    pub is_authoritative: bool,
    /// The given name, or the full name if the token has no given name.
    pub given_name: Option<String>,
    /// The family name.
    pub family_name: Option<String>,
    /// Whether the token was issued in the last five minutes.
    pub is_fresh: bool,
    /// The nonce of the page that asked for the token.
    pub nonce: Option<String>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    /// The audience. OpenID Connect permits a list of audiences, but such a token is rejected.
    aud: String,
    sub: String,
    /// When the token expires, in seconds since 1970.
    exp: i64,
    /// When the token was issued, in seconds since 1970.
    iat: i64,
    email: Option<String>,
    #[serde(default)]
    email_verified: bool,
    /// The Google Workspace domain.
    hd: Option<String>,
    name: Option<String>,
    given_name: Option<String>,
    family_name: Option<String>,
    nonce: Option<String>,
}

impl Google {
    /// Creates the verifier from the settings. `None`: no client id is set.
    pub fn new(config: &GoogleConfig, clock: &Clock) -> anyhow::Result<Option<Self>> {
        let Some(client_id) = config.client_id() else { return Ok(None) };
        let keys = Keys::new(config.google_keys_url.clone(), clock.clone())?;
        let issuers = config.google_issuers.clone();
        Ok(Some(Self { client_id: client_id.to_owned(), issuers, keys, clock: clock.clone() }))
    }

    /// Verifies an ID token, apart from its nonce.
    ///
    /// # Errors
    ///
    /// 401 if the token is invalid; 503 if the issuer's keys are unavailable.
    pub async fn verify(&self, credential: &str) -> Result<GoogleAccount, ServiceError> {
        if credential.len() > MAX_TOKEN_LENGTH {
            return Err(REFUSED);
        }
        let header = jsonwebtoken::decode_header(credential).map_err(|_| REFUSED)?;
        // Google signs with RS256. Accepting the token's own algorithm would allow forgery, for
        // example the public key as HMAC secret.
        let (Algorithm::RS256, Some(key_id)) = (header.alg, header.kid) else { return Err(REFUSED) };
        let key = self.keys.find(&key_id).await.map_err(|Unreachable| {
            ServiceError::Unavailable("Google cannot be reached at the moment. Please try again later.")
        })?;
        let mut validation = Validation::new(Algorithm::RS256);
        // `check_claims` checks the expiry against our clock and the audience against our
        // settings.
        validation.validate_exp = false;
        validation.validate_aud = false;
        let claims = jsonwebtoken::decode::<Claims>(credential, &key.ok_or(REFUSED)?, &validation);
        let claims = claims.map_err(|_| REFUSED)?.claims;
        self.check_claims(claims).ok_or(REFUSED)
    }

    fn check_claims(&self, claims: Claims) -> Option<GoogleAccount> {
        let now = self.clock.now().as_second();
        let is_ours = claims.aud == self.client_id && self.issuers.contains(&claims.iss);
        let is_current = claims.exp > now && claims.iat <= now.saturating_add(CLOCK_SKEW.as_secs());
        let is_subject = (1..=255).contains(&claims.sub.len()) && claims.sub.is_ascii();
        if !is_ours || !is_current || !is_subject {
            return None;
        }
        let is_authoritative = claims.email_verified
            && (claims.hd.is_some_and(|domain| !domain.is_empty())
                || claims.email.as_deref().is_some_and(is_gmail));
        Some(GoogleAccount {
            subject: claims.sub,
            email: claims.email,
            email_verified: claims.email_verified,
            is_authoritative,
            given_name: claims.given_name.or(claims.name),
            family_name: claims.family_name,
            nonce: claims.nonce,
            is_fresh: now.saturating_sub(claims.iat) <= MAX_TOKEN_AGE.as_secs(),
        })
    }
}

fn is_gmail(email: &str) -> bool {
    let domain = email.rsplit('@').next().unwrap_or_default();
    ["gmail.com", "googlemail.com"].iter().any(|own| domain.eq_ignore_ascii_case(own))
}
