//! Hashes of random secrets such as API keys, tokens and mailed links.

use sha2::{Digest, Sha256};

/// Returns the SHA-256 hash of a secret. A secret of 256 random bits needs no slow hash.
#[must_use]
pub fn secret_hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
