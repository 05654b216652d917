//! The issuer's public keys (JWK set, RFC 7517). They are cached as long as the response allows,
//! within bounds, and fetched again for an unknown key id. While the issuer is unreachable, stale
//! keys are used for a day. Fetches are serialised, bounded in time and size, and rate limited,
//! regardless of the key ids that callers send.

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

/// The timeout of a request to the issuer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
/// The maximum size of a response. Google's response has about 1500 bytes.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
/// The maximum number of keys that are read from a response.
const MAX_KEYS: usize = 20;
/// The minimum and maximum cache time. A cache time outside these bounds is clamped.
const CACHE_BOUNDS: [SignedDuration; 2] = [SignedDuration::from_mins(5), SignedDuration::from_hours(24)];
/// The cache time of a response that specifies none.
const DEFAULT_CACHE_TIME: SignedDuration = SignedDuration::from_hours(1);
/// How long stale keys are used while the issuer is unreachable.
const MAX_STALE_TIME: SignedDuration = SignedDuration::from_hours(24);
/// The minimum interval between fetches because of unknown key ids.
const MIN_REFETCH_INTERVAL: SignedDuration = SignedDuration::from_mins(1);
/// The minimum interval between a failed fetch and the next one.
const RETRY_DELAY: SignedDuration = SignedDuration::from_secs(10);

/// The issuer is unreachable, and there are no cached keys or they are too old.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unreachable;

/// The issuer's public keys, fetched when necessary.
pub(super) struct Keys(Arc<KeyCache>);

/// The cached keys, and what is needed to fetch them.
struct KeyCache {
    url: String,
    http: Client,
    clock: Clock,
    cached: RwLock<CachedKeys>,
    /// A lock that is held during a fetch.
    fetching: Mutex<()>,
}

#[derive(Default, Clone)]
struct CachedKeys {
    keys: Arc<HashMap<String, DecodingKey>>,
    /// When the keys become stale. `None`: they were never fetched.
    fresh_until: Option<Timestamp>,
    /// When the last fetch began, successful or not. `None`: never.
    fetched_at: Option<Timestamp>,
    /// Whether the last fetch failed.
    failed: bool,
}

impl Keys {
    pub(super) fn new(url: String, clock: Clock) -> anyhow::Result<Self> {
        let http = Client::builder().timeout(REQUEST_TIMEOUT).redirect(redirect::Policy::none()).build();
        let http = http.context("creating the HTTP client for Google's keys")?;
        let (cached, fetching) = (RwLock::default(), Mutex::default());
        Ok(Self(Arc::new(KeyCache { url, http, clock, cached, fetching })))
    }

    /// Returns the key with this id. `None` if the issuer has no such key.
    pub(super) async fn find(&self, id: &str) -> Result<Option<DecodingKey>, Unreachable> {
        let mut cached = self.0.cached();
        if cached.needs_fetch(id, self.0.clock.now()) {
            // Fetch in a separate task, because the caller's task may be cancelled.
            let (cache, id) = (Arc::clone(&self.0), id.to_owned());
            let fetched = tokio::spawn(async move { cache.refresh(&id).await }).await;
            cached = fetched.map_err(|_| Unreachable)?;
        }
        if cached.is_usable(self.0.clock.now()) { Ok(cached.keys.get(id).cloned()) } else { Err(Unreachable) }
    }
}

impl CachedKeys {
    fn is_fresh(&self, now: Timestamp) -> bool {
        self.fresh_until.is_some_and(|until| now < until)
    }

    /// Whether these keys may still be used, fresh or stale.
    fn is_usable(&self, now: Timestamp) -> bool {
        self.fresh_until
            .is_some_and(|until| now < until.saturating_add(MAX_STALE_TIME).unwrap_or(Timestamp::MAX))
    }

    fn needs_fetch(&self, id: &str, now: Timestamp) -> bool {
        if self.is_fresh(now) && self.keys.contains_key(id) {
            return false;
        }
        let pause = match (self.failed, self.is_fresh(now)) {
            (true, _) => RETRY_DELAY,
            (false, true) => MIN_REFETCH_INTERVAL,
            (false, false) => SignedDuration::ZERO,
        };
        self.fetched_at.is_none_or(|at| now.duration_since(at) >= pause)
    }
}

