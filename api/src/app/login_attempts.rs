//! Attempts at a password: so many at once, refilled over an hour (a generic cell rate algorithm). They are counted before the
//! password is looked at, so that many at once are not more, and forgotten when it is right. What counts together is whatever its
//! caller names: an account as typed and a network, a known device, a session. No name is kept, only its hash.

use crate::base::secret::secret_hash;
use crate::{base::clock::Clock, domain::error::ServiceError};
use jiff::SignedDuration;
use std::{
    collections::HashMap,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
};

/// The most that are counted apart, about 6 MB. Beyond it those with the fewest failures are forgotten first, so that nobody
/// wins attempts at one account by failing at many.
const MOST: usize = 100_000;

/// An allowance of attempts for each of many.
pub struct Attempts {
    /// For each hash, the millisecond at which its allowance is whole again.
    whole_at: Mutex<HashMap<[u8; 32], i64>>,
    /// Milliseconds until one attempt is given back.
    each: i64,
    allowance: i64,
    most: usize,
    clock: Clock,
}

/// Whose attempt it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempter([u8; 32]);

impl Attempter {
    /// All attempts of these words together count against one allowance. The first says what the others are.
    #[must_use]
    pub fn new(words: [&str; 3]) -> Self {
        Self(secret_hash(&words.join("\0")))
    }
}

impl Attempts {
    /// So many an hour, all of which may come at once.
    #[must_use]
    pub fn an_hour(count: NonZeroU32, clock: &Clock) -> Self {
        Self::bounded(count, clock, MOST)
    }

    fn bounded(count: NonZeroU32, clock: &Clock, most: usize) -> Self {
        let allowance = i64::from(count.get());
        let each = SignedDuration::from_hours(1).as_secs() * 1000 / allowance;
        Self { whole_at: Mutex::default(), each: each.max(1), allowance, most, clock: clock.clone() }
    }

    /// Counts one attempt.
    ///
    /// # Errors
    /// 429 with the seconds until the next may be made.
    pub fn count(&self, attempter: Attempter) -> Result<(), ServiceError> {
        let now = self.clock.now().as_millisecond();
        let mut whole_at = self.whole_at.lock().unwrap_or_else(PoisonError::into_inner);
        let begins = whole_at.get(&attempter.0).copied().unwrap_or(now).max(now);
        let wait = begins - now - (self.allowance - 1) * self.each;
        if wait > 0 {
            let seconds = u64::try_from(wait).unwrap_or_default() / 1000 + 1;
            return Err(ServiceError::RateLimited { retry_after_seconds: seconds });
        }
        if whole_at.len() >= self.most && !whole_at.contains_key(&attempter.0) {
            make_room(&mut whole_at, now);
        }
        whole_at.insert(attempter.0, begins + self.each);
        Ok(())
    }

    /// Gives the whole allowance back: the password was right.
    pub fn forget(&self, attempter: Attempter) {
        self.whole_at.lock().unwrap_or_else(PoisonError::into_inner).remove(&attempter.0);
    }
}

/// Forgets whoever has the whole allowance again and, where that is less than half, those that are next.
fn make_room(whole_at: &mut HashMap<[u8; 32], i64>, now: i64) {
    let mut times: Vec<i64> = whole_at.values().copied().collect();
    let middle = times.len() / 2;
    let (_, median, _) = times.select_nth_unstable(middle);
    let until = (*median).max(now);
    whole_at.retain(|_, at| *at > until);
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::Timestamp;

    fn attempts(most: usize) -> (Attempts, Clock) {
        let clock = Clock::standing_at("2026-11-20T06:00:00Z".parse().unwrap());
        (Attempts::bounded(NonZeroU32::new(10).unwrap(), &clock, most), clock)
    }

    fn pass(clock: &Clock, seconds: i64) {
        clock.set(Timestamp::from_second(clock.now().as_second() + seconds).unwrap());
    }

    #[test]
    fn ten_at_once_and_one_more_each_six_minutes() {
        let (attempts, clock) = attempts(100);
        let (one, other) = (Attempter::new(["a", "b", "c"]), Attempter::new(["a", "b", "d"]));
        for _ in 0..10 {
            attempts.count(one).unwrap();
        }
        let refused = attempts.count(one).unwrap_err();
        assert!(matches!(refused, ServiceError::RateLimited { retry_after_seconds: 361 }), "{refused:?}");
        attempts.count(other).unwrap();
        pass(&clock, 359);
        attempts.count(one).unwrap_err();
        pass(&clock, 1);
        attempts.count(one).unwrap();
        attempts.count(one).unwrap_err();
        attempts.forget(one);
        for _ in 0..10 {
            attempts.count(one).unwrap();
        }
    }

    #[test]
    fn words_are_apart() {
        assert_ne!(Attempter::new(["ab", "", "c"]), Attempter::new(["a", "b", "c"]));
        assert_ne!(Attempter::new(["", "a", "bc"]), Attempter::new(["", "ab", "c"]));
    }

    #[test]
    fn memory_is_bounded_and_who_failed_most_is_forgotten_last() {
        let (attempts, clock) = attempts(1000);
        let victim = Attempter::new(["login", "nimal@example.lk", "9.9.9.9"]);
        for _ in 0..10 {
            attempts.count(victim).unwrap();
        }
        for nth in 0..20_000 {
            attempts.count(Attempter::new(["login", &nth.to_string(), "9.9.9.9"])).unwrap();
            assert!(attempts.whole_at.lock().unwrap().len() <= 1000);
        }
        attempts.count(victim).unwrap_err();
        pass(&clock, 3600);
        attempts.count(victim).unwrap();
    }

    #[test]
    fn a_full_table_of_worn_out_allowances_still_takes_new_ones() {
        let (attempts, _) = attempts(10);
        for nth in 0..100 {
            let one = Attempter::new(["login", &nth.to_string(), ""]);
            for _ in 0..10 {
                attempts.count(one).unwrap();
            }
            attempts.count(one).unwrap_err();
        }
        assert!(attempts.whole_at.lock().unwrap().len() <= 10);
    }
}
