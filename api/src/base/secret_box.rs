//! Encrypts secrets that are stored in the database, such as those of webhooks. The keys are derived
//! from the signing keys, which are not in the database. A copy of the database therefore does not
//! contain the secrets.
//!
//! A sealed secret consists of the format's version (1 byte), the id of the signing key (8 bytes), the
//! nonce (12 bytes), and the ciphertext of AES-256-GCM with its tag. The label names the purpose of
//! the secret. Each label has a key of its own, so a secret can't be opened for another purpose.

use crate::base::{
    random::Random,
    signing_key::{KeyId, SigningKey},
};
use aws_lc_rs::{
    aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey},
    error::Unspecified,
    hkdf::{HKDF_SHA256, Salt},
};

/// The version of the format.
const VERSION: u8 = 1;
/// The salt of all derived keys.
const SALT: &[u8] = b"serendib-tenders secret box";
/// The length of everything before the ciphertext.
const HEAD_LENGTH: usize = 1 + KeyId::LENGTH + NONCE_LEN;

/// Why a secret can't be sealed or opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SecretBoxError {
    /// The bytes are not a sealed secret, were changed, or were sealed for another purpose.
    #[error("a stored secret is damaged")]
    Damaged,
    /// The secret was sealed with a key that was removed.
    #[error(
        "a stored secret was encrypted with the signing key {0}, which is not there any more; add it to signing.key or \
        to EARLIER_SIGNING_KEYS"
    )]
    UnknownKey(KeyId),
    /// The encryption failed.
    #[error("a secret could not be encrypted")]
    Failed,
}

/// Seals and opens secrets with the keys of the portal.
#[derive(Debug, Clone)]
pub struct SecretBox {
    keys: SigningKey,
    random: Random,
}

impl SecretBox {
    /// Creates a box whose keys are derived from the signing keys.
    #[must_use]
    pub const fn new(keys: SigningKey, random: Random) -> Self {
        Self { keys, random }
    }

    /// Encrypts a secret with the current key.
    ///
    /// # Errors
    /// Fails only if the encryption itself fails.
    pub fn seal(&self, label: &str, plaintext: &[u8]) -> Result<Vec<u8>, SecretBoxError> {
        let key = derive(self.keys.bytes(), label).map_err(|_| SecretBoxError::Failed)?;
        let nonce: [u8; NONCE_LEN] = self.random.bytes();
        let mut text = plaintext.to_vec();
        let nonce_of_key = Nonce::assume_unique_for_key(nonce);
        key.seal_in_place_append_tag(nonce_of_key, Aad::from(label), &mut text)
            .map_err(|_| SecretBoxError::Failed)?;
        let mut sealed = Vec::with_capacity(HEAD_LENGTH + text.len());
        sealed.push(VERSION);
        sealed.extend(self.keys.id().as_bytes());
        sealed.extend(nonce);
        sealed.extend(text);
        Ok(sealed)
    }

    /// Decrypts a secret with the key that it was sealed with.
    ///
    /// # Errors
    /// Fails if the secret was changed or was sealed for another label, or if its key was removed.
    pub fn open(&self, label: &str, sealed: &[u8]) -> Result<Vec<u8>, SecretBoxError> {
        let id = key_id(sealed).ok_or(SecretBoxError::Damaged)?;
        let nonce = sealed.get(1 + KeyId::LENGTH..HEAD_LENGTH).ok_or(SecretBoxError::Damaged)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).map_err(|_| SecretBoxError::Damaged)?;
        let secret = self.keys.bytes_of(id).ok_or(SecretBoxError::UnknownKey(id))?;
        let mut text = sealed.get(HEAD_LENGTH..).ok_or(SecretBoxError::Damaged)?.to_vec();
        let key = derive(secret, label).map_err(|_| SecretBoxError::Failed)?;
        let plain =
            key.open_in_place(nonce, Aad::from(label), &mut text).map_err(|_| SecretBoxError::Damaged)?;
        Ok(plain.to_vec())
    }

    /// Whether a secret is sealed with the current key. If not, it should be sealed again.
    #[must_use]
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        key_id(sealed) == Some(self.keys.id())
    }

    /// The first bytes of all secrets that are sealed with the current key.
    #[must_use]
    pub fn current_prefix(&self) -> Vec<u8> {
        Self::prefix_of(self.keys.id())
    }

    /// The first bytes of all secrets that are sealed with this key.
    #[must_use]
    pub fn prefix_of(key: KeyId) -> Vec<u8> {
        [&[VERSION][..], key.as_bytes()].concat()
    }
}

/// The id of the key that a secret is sealed with. `None` if the bytes are not a sealed secret.
fn key_id(sealed: &[u8]) -> Option<KeyId> {
    let (version, rest) = sealed.split_first()?;
    let id = rest.first_chunk()?;
    (*version == VERSION).then_some(KeyId::new(*id))
}

/// Derives the key of a label from a signing key.
fn derive(secret: &[u8], label: &str) -> Result<LessSafeKey, Unspecified> {
    let extracted = Salt::new(HKDF_SHA256, SALT).extract(secret);
    let info = [label.as_bytes()];
    Ok(LessSafeKey::new(UnboundKey::from(extracted.expand(&info, &AES_256_GCM)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(keys: &[&str]) -> SecretBox {
        let keys = keys.iter().map(|letter| letter.repeat(40).into()).collect();
        SecretBox::new(SigningKey::of(keys).unwrap(), Random::seeded(1))
    }

    #[test]
    fn sealed_secret_opens_only_unchanged_and_for_its_label() {
        let secrets = secrets(&["a"]);
        let sealed = secrets.seal("webhook", b"hush").unwrap();
        assert!(!sealed.windows(4).any(|part| part == b"hush"));
        assert_eq!(secrets.open("webhook", &sealed).unwrap(), b"hush");
        assert_ne!(secrets.seal("webhook", b"hush").unwrap(), sealed, "each sealing has its own nonce");
        assert_eq!(secrets.open("totp", &sealed), Err(SecretBoxError::Damaged));
        for place in 0..sealed.len() {
            let mut changed = sealed.clone();
            changed[place] ^= 1;
            assert!(secrets.open("webhook", &changed).is_err(), "byte {place}");
            assert!(secrets.open("webhook", &sealed[..place]).is_err(), "{place} bytes");
        }
    }

    #[test]
    fn secret_of_an_earlier_key_opens_until_the_key_is_removed() {
        let sealed = secrets(&["a"]).seal("webhook", b"hush").unwrap();
        let rotated = secrets(&["b", "a"]);
        assert_eq!(rotated.open("webhook", &sealed).unwrap(), b"hush");
        assert!(!rotated.is_current(&sealed));
        let again = rotated.seal("webhook", b"hush").unwrap();
        assert!(rotated.is_current(&again) && again.starts_with(&rotated.current_prefix()));
        let removed = secrets(&["b"]);
        assert_eq!(removed.open("webhook", &again).unwrap(), b"hush");
        assert!(matches!(removed.open("webhook", &sealed), Err(SecretBoxError::UnknownKey(_))));
    }
}
