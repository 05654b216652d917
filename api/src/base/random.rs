//! The random generator. It is passed as a parameter, so that tests can seed it.

use crate::base::clock::Clock;
use rand::{RngCore, SeedableRng, rngs::StdRng};
use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};
use uuid::Uuid;

/// Generates ids and secrets. Clones share the generator.
#[derive(Clone)]
pub struct Random(Arc<Mutex<StdRng>>);

impl Random {
    /// Creates a generator with a seed from the operating system. Only `main` and tests call this.
    #[must_use]
    pub fn from_system() -> Self {
        Self(Arc::new(Mutex::new(StdRng::from_os_rng())))
    }

    /// Creates a generator with this seed, for tests.
    #[must_use]
    pub fn seeded(seed: u64) -> Self {
        Self(Arc::new(Mutex::new(StdRng::seed_from_u64(seed))))
    }

    /// Returns random bytes.
    #[must_use]
    pub fn bytes<const N: usize>(&self) -> [u8; N] {
        let mut bytes = [0; N];
        self.0.lock().unwrap_or_else(PoisonError::into_inner).fill_bytes(&mut bytes);
        bytes
    }

    /// Returns a new UUIDv7. Its first 48 bits are the clock's milliseconds since 1970.
    #[must_use]
    pub fn id(&self, clock: &Clock) -> Uuid {
        let milliseconds = u64::try_from(clock.now().as_millisecond()).unwrap_or(0);
        uuid::Builder::from_unix_timestamp_millis(milliseconds, &self.bytes()).into_uuid()
    }

    /// Returns a code of `count` random digits.
    #[must_use]
    pub fn digits(&self, count: u32) -> String {
        let number = u64::from_be_bytes(self.bytes()) % 10_u64.pow(count);
        format!("{number:0width$}", width = count as usize)
    }

    /// Returns a secret of 256 random bits as URL-safe Base64.
    #[must_use]
    pub fn secret(&self) -> String {
        use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
        BASE64_URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }
}

impl fmt::Debug for Random {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Random")
    }
}
