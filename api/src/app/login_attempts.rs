//! Limits password attempts for each key. A key's allowance can be used all at once and is
//! refilled over an hour (generic cell rate algorithm). An attempt counts before the password is
//! checked, so that parallel attempts don't bypass the limit. A correct password resets the count.
//! The caller chooses the key, for example account and network, or a trusted device. Only a hash
//! of the key is kept.
//!
//! A sign-in from an unknown device also counts against a larger allowance of its account, so that an
//! attacker with many addresses does not get many allowances. A trusted device does not use that
//! allowance. Therefore a stranger can't lock the owner out of it.

use crate::base::secret::secret_hash;
use crate::{base::clock::Clock, domain::error::ServiceError};
use jiff::SignedDuration;
use std::{
    collections::HashMap,
    net::IpAddr,
    num::NonZeroU32,
    sync::{Mutex, PoisonError},
};
use uuid::Uuid;

/// The maximum number of tracked keys; they occupy about 6 MB. If there are more, the keys with
/// the fewest attempts are evicted first. To evict the key of one account, an attacker must
/// therefore make as many attempts with each of about half of all tracked keys.
const MAX_TRACKED: usize = 100_000;

/// How many times the allowance of one network all networks together have for one account.
const NETWORKS_PER_ACCOUNT: i64 = 5;

/// The limit of attempts for each key, and the attempts so far.
pub struct LoginAttempts {
    /// For the hash of each key, when the key's allowance is full again, in milliseconds since
    /// 1970.
    full_at: Mutex<HashMap<[u8; 32], i64>>,
    /// The allowance of a key.
    of_key: Allowance,
    /// The allowance of an account for all networks together.
    of_account: Allowance,
    max_tracked: usize,
    clock: Clock,
}

/// A number of attempts per hour.
#[derive(Debug, Clone, Copy)]
struct Allowance {
    /// The number of attempts that are allowed at once.
    count: i64,
    /// The milliseconds in which the allowance grows by one attempt.
    refill_ms: i64,
}

impl Allowance {
    fn per_hour(count: i64) -> Self {
        Self { count, refill_ms: (SignedDuration::from_hours(1).as_secs() * 1000 / count).max(1) }
    }
}

/// Where a sign-in comes from.
#[derive(Debug, Clone, Copy)]
pub enum SignInSource {
    /// A trusted device of the account.
    Device(Uuid),
    /// Any other browser or program in this network.
    Network(IpAddr),
}

/// How a sign-in ended, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum SignInOutcome {
    /// The user is signed in.
    Succeeded,
    /// The first factor is right, and the user must prove a second one.
    SecondFactorNeeded,
    /// The password is wrong, or there is no such account.
    Refused,
    /// There were too many attempts.
    RateLimited,
    /// The account is locked.
    Locked,
    /// The portal failed.
    Failed,
}

/// What the user proved in a sign-in, for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum SignInFactor {
    /// The password.
    Password,
    /// The account at Google.
    Google,
    /// A code of an authenticator app, after the first factor.
    AuthenticatorApp,
    /// A recovery code, after the first factor.
    RecoveryCode,
    /// A passkey, after the first factor.
    Passkey,
}

/// Logs how a sign-in with this factor ended. The log never contains the entered mail address.
/// `account` is `None` if no account has this address.
pub fn log_sign_in(account: Option<Uuid>, factor: SignInFactor, outcome: SignInOutcome) {
    let account = account.map(tracing::field::display);
    tracing::info!(account, %factor, %outcome, "a sign-in ended");
}

impl SignInOutcome {
    /// Classifies the error of a sign-in.
    #[must_use]
    pub const fn of_error(error: &ServiceError) -> Self {
        match error {
            ServiceError::RateLimited { .. } => Self::RateLimited,
            ServiceError::Forbidden(_) => Self::Locked,
            ServiceError::Internal(_)
            | ServiceError::Busy(_)
            | ServiceError::Deadlock
            | ServiceError::Unavailable(_) => Self::Failed,
            _ => Self::Refused,
        }
    }
}

