//! Random secrets such as API keys, tokens and the codes of mailed links.

use sha2::{Digest, Sha256};

/// The hash under which a secret of 256 random bits is stored. Such a secret can't be guessed from a plain hash.
#[must_use]
pub fn secret_hash(secret: &str) -> [u8; 32] {
    Sha256::digest(secret.as_bytes()).into()
}
