//! Limits by address or key: so many calls at once, refilled over a minute (a generic cell rate algorithm, by `governor`).
//! The time is the portal's clock, so that a test can move it.

use super::address;
use crate::{clock::Clock, error::ApiError, state::AppState};
use axum::{extract::FromRequestParts, http::request::Parts};
use governor::{Quota, RateLimiter, middleware::NoOpMiddleware, state::keyed::DefaultKeyedStateStore};
use std::{hash::Hash, net::IpAddr, num::NonZeroU32, time::Duration};

/// Callers remembered before those with their whole allowance are forgotten.
const REMEMBERED: usize = 10_000;
const DAY: Duration = Duration::from_secs(24 * 3600);

impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        Duration::from_millis(u64::try_from(Clock::now(self).as_millisecond()).unwrap_or(0))
    }
}

/// A limit on calls, by address where nothing else is said.
pub struct Limit<K: Hash + Eq + Clone = IpAddr> {
    limiter: RateLimiter<K, DefaultKeyedStateStore<K>, Clock, NoOpMiddleware<Duration>>,
    clock: Clock,
}

impl<K: Hash + Eq + Clone> Limit<K> {
    /// So many calls a minute, all of which may come at once.
    #[must_use]
    pub fn a_minute(calls: NonZeroU32, clock: &Clock) -> Self {
        Self::new(Quota::per_minute(calls), clock)
    }

    /// So many calls a day, all of which may come at once.
    #[must_use]
    pub fn a_day(calls: NonZeroU32, clock: &Clock) -> Self {
        let quota = Quota::with_period(DAY / calls.get()).unwrap_or(Quota::per_second(calls));
        Self::new(quota.allow_burst(calls), clock)
    }

    fn new(quota: Quota, clock: &Clock) -> Self {
        let limiter = RateLimiter::new(quota, DefaultKeyedStateStore::default(), clock.clone());
        Self { limiter, clock: clock.clone() }
    }

    /// Counts one call.
    ///
    /// # Errors
    /// 429 with the seconds until a call may succeed again.
    pub fn count(&self, caller: K) -> Result<(), ApiError> {
        if self.limiter.len() > REMEMBERED {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&caller).map_err(|refused| {
            let wait = refused.wait_time_from(governor::clock::Clock::now(&self.clock));
            ApiError::TooManyRequests { retry_after_seconds: wait.as_secs() + 1 }
        })
    }
}

/// The address that a call comes from, for a limit that only some of its callers count against.
#[derive(Debug, Clone, Copy)]
pub struct CallerAddress(pub IpAddr);

impl FromRequestParts<AppState> for CallerAddress {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Self::Rejection> {
        Ok(Self(address::of(parts, state.config.behind_proxy)))
    }
}

/// Named by a handler as its first argument: the call counts against its address's allowance to sign in, whatever
/// becomes of it.
#[derive(Debug, Clone, Copy)]
pub struct SignInLimit;

impl FromRequestParts<AppState> for SignInLimit {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, ApiError> {
        state.sign_in_limit.count(address::of(parts, state.config.behind_proxy)).map(|()| Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::{SignedDuration, Timestamp};

    #[test]
    fn an_allowance_is_used_up_by_address_and_refilled_by_time() {
        let start: Timestamp = "2026-11-20T06:00:00Z".parse().unwrap();
        let clock = Clock::standing_at(start);
        let limit = Limit::a_minute(NonZeroU32::new(3).unwrap(), &clock);
        let (one, other) = (IpAddr::from([1, 1, 1, 1]), IpAddr::from([2, 2, 2, 2]));
        for _ in 0..3 {
            limit.count(one).unwrap();
        }
        let refused = limit.count(one).unwrap_err();
        assert!(matches!(refused, ApiError::TooManyRequests { retry_after_seconds: 1..=21 }), "{refused:?}");
        limit.count(other).unwrap();
        clock.set(start + SignedDuration::from_secs(21));
        limit.count(one).unwrap();
        limit.count(one).unwrap_err();
    }
}
