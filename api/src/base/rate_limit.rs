//! Rate limits by key, such as a client address. A key's allowance can be used all at once and is
//! refilled over a period (generic cell rate algorithm, by `governor`). The limits use the
//! portal's clock, so that tests can set the time.

use crate::{base::clock::Clock, domain::error::ServiceError};
use governor::{Quota, RateLimiter, middleware::NoOpMiddleware, state::keyed::DefaultKeyedStateStore};
use std::{hash::Hash, net::IpAddr, num::NonZeroU32, time::Duration};

/// If more keys than this are tracked, the keys with a full allowance are dropped.
const PRUNE_ABOVE: usize = 10_000;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// A rate limit for each key. The default key is a client address.
pub struct RateLimit<K: Hash + Eq + Clone = IpAddr> {
    limiter: RateLimiter<K, DefaultKeyedStateStore<K>, Clock, NoOpMiddleware<Duration>>,
    clock: Clock,
}

impl<K: Hash + Eq + Clone> RateLimit<K> {
    /// Allows this many calls per minute, possibly all at once.
    #[must_use]
    pub fn per_minute(calls: NonZeroU32, clock: &Clock) -> Self {
        Self::new(Quota::per_minute(calls), clock)
    }

    /// Allows this many calls per day, possibly all at once.
    #[must_use]
    pub fn per_day(calls: NonZeroU32, clock: &Clock) -> Self {
        let quota = Quota::with_period(DAY / calls.get()).unwrap_or(Quota::per_second(calls));
        Self::new(quota.allow_burst(calls), clock)
    }

    fn new(quota: Quota, clock: &Clock) -> Self {
        let limiter = RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock.clone());
        Self { limiter, clock: clock.clone() }
    }

    /// Counts one call of this caller.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next call may succeed.
    pub fn try_acquire(&self, caller: K) -> Result<(), ServiceError> {
        if self.limiter.len() > PRUNE_ABOVE {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&caller).map_err(|refused| {
            let wait = refused.wait_time_from(governor::clock::Clock::now(&self.clock));
            ServiceError::RateLimited { retry_after_seconds: wait.as_secs() + 1 }
        })
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
}
