//! SHA-256.

use sha2::{Digest, Sha256};

/// The SHA-256 digest of some bytes.
#[must_use]
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
