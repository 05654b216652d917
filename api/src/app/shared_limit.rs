//! Limits that all processes of the portal share. They are counted in the database (generic cell rate
//! algorithm): a key's allowance can be used all at once and is refilled over a period. Only a hash of the
//! key is kept. They cost a statement each, so they are for requests that cost more anyway.

use crate::{
    base::{clock::Clock, secret::secret_hash},
    domain::error::ServiceError,
    storage::attempts::{self, Allowance},
};
use jiff::SignedDuration;
use sqlx::{PgConnection, PgPool};
use std::num::NonZeroU32;

/// The number of keys that are deleted at once.
const DELETED_AT_ONCE: i64 = 1000;

/// A limit for each key.
pub struct SharedLimit {
    db: PgPool,
    allowance: Allowance,
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

impl SharedLimit {
    /// Allows this many attempts in a period, possibly all at once.
    #[must_use]
    pub fn per_period(count: NonZeroU32, period: SignedDuration, db: PgPool, clock: &Clock) -> Self {
        let count = i64::from(count.get());
        let period_ms = period.as_secs().saturating_mul(1000);
        let allowance = Allowance { count, refill_ms: (period_ms / count).max(1) };
        Self { db, allowance, clock: clock.clone() }
    }

    /// Counts one attempt of a key.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub async fn try_acquire(&self, key: AttemptKey) -> Result<(), ServiceError> {
        let mut connection = self.db.acquire().await?;
        self.try_acquire_in(&mut connection, key).await
    }

    /// Counts one attempt of a key in a transaction. The attempt counts only if the transaction is committed.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub async fn try_acquire_in(&self, tx: &mut PgConnection, key: AttemptKey) -> Result<(), ServiceError> {
        let now = self.clock.now().as_millisecond();
        match attempts::count(tx, &key.0, self.allowance, now).await? {
            None => Ok(()),
            Some(wait_ms) => Err(ServiceError::RateLimited {
                retry_after_seconds: u64::try_from(wait_ms).unwrap_or_default() / 1000 + 1,
            }),
        }
    }

    /// Gives a key one attempt back.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub async fn give_back(&self, key: AttemptKey) -> Result<(), ServiceError> {
        Ok(attempts::give_back(&self.db, &key.0, self.allowance).await?)
    }

    /// Gives a key its whole allowance back, in a transaction.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub async fn reset_in(&self, tx: &mut PgConnection, key: AttemptKey) -> Result<(), ServiceError> {
        Ok(attempts::reset(tx, &key.0).await?)
    }

    /// Gives a key its whole allowance back.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub async fn reset(&self, key: AttemptKey) -> Result<(), ServiceError> {
        Ok(attempts::reset(&self.db, &key.0).await?)
    }
}

/// Deletes the keys of all limits that have their whole allowance again.
///
/// # Errors
///
/// Fails if the database does.
pub async fn delete_full(db: &PgPool, clock: &Clock) -> Result<(), sqlx::Error> {
    let now = clock.now().as_millisecond();
    while attempts::delete_full(db, now, DELETED_AT_ONCE).await? > 0 {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_parts_are_separated() {
        assert_ne!(AttemptKey::new(["ab", "", "c"]), AttemptKey::new(["a", "b", "c"]));
        assert_ne!(AttemptKey::new(["", "a", "bc"]), AttemptKey::new(["", "ab", "c"]));
    }
}
