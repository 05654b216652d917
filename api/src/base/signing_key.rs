//! The key that signs access tokens and links. It comes from a setting, or it is generated once
//! and kept in the data folder.

use crate::base::random::Random;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// The minimum length of a key, in bytes.
pub const MIN_LENGTH: usize = 32;

/// Signs access tokens and links.
#[derive(Debug, Clone)]
pub struct SigningKey(SecretString);

/// Why there is no usable signing key.
#[derive(Debug, thiserror::Error)]
pub enum SigningKeyError {
    /// The key is too short.
    #[error(
        "the signing key has fewer than {MIN_LENGTH} bytes; set a longer one, or omit it to have one generated"
    )]
    Short,
    /// The key in the file is too short.
    #[error(
        "the signing key at {} has fewer than {MIN_LENGTH} bytes; delete the file to have one generated", path.display()
    )]
    ShortFile {
        /// The file.
        path: PathBuf,
    },
    /// The key's file can't be read or written.
    #[error("the signing key at {} cannot be read or written: {source}; check that the data folder is writable", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: io::Error,
    },
}

impl SigningKey {
    /// Creates a key from a setting.
    pub fn new(key: SecretString) -> Result<Self, SigningKeyError> {
        if key.expose_secret().trim().len() < MIN_LENGTH {
            Err(SigningKeyError::Short)
        } else {
            Ok(Self(key))
        }
    }

    /// Reads the key from this file. If the file is missing, generates the key and stores it
    /// there. Processes that start at the same time use the same key.
    pub fn load_or_create(path: &Path, random: &Random) -> Result<Self, SigningKeyError> {
        let read = || fs::read_to_string(path).map(|text| SecretString::from(text.trim().to_owned()));
        let key = match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                create_key_file(path, &random.secret()).and_then(|()| read())
            }
            other => other,
        };
        let key = key.map_err(|source| SigningKeyError::File { path: path.to_owned(), source })?;
        Self::new(key).map_err(|_| SigningKeyError::ShortFile { path: path.to_owned() })
    }

    /// Signs a text for one purpose. The signature is URL-safe.
    #[must_use]
    pub fn sign(&self, purpose: &str, text: &[u8]) -> String {
        let signature = self.mac(purpose, text).map(|mac| mac.finalize().into_bytes());
        signature.map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes)).unwrap_or_default()
    }

    /// Whether the signature was made with this key for this purpose and text.
    #[must_use]
    pub fn verify(&self, purpose: &str, text: &[u8], signature: &str) -> bool {
        let Ok(signature) = BASE64_URL_SAFE_NO_PAD.decode(signature) else { return false };
        self.mac(purpose, text).is_some_and(|mac| mac.verify_slice(&signature).is_ok())
    }

    fn mac(&self, purpose: &str, text: &[u8]) -> Option<Hmac<Sha256>> {
        // HMAC accepts keys of any length, so this is never `None`.
        let mut mac = Hmac::<Sha256>::new_from_slice(self.bytes()).ok()?;
        mac.update(purpose.as_bytes());
        mac.update(b":");
        mac.update(text);
        Some(mac)
    }

    /// The key's bytes, for signing. Never log or store them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

/// Writes the secret to a temporary file and moves it to `path`, unless `path` exists. A key file
/// is therefore always complete, and an existing key is never replaced.
fn create_key_file(path: &Path, secret: &str) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(secret.as_bytes())?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(failed) => Err(failed.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_file_is_created_once_and_private() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data/signing.key");
        let first = SigningKey::load_or_create(&path, &Random::seeded(1)).unwrap();
        let second = SigningKey::load_or_create(&path, &Random::seeded(2)).unwrap();
        assert_eq!(first.bytes(), second.bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn signature_is_bound_to_key_purpose_and_text() {
        let key = |letter: &str| SigningKey::new(letter.repeat(40).into()).unwrap();
        let signature = key("a").sign("clip", b"text");
        assert!(key("a").verify("clip", b"text", &signature));
        assert!(!key("b").verify("clip", b"text", &signature));
        assert!(!key("a").verify("guest", b"text", &signature));
        for rubbish in ["", "x", "%", &signature[1..]] {
            assert!(!key("a").verify("clip", b"text", rubbish), "{rubbish}");
        }
    }

    #[test]
    fn short_key_is_refused() {
        assert!(matches!(SigningKey::new("secret".to_owned().into()), Err(SigningKeyError::Short)));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signing.key");
        fs::write(&path, "").unwrap();
        assert!(matches!(
            SigningKey::load_or_create(&path, &Random::seeded(1)),
            Err(SigningKeyError::ShortFile { path: named }) if named == path
        ));
    }
}
