//! Passwords as argon2id hashes. Hashing is slow on purpose and takes 19 MiB each: it happens off the async threads,
//! a few at a time, and an unknown user costs as much as a known one.

use crate::{base::random::Random, domain::error::ServiceError};
use anyhow::anyhow;
use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The fewest characters of a password: specification section 5.
pub const SHORTEST: usize = 6;
/// The most bytes of a password, so that nobody makes us hash a novel.
pub const LONGEST: usize = 256;
/// How many hashes are made at once.
const AT_ONCE: usize = 4;

/// Makes and checks password hashes.
#[derive(Clone)]
pub struct Passwords {
    argon2: Argon2<'static>,
    random: Random,
    permits: Arc<Semaphore>,
    /// The hash of nobody's password, checked where there is no user.
    nobody: Arc<str>,
}

impl Passwords {
    /// With the costs that OWASP's password storage cheat sheet gives first: 19 MiB, two passes, one lane.
    ///
    /// # Errors
    /// When argon2 refuses its parameters: a defect.
    pub fn standard(random: Random) -> anyhow::Result<Self> {
        Self::with(Params::DEFAULT, random)
    }

    /// With the least cost there is. For tests alone.
    ///
    /// # Errors
    /// When argon2 refuses its parameters: a defect.
    pub fn cheap(random: Random) -> anyhow::Result<Self> {
        Self::with(Params::new(Params::MIN_M_COST, 1, 1, None).map_err(|error| anyhow!("{error}"))?, random)
    }

    fn with(params: Params, random: Random) -> anyhow::Result<Self> {
        let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        let nobody = hash(&argon2, &random.secret(), &random.bytes())?;
        Ok(Self { argon2, random, permits: Arc::new(Semaphore::new(AT_ONCE)), nobody: nobody.into() })
    }

    /// The hash of a password, as a PHC string.
    ///
    /// # Errors
    /// [`ServiceError::Internal`] only.
    pub async fn hash(&self, password: String) -> Result<String, ServiceError> {
        let salt = self.random.bytes();
        self.apart(move |argon2| hash(argon2, &password, &salt)).await
    }

    /// Whether the password is the one hashed. `None` stands for an unknown user, and takes as long.
    ///
    /// # Errors
    /// [`ServiceError::Internal`] only.
    pub async fn verify(&self, password: String, stored: Option<&str>) -> Result<bool, ServiceError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or(&self.nobody).to_owned();
        let right = self
            .apart(move |argon2| {
                let stored = PasswordHash::new(&stored).map_err(|error| anyhow!("a stored hash: {error}"))?;
                Ok(argon2.verify_password(password.as_bytes(), &stored).is_ok())
            })
            .await?;
        Ok(right && known)
    }

    async fn apart<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Argon2<'_>) -> anyhow::Result<T> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(anyhow::Error::from)?;
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
    async fn only_the_right_password_of_a_known_user_passes() {
        let passwords = Passwords::cheap(Random::seeded(1)).unwrap();
        let stored = passwords.hash("correct horse".into()).await.unwrap();
        assert!(stored.starts_with("$argon2id$"));
        assert!(passwords.verify("correct horse".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.verify("wrong horse".into(), Some(&stored)).await.unwrap());
        assert!(!passwords.verify("correct horse".into(), None).await.unwrap());
    }

    #[tokio::test]
    async fn the_same_password_has_another_hash_each_time() {
        let passwords = Passwords::cheap(Random::seeded(1)).unwrap();
        assert_ne!(passwords.hash("a".into()).await.unwrap(), passwords.hash("a".into()).await.unwrap());
    }
}
