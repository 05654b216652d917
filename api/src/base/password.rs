//! Passwords as argon2id hashes. Computing a hash needs 19 MiB and is slow by design. Therefore
//! only a few hashes are computed at once, outside the async threads. For an unknown user,
//! verification takes as long as for a known one.

use crate::{base::random::Random, domain::error::ServiceError};
use anyhow::anyhow;
use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use std::{sync::Arc, time::Duration};
use tokio::sync::Semaphore;

/// The maximum length of a password, in bytes. This bounds the cost of a hash.
pub const MAX_LENGTH: usize = 256;
/// The maximum number of hashes computed in parallel.
const MAX_CONCURRENT_HASHES: usize = 4;

/// How long a hash waits for other hashes.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// Computes and verifies password hashes.
#[derive(Clone)]
pub struct Passwords {
    argon2: Argon2<'static>,
    random: Random,
    permits: Arc<Semaphore>,
    /// How long a hash waits for other hashes.
    max_wait: Duration,
    /// A hash to verify against when the user is unknown.
    dummy_hash: Arc<str>,
}

impl Passwords {
    /// Uses the first recommendation of OWASP's password storage cheat sheet: 19 MiB, two passes,
    /// one lane.
    pub fn standard(random: Random) -> anyhow::Result<Self> {
        Self::with(Params::DEFAULT, random)
    }

    /// Uses the lowest cost. For tests only.
    pub fn cheap(random: Random) -> anyhow::Result<Self> {
        Self::with(Params::new(Params::MIN_M_COST, 1, 1, None).map_err(|error| anyhow!("{error}"))?, random)
    }

    fn with(params: Params, random: Random) -> anyhow::Result<Self> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let dummy_hash = hash(&argon2, &random.secret(), &random.bytes())?;
        Ok(Self {
            argon2,
            random,
            permits: Arc::new(Semaphore::new(MAX_CONCURRENT_HASHES)),
            max_wait: MAX_WAIT,
            dummy_hash: dummy_hash.into(),
        })
    }

    /// Returns the hash of a password as a PHC string.
    pub async fn hash(&self, password: String) -> Result<String, ServiceError> {
        let salt = self.random.bytes();
        self.on_hashing_thread(move |argon2| hash(argon2, &password, &salt)).await
    }

    /// Whether the password matches the stored hash. `None`: the user is unknown or has no
    /// password. The result is then false but takes as long.
    pub async fn verify(&self, password: String, stored: Option<&str>) -> Result<bool, ServiceError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or(&self.dummy_hash).to_owned();
        let right = self
            .on_hashing_thread(move |argon2| {
                let stored =
                    PasswordHash::new(&stored).map_err(|error| anyhow!("parsing a stored hash: {error}"))?;
                Ok(argon2.verify_password(password.as_bytes(), &stored).is_ok())
            })
            .await?;
        Ok(right && known)
    }

    async fn on_hashing_thread<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = Arc::clone(&self.permits).acquire_owned();
        let permit = tokio::time::timeout(self.max_wait, permit).await.map_err(|_| ServiceError::BUSY)?;
        let permit = permit.map_err(anyhow::Error::from)?;
        let argon2 = self.argon2.clone();
        let done = tokio::task::spawn_blocking(move || {
            let _held_until_done = permit;
            work(&argon2)
        });
        Ok(done.await.map_err(anyhow::Error::from)??)
    }
}

fn hash(argon2: &Argon2<'_>, password: &str, salt: &[u8; 16]) -> anyhow::Result<String> {
    argon2
        .hash_password_with_salt(password.as_bytes(), salt)
        .map(|hash| hash.to_string())
        .map_err(|error| anyhow!("hashing a password: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_the_right_password_is_accepted() {
        let passwords = Passwords::cheap(Random::seeded(1)).unwrap();
        let stored = passwords.hash("correct horse".into()).await.unwrap();
        assert!(stored.starts_with("$argon2id$"));
        assert!(passwords.verify("correct horse".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.verify("wrong horse".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.verify("correct horse".into(), None).await.unwrap());
    }

    #[tokio::test]
    async fn wait_for_other_hashes_is_limited() {
        let passwords = Passwords::cheap(Random::seeded(1)).unwrap();
        let passwords = Passwords { max_wait: Duration::ZERO, ..passwords };
        let _all = passwords.permits.acquire_many(MAX_CONCURRENT_HASHES as u32).await.unwrap();
        let refused = passwords.verify("a".into(), None).await.unwrap_err();
        assert!(matches!(refused, ServiceError::Busy(_)), "{refused:?}");
    }

    #[tokio::test]
    async fn hashes_are_salted() {
        let passwords = Passwords::cheap(Random::seeded(1)).unwrap();
        assert_ne!(passwords.hash("a".into()).await.unwrap(), passwords.hash("a".into()).await.unwrap());
    }
}
