//! Limits password attempts for each key. A key's allowance can be used all at once and is
//! refilled over an hour (generic cell rate algorithm). An attempt counts before the password is
//! checked, so that parallel attempts don't bypass the limit. A correct password resets the count.
//! The caller chooses the key, for example account and network, or a trusted device. Only a hash
//! of the key is kept.

use crate::base::secret::secret_hash;
use crate::{base::clock::Clock, domain::error::ServiceError};
use jiff::SignedDuration;
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
};

/// The maximum number of tracked keys; they occupy about 6 MB. If there are more, the keys with
/// the fewest attempts are evicted first. To evict the key of one account, an attacker must
/// therefore make as many attempts with each of about half of all tracked keys.
const MAX_TRACKED: usize = 100_000;

/// The limit of attempts for each key, and the attempts so far.
pub struct LoginAttempts {
    /// For the hash of each key, when the key's allowance is full again, in milliseconds since
    /// 1970.
    full_at: Mutex<HashMap<[u8; 32], i64>>,
    /// The milliseconds in which the allowance grows by one attempt.
    refill_ms: i64,
    /// The number of attempts that are allowed at once.
    allowance: i64,
    max_tracked: usize,
    clock: Clock,
}

/// The key that attempts are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttemptKey([u8; 32]);

impl AttemptKey {
    /// Creates a key from these texts. The first text names the kind of the key.
    #[must_use]
    pub fn new(parts: [&str; 3]) -> Self {
        Self(secret_hash(&parts.join("\0")))
    }
}

impl LoginAttempts {
    /// Allows this many attempts per hour and key, possibly all at once.
    #[must_use]
    pub fn per_hour(count: NonZeroU32, clock: &Clock) -> Self {
        Self::bounded(count, clock, MAX_TRACKED)
    }

    fn bounded(count: NonZeroU32, clock: &Clock, max_tracked: usize) -> Self {
        let allowance = i64::from(count.get());
        let refill_ms = SignedDuration::from_hours(1).as_secs() * 1000 / allowance;
        Self {
            full_at: Mutex::default(),
            refill_ms: refill_ms.max(1),
            allowance,
            max_tracked,
            clock: clock.clone(),
        }
    }

    /// Counts one attempt of a key.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub fn try_acquire(&self, key: AttemptKey) -> Result<(), ServiceError> {
        let now = self.clock.now().as_millisecond();
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let full = full_at.get(&key.0).copied().unwrap_or(now).max(now);
        let wait = full - now - (self.allowance - 1) * self.refill_ms;
        if wait > 0 {
            let seconds = u64::try_from(wait).unwrap_or_default() / 1000 + 1;
            return Err(ServiceError::RateLimited { retry_after_seconds: seconds });
        }
        if full_at.len() >= self.max_tracked && !full_at.contains_key(&key.0) {
            make_room(&mut full_at, now);
        }
        full_at.insert(key.0, full + self.refill_ms);
        Ok(())
    }

    /// Resets the count of a key, after a correct password.
    pub fn forget(&self, key: AttemptKey) {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner).remove(&key.0);
    }
}

/// Evicts the keys with a full allowance. If these are fewer than half of all keys, evicts at
/// least the half with the fewest attempts.
fn make_room(full_at: &mut HashMap<[u8; 32], i64>, now: i64) {
    let mut times: Vec<i64> = full_at.values().copied().collect();
    let middle = times.len() / 2;
    let (_, median, _) = times.select_nth_unstable(middle);
    let until = (*median).max(now);
    full_at.retain(|_, at| *at > until);
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn attempts(max_tracked: usize) -> (LoginAttempts, Clock) {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        (LoginAttempts::bounded(NonZeroU32::new(10).unwrap(), &clock, max_tracked), clock)
    }

    fn advance(clock: &Clock, seconds: i64) {
        clock.set(Timestamp::from_second(clock.now().as_second() + seconds).unwrap());
    }

    #[test]
    fn ten_attempts_are_allowed_and_one_more_every_six_minutes() {
        let (attempts, clock) = attempts(100);
        let (one, other) = (AttemptKey::new(["a", "b", "c"]), AttemptKey::new(["a", "b", "d"]));
        for _ in 0..10 {
            attempts.try_acquire(one).unwrap();
        }
        let refused = attempts.try_acquire(one).unwrap_err();
        assert!(matches!(refused, ServiceError::RateLimited { retry_after_seconds: 361 }), "{refused:?}");
        attempts.try_acquire(other).unwrap();
        advance(&clock, 359);
        attempts.try_acquire(one).unwrap_err();
        advance(&clock, 1);
        attempts.try_acquire(one).unwrap();
        attempts.try_acquire(one).unwrap_err();
        attempts.forget(one);
        for _ in 0..10 {
            attempts.try_acquire(one).unwrap();
        }
    }

    #[test]
    fn key_parts_are_separated() {
        assert_ne!(AttemptKey::new(["ab", "", "c"]), AttemptKey::new(["a", "b", "c"]));
        assert_ne!(AttemptKey::new(["", "a", "bc"]), AttemptKey::new(["", "ab", "c"]));
    }

    #[test]
    fn eviction_keeps_the_key_with_most_attempts() {
        let (attempts, clock) = attempts(1000);
        let victim = AttemptKey::new(["login", "nimal@example.lk", "9.9.9.9"]);
        for _ in 0..10 {
            attempts.try_acquire(victim).unwrap();
        }
        for nth in 0..20_000 {
            attempts.try_acquire(AttemptKey::new(["login", &nth.to_string(), "9.9.9.9"])).unwrap();
            assert!(attempts.full_at.lock().unwrap().len() <= 1000);
        }
        attempts.try_acquire(victim).unwrap_err();
        advance(&clock, 3600);
        attempts.try_acquire(victim).unwrap();
    }

    #[test]
    fn full_table_accepts_new_keys() {
        let (attempts, _) = attempts(10);
        for nth in 0..100 {
            let one = AttemptKey::new(["login", &nth.to_string(), ""]);
            for _ in 0..10 {
                attempts.try_acquire(one).unwrap();
            }
            attempts.try_acquire(one).unwrap_err();
        }
        assert!(attempts.full_at.lock().unwrap().len() <= 10);
    }
}
