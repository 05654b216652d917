//! Rate limits by key, such as a client address. A key's allowance can be used all at once and is
//! refilled over a period (generic cell rate algorithm, by `governor`). The limits use the
//! portal's clock, so that tests can set the time. The number of tracked keys is bounded.

use crate::{base::clock::Clock, domain::error::ServiceError};
use governor::{Quota, RateLimiter, middleware::NoOpMiddleware, nanos::Nanos, state::StateStore};
use lru::LruCache;
use std::{
    hash::Hash,
    net::IpAddr,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
    time::Duration,
};

/// The maximum number of tracked keys of a limit; they occupy about 5 MB. If there are more, the key
/// that was used least recently is dropped, which gives it a full allowance again.
const MAX_TRACKED: usize = 50_000;

/// A rate limit for each key. The default key is a client address.
pub struct RateLimit<K: Hash + Eq + Clone = IpAddr> {
    limiter: RateLimiter<K, BoundedStore<K>, Clock, NoOpMiddleware<Duration>>,
    clock: Clock,
}

impl<K: Hash + Eq + Clone> RateLimit<K> {
    /// Allows this many calls per minute, possibly all at once.
    #[must_use]
    pub fn per_minute(calls: NonZeroU32, clock: &Clock) -> Self {
        Self::new(Quota::per_minute(calls), clock)
    }

    fn new(quota: Quota, clock: &Clock) -> Self {
        let limiter = RateLimiter::new(quota, BoundedStore::new(MAX_TRACKED), clock.clone());
        Self { limiter, clock: clock.clone() }
    }

    /// Counts one call of this caller.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next call may succeed.
    pub fn try_acquire(&self, caller: K) -> Result<(), ServiceError> {
        self.limiter.check_key(&caller).map_err(|refused| {
            let wait = refused.wait_time_from(governor::clock::Clock::now(&self.clock));
            ServiceError::RateLimited { retry_after_seconds: wait.as_secs() + 1 }
        })
    }
}

/// The state of the keys that were used most recently. Each call takes constant time.
struct BoundedStore<K: Hash + Eq> {
    states: Mutex<LruCache<K, Nanos>>,
    max_tracked: usize,
}

impl<K: Hash + Eq> BoundedStore<K> {
    fn new(max_tracked: usize) -> Self {
        // `LruCache::new` would reserve the memory of all keys at once.
        Self { states: Mutex::new(LruCache::unbounded()), max_tracked }
    }
}

impl<K: Hash + Eq + Clone> StateStore for BoundedStore<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut states = self.states.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(state) = states.get_mut(key) {
            let (measured, next) = measure(Some(*state))?;
            *state = next;
            return Ok(measured);
        }
        let (measured, next) = measure(None)?;
        states.put(key.clone(), next);
        if states.len() > self.max_tracked {
            states.pop_lru();
        }
        Ok(measured)
    }
}

impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(u64::try_from(Clock::now(self).as_millisecond()).unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::{SignedDuration, Timestamp};

    #[test]
    fn limit_is_per_address_and_refills() {
        let start: Timestamp = "2026-11-20T06:00:00Z".parse().unwrap();
        let clock = Clock::fixed(start);
        let limit = RateLimit::per_minute(NonZeroU32::new(3).unwrap(), &clock);
        let (one, other) = (IpAddr::from([1, 1, 1, 1]), IpAddr::from([2, 2, 2, 2]));
        for _ in 0..3 {
            limit.try_acquire(one).unwrap();
        }
        let refused = limit.try_acquire(one).unwrap_err();
        assert!(matches!(refused, ServiceError::RateLimited { retry_after_seconds: 1..=21 }), "{refused:?}");
        limit.try_acquire(other).unwrap();
        clock.set(start + SignedDuration::from_secs(21));
        limit.try_acquire(one).unwrap();
        limit.try_acquire(one).unwrap_err();
    }

    #[test]
    fn flood_of_keys_is_bounded_and_does_not_free_a_key_in_use() {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        let quota = Quota::per_minute(NonZeroU32::new(1).unwrap());
        let limiter =
            RateLimiter::<u32, _, _, NoOpMiddleware<Duration>>::new(quota, BoundedStore::new(100), clock);
        limiter.check_key(&0).unwrap();
        for key in 1..10_000 {
            limiter.check_key(&key).unwrap();
            // A refused call counts as a use too.
            limiter.check_key(&0).unwrap_err();
        }
        let store = limiter.into_state_store();
        assert_eq!(store.states.lock().unwrap().len(), 100);
    }
}
