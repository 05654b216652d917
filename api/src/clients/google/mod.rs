//! Sign-in with Google: what an ID token (OpenID Connect Core 1.0, section 2) says, once its signature, its issuer, whom it was
//! issued for and its time have been checked. The issuer's keys are `keys.rs`; what a sign-in does to accounts is [`crate::services::accounts::google_sign_in`].

pub mod keys;

use crate::{
    base::{clock::Clock, config::GoogleConfig},
    domain::error::{FieldError, ServiceError},
};
use jiff::SignedDuration;
use jsonwebtoken::{Algorithm, Validation};
use keys::{Keys, Unreachable};
use serde::Deserialize;

/// The most bytes of an ID token; Google's have about 1200.
const LONGEST: usize = 8 * 1024;
/// How far the issuer's clock may be ahead of ours.
const SKEW: SignedDuration = SignedDuration::from_mins(5);
/// How old a credential may be that stands in for a password.
const FRESH: SignedDuration = SignedDuration::from_mins(5);
/// One word for every credential that is not taken: whoever forged it learns nothing.
const REFUSED: ServiceError =
    ServiceError::Unauthenticated("The sign-in with Google could not be verified. Please try again.");

/// Verifies ID tokens that were issued for this portal.
pub struct Google {
    client_id: String,
    issuers: Vec<String>,
    keys: Keys,
    clock: Clock,
}

/// Who signed in at Google.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoogleAccount {
    /// Google's own name for the account, for ever.
    pub subject: String,
    /// Its address, as Google tells it.
    pub email: Option<String>,
    /// The account's holder has shown Google that the address is theirs.
    pub email_verified: bool,
    /// Google itself runs the address's mailbox or its domain's accounts, so that the address is the holder's at this moment.
    pub is_authoritative: bool,
    /// Given name.
    pub given_name: Option<String>,
    /// Family name.
    pub family_name: Option<String>,
    /// Issued within the last minutes.
    pub is_fresh: bool,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    /// OpenID Connect permits a list; one that names others beside us was not issued for us alone.
    aud: String,
    sub: String,
    /// Seconds since 1970.
    exp: i64,
    /// Seconds since 1970.
    iat: i64,
    email: Option<String>,
    #[serde(default)]
    email_verified: bool,
    /// The domain whose accounts Google runs for its owner.
    hd: Option<String>,
    name: Option<String>,
    given_name: Option<String>,
    family_name: Option<String>,
}

impl Google {
    /// As the settings say; `None` where they name no client id.
    ///
    /// # Errors
    /// When no HTTP client can be made.
    pub fn new(config: &GoogleConfig, clock: &Clock) -> anyhow::Result<Option<Self>> {
        let Some(client_id) = config.client_id() else { return Ok(None) };
        let keys = Keys::new(config.google_keys_url.clone(), clock.clone())?;
        let issuers = config.google_issuers.clone();
        Ok(Some(Self { client_id: client_id.to_owned(), issuers, keys, clock: clock.clone() }))
    }

    /// Whose credential this is, where somebody who is signed in here has just signed in at Google once more.
    ///
    /// # Errors
    /// 422, as the session is not what is refused; 503 when the issuer's keys are not to be had.
    pub async fn verify_fresh(&self, credential: &str) -> Result<GoogleAccount, ServiceError> {
        let invalid = |message: String| ServiceError::Invalid(vec![FieldError::new("credential", message)]);
        match self.verify(credential).await {
            Ok(account) if account.is_fresh => Ok(account),
            Ok(_) => Err(invalid("Please sign in with Google once more".into())),
            Err(ServiceError::Unauthenticated(message)) => Err(invalid(message.into())),
            Err(other) => Err(other),
        }
    }

    /// Whose credential this is.
    ///
    /// # Errors
    /// 401 unless the issuer signed it for this portal and its time has not run out; 503 when the issuer's keys are not to be had.
    pub async fn verify(&self, credential: &str) -> Result<GoogleAccount, ServiceError> {
        if credential.len() > LONGEST {
            return Err(REFUSED);
        }
        let header = jsonwebtoken::decode_header(credential).map_err(|_| REFUSED)?;
        // Google signs with RS256. Taking what the token names would let its sender choose, down to the public key as a secret.
        let (Algorithm::RS256, Some(key_id)) = (header.alg, header.kid) else { return Err(REFUSED) };
        let key = self.keys.find(&key_id).await.map_err(|Unreachable| {
            ServiceError::Unavailable("Google cannot be reached at the moment. Please try again later.")
        })?;
        let mut validation = Validation::new(Algorithm::RS256);
        // Compared below, with a clock that is a parameter.
        validation.validate_exp = false;
        validation.validate_aud = false;
        let claims = jsonwebtoken::decode::<Claims>(credential, &key.ok_or(REFUSED)?, &validation);
        let claims = claims.map_err(|_| REFUSED)?.claims;
        self.account(claims).ok_or(REFUSED)
    }

    fn account(&self, claims: Claims) -> Option<GoogleAccount> {
        let now = self.clock.now().as_second();
        let is_ours = claims.aud == self.client_id && self.issuers.contains(&claims.iss);
        let is_current = claims.exp > now && claims.iat <= now.saturating_add(SKEW.as_secs());
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
            is_fresh: now.saturating_sub(claims.iat) <= FRESH.as_secs(),
        })
    }
}

fn is_gmail(email: &str) -> bool {
    let domain = email.rsplit('@').next().unwrap_or_default();
    ["gmail.com", "googlemail.com"].iter().any(|own| domain.eq_ignore_ascii_case(own))
}
