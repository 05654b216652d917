//! Limits password attempts for each key. A key's allowance can be used all at once and is
//! refilled over an hour. An attempt counts before the password is checked, so that parallel attempts
//! don't bypass the limit. A correct password resets the count. The caller chooses the key, for example
//! account and network, or a trusted device.
//!
//! A sign-in from an unknown device also counts against a larger allowance of its account, so that an
//! attacker with many addresses does not get many allowances. A trusted device does not use that
//! allowance. Therefore a stranger can't lock the owner out of it.

use super::shared_limit::{AttemptKey, SharedLimit};
use crate::{base::clock::Clock, domain::error::ServiceError};
use jiff::SignedDuration;
use sqlx::{PgConnection, PgPool};
use std::{net::IpAddr, num::NonZeroU32};
use uuid::Uuid;

/// How many times the allowance of one network all networks together have for one account.
const NETWORKS_PER_ACCOUNT: u32 = 5;

/// The limit of attempts for each key, for all processes of the portal together.
pub struct LoginAttempts {
    of_key: SharedLimit,
    /// The limit of an account for all networks together.
    of_account: SharedLimit,
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

impl LoginAttempts {
    /// Allows this many attempts per hour and key, possibly all at once.
    #[must_use]
    pub fn per_hour(count: NonZeroU32, db: &PgPool, clock: &Clock) -> Self {
        let per_hour =
            |count| SharedLimit::per_period(count, SignedDuration::from_hours(1), db.clone(), clock);
        let networks = NonZeroU32::MIN.saturating_add(NETWORKS_PER_ACCOUNT - 1);
        Self { of_key: per_hour(count), of_account: per_hour(count.saturating_mul(networks)) }
    }

    /// Counts one attempt of a key.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub async fn try_acquire(&self, key: AttemptKey) -> Result<(), ServiceError> {
        self.of_key.try_acquire(key).await
    }

    /// Counts one attempt of a key in a transaction. The attempt counts only if the transaction is committed.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub async fn try_acquire_in(&self, tx: &mut PgConnection, key: AttemptKey) -> Result<(), ServiceError> {
        self.of_key.try_acquire_in(tx, key).await
    }

    /// Counts a sign-in with this mail address, whether or not it has an account, so that the limit
    /// reveals nothing.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next attempt.
    pub async fn begin_sign_in(
        &self,
        email: &str,
        source: SignInSource,
    ) -> Result<SignInAttempt, ServiceError> {
        let email = email.to_lowercase();
        let (key, account) = match source {
            SignInSource::Device(id) => (AttemptKey::new(["device", &id.to_string(), ""]), None),
            SignInSource::Network(network) => (
                AttemptKey::new(["login", &email, &network.to_string()]),
                Some(AttemptKey::new(["account", &email, ""])),
            ),
        };
        self.of_key.try_acquire(key).await?;
        if let Some(account) = account {
            self.of_account.try_acquire(account).await?;
        }
        Ok(SignInAttempt { key, account })
    }

    /// Records that the password of a sign-in was correct. This resets the count of the device or
    /// network. The account gets back only this attempt, so that its owner's sign-ins give an attacker
    /// no further attempts.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub async fn accept_sign_in(
        &self,
        SignInAttempt { key, account }: SignInAttempt,
    ) -> Result<(), ServiceError> {
        self.of_key.reset(key).await?;
        match account {
            Some(account) => self.of_account.give_back(account).await,
            None => Ok(()),
        }
    }

    /// Resets the count of a key, after a correct password.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub async fn forget(&self, key: AttemptKey) -> Result<(), ServiceError> {
        self.of_key.reset(key).await
    }

    /// Resets the count of a key in a transaction.
    ///
    /// # Errors
    ///
    /// Fails if the database does.
    pub async fn forget_in(&self, tx: &mut PgConnection, key: AttemptKey) -> Result<(), ServiceError> {
        self.of_key.reset_in(tx, key).await
    }
}
