//! The issuer's published keys (a JWK set, RFC 7517): fetched when first needed, kept as long as its answer permits, fetched again
//! for a key id that is not among them, and served stale for a day while the issuer can't be asked. One fetch at a time,
//! bounded in time and size, and never more often than the pauses say, whatever callers send.

use crate::base::clock::Clock;
use anyhow::{Context, ensure};
use jiff::{SignedDuration, Timestamp};
use jsonwebtoken::DecodingKey;
use reqwest::{Client, header, redirect};
use serde::Deserialize;
use std::{
    collections::HashMap,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use tokio::sync::Mutex;

/// How long the issuer may take over its answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The most bytes of its answer; Google's has about 1500.
const LARGEST: usize = 64 * 1024;
/// The most keys that are kept of it.
const MOST_KEYS: usize = 20;
/// The shortest and the longest time that an answer is believed, whatever it says of itself.
const BELIEVED: [SignedDuration; 2] = [SignedDuration::from_mins(5), SignedDuration::from_hours(24)];
/// How long an answer is believed that says nothing of it.
const BELIEVED_UNSAID: SignedDuration = SignedDuration::from_hours(1);
/// How long keys serve after that while the issuer can't be asked.
const STALE: SignedDuration = SignedDuration::from_hours(24);
/// Between two fetches for key ids that are not known.
const PAUSE: SignedDuration = SignedDuration::from_mins(1);
/// Between two fetches that failed.
const PAUSE_AFTER_FAILURE: SignedDuration = SignedDuration::from_secs(10);

/// The issuer can't be asked, and what it said before is too old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unreachable;

/// The issuer's keys.
pub(super) struct Keys(Arc<Inner>);

struct Inner {
    url: String,
    http: Client,
    clock: Clock,
    known: RwLock<Known>,
    /// Held while the issuer is asked.
    fetching: Mutex<()>,
}

#[derive(Default, Clone)]
struct Known {
    keys: Arc<HashMap<String, DecodingKey>>,
    /// `None`: never fetched.
    fresh_until: Option<Timestamp>,
    asked_at: Option<Timestamp>,
    /// What came of it then.
    failed: bool,
}

impl Keys {
    pub(super) fn new(url: String, clock: Clock) -> anyhow::Result<Self> {
        let http = Client::builder().timeout(PATIENCE).redirect(redirect::Policy::none()).build();
        let http = http.context("making the HTTP client for Google's keys")?;
        let (known, fetching) = (RwLock::default(), Mutex::default());
        Ok(Self(Arc::new(Inner { url, http, clock, known, fetching })))
    }

    /// The key of an id; `None` where the issuer has none such.
    pub(super) async fn find(&self, id: &str) -> Result<Option<DecodingKey>, Unreachable> {
        let mut known = self.0.known();
        if known.wants_fetch(id, self.0.clock.now()) {
            // Apart from the request, which its caller may abandon.
            let (inner, id) = (Arc::clone(&self.0), id.to_owned());
            let fetched = tokio::spawn(async move { inner.refresh(&id).await }).await;
            known = fetched.map_err(|_| Unreachable)?;
        }
        if known.serves(self.0.clock.now()) { Ok(known.keys.get(id).cloned()) } else { Err(Unreachable) }
    }
}

impl Known {
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.fresh_until.is_some_and(|until| now < until)
    }

    /// Whether these keys may be used at all.
    fn serves(&self, now: Timestamp) -> bool {
        self.fresh_until.is_some_and(|until| now < until.saturating_add(STALE).unwrap_or(Timestamp::MAX))
    }

    fn wants_fetch(&self, id: &str, now: Timestamp) -> bool {
        if self.is_fresh(now) && self.keys.contains_key(id) {
            return false;
        }
        let pause = match (self.failed, self.is_fresh(now)) {
            (true, _) => PAUSE_AFTER_FAILURE,
            (false, true) => PAUSE,
            (false, false) => SignedDuration::ZERO,
        };
        self.asked_at.is_none_or(|at| now.duration_since(at) >= pause)
    }
}