/// A counted sign-in, which may turn out to be correct.
#[derive(Debug, Clone, Copy)]
pub struct SignInAttempt {
    key: AttemptKey,
    /// The key of the account. `None`: a trusted device.
    account: Option<AttemptKey>,
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
        let count = i64::from(count.get());
        Self {
            full_at: Mutex::default(),
            of_key: Allowance::per_hour(count),
            of_account: Allowance::per_hour(count.saturating_mul(NETWORKS_PER_ACCOUNT)),
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
        self.count(key, self.of_key)
    }

    /// Counts a sign-in with this mail address, whether or not it has an account, so that the limit
    /// reveals nothing.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub fn begin_sign_in(&self, email: &str, source: SignInSource) -> Result<SignInAttempt, ServiceError> {
        let email = email.to_lowercase();
        let (key, account) = match source {
            SignInSource::Device(id) => (AttemptKey::new(["device", &id.to_string(), ""]), None),
            SignInSource::Network(network) => (
                AttemptKey::new(["login", &email, &network.to_string()]),
                Some(AttemptKey::new(["account", &email, ""])),
            ),
        };
        self.try_acquire(key)?;
        if let Some(account) = account {
            self.count(account, self.of_account)?;
        }
        Ok(SignInAttempt { key, account })
    }

    /// Records that the password of a sign-in was correct. This resets the count of the device or
    /// network. The account gets back only this attempt, so that its owner's sign-ins give an attacker
    /// no further attempts.
    pub fn accept_sign_in(&self, SignInAttempt { key, account }: SignInAttempt) {
        self.forget(key);
        let Some(account) = account else { return };
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full) = full_at.get_mut(&account.0) {
            *full -= self.of_account.refill_ms;
            if *full <= self.clock.now().as_millisecond() {
                full_at.remove(&account.0);
            }
        }
    }

    fn count(&self, key: AttemptKey, allowance: Allowance) -> Result<(), ServiceError> {
        let now = self.clock.now().as_millisecond();
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let full = full_at.get(&key.0).copied().unwrap_or(now).max(now);
        let wait = full - now - (allowance.count - 1) * allowance.refill_ms;
        if wait > 0 {
            let seconds = u64::try_from(wait).unwrap_or_default() / 1000 + 1;
            return Err(ServiceError::RateLimited { retry_after_seconds: seconds });
        }
        if full_at.len() >= self.max_tracked && !full_at.contains_key(&key.0) {
            make_room(&mut full_at, now);
        }
        full_at.insert(key.0, full + allowance.refill_ms);
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
    fn guesses_from_many_networks_are_limited_but_not_those_of_a_device() {
        let (attempts, clock) = attempts(1000);
        let network = |nth: u8| SignInSource::Network(IpAddr::from([203, 0, 113, nth]));
        let email = "Nimal@example.lk";
        for nth in 0..50 {
            attempts.begin_sign_in(email, network(nth)).unwrap();
        }
        let refused = attempts.begin_sign_in("nimal@example.lk", network(50)).unwrap_err();
        assert!(matches!(refused, ServiceError::RateLimited { retry_after_seconds: 73 }), "{refused:?}");
        attempts.begin_sign_in("kamala@example.lk", network(50)).unwrap();
        let device = attempts.begin_sign_in(email, SignInSource::Device(Uuid::nil())).unwrap();
        attempts.accept_sign_in(device);
        attempts.begin_sign_in(email, network(51)).unwrap_err();
        advance(&clock, 72);
        let correct = attempts.begin_sign_in(email, network(52)).unwrap();
        attempts.accept_sign_in(correct);
        // The owner's attempt is given back, and no more.
        attempts.begin_sign_in(email, network(53)).unwrap();
        attempts.begin_sign_in(email, network(54)).unwrap_err();
    }

    #[test]
    fn correct_sign_ins_do_not_fill_the_table() {
        let (attempts, _) = attempts(1000);
        let attempt =
            attempts.begin_sign_in("a@b.lk", SignInSource::Network(IpAddr::from([9, 9, 9, 9]))).unwrap();
        attempts.accept_sign_in(attempt);
        assert!(attempts.full_at.lock().unwrap().is_empty());
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