impl KeyCache {
    fn cached(&self) -> CachedKeys {
        self.cached.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fetches the keys, unless another call has fetched them in the meantime. Returns the cached
    /// keys.
    async fn refresh(&self, id: &str) -> CachedKeys {
        let _guard = self.fetching.lock().await;
        let mut cached = self.cached();
        let now = self.clock.now();
        if cached.needs_fetch(id, now) {
            let fetched = self.fetch().await;
            cached.fetched_at = Some(now);
            cached.failed = fetched.is_err();
            match fetched {
                Ok((keys, cache_time)) => {
                    cached.keys = Arc::new(keys);
                    cached.fresh_until = Some(now.saturating_add(cache_time).unwrap_or(Timestamp::MAX));
                }
                Err(error) => {
                    tracing::warn!(error = format!("{error:#}"), "fetching Google's keys failed");
                }
            }
            *self.cached.write().unwrap_or_else(PoisonError::into_inner) = cached.clone();
        }
        cached
    }

    async fn fetch(&self) -> anyhow::Result<(HashMap<String, DecodingKey>, SignedDuration)> {
        let mut response = self.http.get(&self.url).send().await?.error_for_status()?;
        ensure!(response.status().is_success(), "the response status is {}", response.status());
        let cache_control =
            response.headers().get(header::CACHE_CONTROL).and_then(|value| value.to_str().ok());
        let cache_time = cache_time(cache_control.unwrap_or_default());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            ensure!(
                body.len() + chunk.len() <= MAX_RESPONSE_BYTES,
                "the response exceeds {MAX_RESPONSE_BYTES} bytes"
            );
            body.extend_from_slice(&chunk);
        }
        let keys = parse_keys(&body)?;
        ensure!(!keys.is_empty(), "the response contains no RS256 key");
        Ok((keys, cache_time))
    }
}

#[derive(Deserialize)]
struct KeySet {
    keys: Vec<serde_json::Value>,
}

/// An RSA key of a JWK set. Entries that do not parse as such are skipped.
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

fn parse_keys(body: &[u8]) -> anyhow::Result<HashMap<String, DecodingKey>> {
    let key_set: KeySet = serde_json::from_slice(body).context("the response is not a JWK set")?;
    let keys = key_set.keys.into_iter().take(MAX_KEYS).filter_map(|key| {
        let key: RsaKey = serde_json::from_value(key).ok()?;
        let is_rs256_key = key.kty == "RSA"
            && key.purpose.is_none_or(|purpose| purpose == "sig")
            && key.alg.is_none_or(|algorithm| algorithm == "RS256");
        let components = DecodingKey::from_rsa_components(&key.n, &key.e);
        components.ok().filter(|_| is_rs256_key).map(|decoding| (key.kid, decoding))
    });
    Ok(keys.collect())
}

/// Returns the cache time that a `Cache-Control` header asks for (RFC 9111, section 5.2.2), within
/// [`CACHE_BOUNDS`].
fn cache_time(cache_control: &str) -> SignedDuration {
    let [shortest, longest] = CACHE_BOUNDS;
    let directives = || cache_control.split(',').map(|directive| directive.trim().to_ascii_lowercase());
    if directives().any(|directive| directive == "no-store" || directive == "no-cache") {
        return shortest;
    }
    let seconds = directives().find_map(|directive| directive.strip_prefix("max-age=")?.parse::<u32>().ok());
    let requested =
        seconds.map_or(DEFAULT_CACHE_TIME, |seconds| SignedDuration::from_secs(i64::from(seconds)));
    requested.clamp(shortest, longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cache_time_is_bounded() {
        let minutes = |cache_control: &str| cache_time(cache_control).as_secs() / 60;
        assert_eq!(minutes("public, max-age=19800, must-revalidate, no-transform"), 330);
        assert_eq!(minutes("Max-Age=600"), 10);
        assert_eq!(minutes("max-age=0"), 5);
        assert_eq!(minutes("max-age=600, no-store"), 5);
        assert_eq!(minutes("max-age=4294967295"), 24 * 60);
        for header in
            ["", "public", "max-age", "max-age=", "max-age=-1", "max-age=soon", "max-age=99999999999"]
        {
            assert_eq!(minutes(header), 60, "{header}");
        }
    }

    #[test]
    fn only_rs256_keys_are_used() {
        let set = |keys: &str| parse_keys(format!("{{\"keys\":[{keys}]}}").as_bytes()).unwrap();
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
            assert!(parse_keys(rubbish).is_err());
        }
    }
}