impl Inner {
    fn known(&self) -> Known {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Asks the issuer, unless somebody else has while this call waited.
    async fn refresh(&self, id: &str) -> Known {
        let _alone = self.fetching.lock().await;
        let mut known = self.known();
        let now = self.clock.now();
        if known.wants_fetch(id, now) {
            let fetched = self.fetch().await;
            known.asked_at = Some(now);
            known.failed = fetched.is_err();
            match fetched {
                Ok((keys, believed)) => {
                    known.keys = Arc::new(keys);
                    known.fresh_until = Some(now.saturating_add(believed).unwrap_or(Timestamp::MAX));
                }
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "the keys of Google cannot be fetched");
                }
            }
            *self.known.write().unwrap_or_else(PoisonError::into_inner) = known.clone();
        }
        known
    }

    async fn fetch(&self) -> anyhow::Result<(HashMap<String, DecodingKey>, SignedDuration)> {
        let mut response = self.http.get(&self.url).send().await?.error_for_status()?;
        ensure!(response.status().is_success(), "it answers {}", response.status());
        let said = response.headers().get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok());
        let believed = believed(said.unwrap_or_default());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            ensure!(body.len() + chunk.len() <= LARGEST, "its answer has more than {LARGEST} bytes");
            body.extend_from_slice(&chunk);
        }
        let keys = read(&body)?;
        ensure!(!keys.is_empty(), "its answer holds no key for RS256");
        Ok((keys, believed))
    }
}

#[derive(Deserialize)]
struct Published {
    keys: Vec<serde_json::Value>,
}

/// An RSA key as published; others, and what is no key, are passed over.
#[derive(Deserialize)]
struct RsaKey {
    kty: String,
    kid: String,
    n: String,
    e: String,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
}

fn read(body: &[u8]) -> anyhow::Result<HashMap<String, DecodingKey>> {
    let published: Published = serde_json::from_slice(body).context("its answer is no JWK set")?;
    let keys = published.keys.into_iter().take(MOST_KEYS).filter_map(|key| {
        let key: RsaKey = serde_json::from_value(key).ok()?;
        let is_for_us = key.kty == "RSA"
            && key.purpose.is_none_or(|purpose| purpose == "sig")
            && key.alg.is_none_or(|algorithm| algorithm == "RS256");
        let components = DecodingKey::from_rsa_components(&key.n, &key.e);
        components.ok().filter(|_| is_for_us).map(|decoding| (key.kid, decoding))
    });
    Ok(keys.collect())
}

/// How long an answer is believed by its Cache-Control (RFC 9111 section 5.2.2).
fn believed(cache_control: &str) -> SignedDuration {
    let [shortest, longest] = BELIEVED;
    let directives = || cache_control.split(',').map(|directive| directive.trim().to_ascii_lowercase());
    if directives().any(|directive| directive == "no-store" || directive == "no-cache") {
        return shortest;
    }
    let seconds = directives().find_map(|directive| directive.strip_prefix("max-age=")?.parse::<u32>().ok());
    let said = seconds.map_or(BELIEVED_UNSAID, |seconds| SignedDuration::from_secs(i64::from(seconds)));
    said.clamp(shortest, longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_believed_as_long_as_it_says_within_bounds() {
        let minutes = |cache_control: &str| believed(cache_control).as_secs() / 60;
        assert_eq!(minutes("public, max-age=19800, must-revalidate, no-transform"), 330);
        assert_eq!(minutes("Max-Age=600"), 10);
        assert_eq!(minutes("max-age=0"), 5);
        assert_eq!(minutes("max-age=600, no-store"), 5);
        assert_eq!(minutes("max-age=4294967295"), 24 * 60);
        for unsaid in
            ["", "public", "max-age", "max-age=", "max-age=-1", "max-age=soon", "max-age=99999999999"]
        {
            assert_eq!(minutes(unsaid), 60, "{unsaid}");
        }
    }

    #[test]
    fn only_keys_for_rs256_are_read() {
        let set = |keys: &str| read(format!("{{\"keys\":[{keys}]}}").as_bytes()).unwrap();
        let good = r#"{"kty":"RSA","kid":"a","n":"sXch","e":"AQAB","use":"sig","alg":"RS256"}"#;
        assert!(set(good).contains_key("a"));
        assert!(set(r#"{"kty":"RSA","kid":"b","n":"sXch","e":"AQAB"}"#).contains_key("b"));
        for other in [
            r#"{"kty":"RSA","kid":"a","n":"sXch","e":"AQAB","use":"enc"}"#,
            r#"{"kty":"RSA","kid":"a","n":"sXch","e":"AQAB","alg":"RS512"}"#,
            r#"{"kty":"EC","kid":"a","n":"sXch","e":"AQAB"}"#,
            r#"{"kty":"oct","kid":"a","k":"c2VjcmV0"}"#,
            r#"{"kty":"RSA","n":"sXch","e":"AQAB"}"#,
            r#"{"kty":"RSA","kid":"a","n":"%","e":"AQAB"}"#,
            "7",
            "null",
        ] {
            assert!(set(other).is_empty(), "{other}");
            assert_eq!(set(&format!("{other},{good}")).len(), 1, "{other}");
        }
        for rubbish in [&b""[..], b"{}", b"[]", b"{\"keys\":{}}", b"\xff"] {
            assert!(read(rubbish).is_err());
        }
    }
}
