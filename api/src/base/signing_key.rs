//! The key that signs access tokens and links: given as a setting, or made once and kept in the data folder.

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

/// The fewest characters of a key.
pub const SHORTEST: usize = 32;

/// Signs access tokens and links.
#[derive(Debug, Clone)]
pub struct SigningKey(SecretString);

/// Why there is no key.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It could be guessed.
    #[error(
        "the signing key has fewer than {SHORTEST} characters; give a longer one, or none to have one made"
    )]
    Short,
    /// Its file can't be read or written.
    #[error("the signing key cannot be kept at {}: {source}; check that the data folder is writable", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's word.
        source: io::Error,
    },
}

impl SigningKey {
    /// A given key.
    ///
    /// # Errors
    /// [`KeyError::Short`].
    pub fn new(key: SecretString) -> Result<Self, KeyError> {
        if key.expose_secret().trim().len() < SHORTEST { Err(KeyError::Short) } else { Ok(Self(key)) }
    }

    /// The key in this file, made when there is none. Two processes that start at once agree on one key.
    ///
    /// # Errors
    /// When the file can't be read or written, or holds too short a key.
    pub fn kept_at(path: &Path, random: &Random) -> Result<Self, KeyError> {
        let read = || fs::read_to_string(path).map(|text| SecretString::from(text.trim().to_owned()));
        let key = match read() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make(path, &random.secret()).and_then(|()| read())
            }
            other => other,
        };
        Self::new(key.map_err(|source| KeyError::File { path: path.to_owned(), source })?)
    }

    /// A signature over something that is handed out for one purpose, in URL-safe letters.
    #[must_use]
    pub fn sign(&self, purpose: &str, text: &[u8]) -> String {
        let signature = self.mac(purpose, text).map(|mac| mac.finalize().into_bytes());
        signature.map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes)).unwrap_or_default()
    }

    /// Whether we signed this for this purpose.
    #[must_use]
    pub fn signed(&self, purpose: &str, text: &[u8], signature: &str) -> bool {
        let Ok(signature) = BASE64_URL_SAFE_NO_PAD.decode(signature) else { return false };
        self.mac(purpose, text).is_some_and(|mac| mac.verify_slice(&signature).is_ok())
    }

    fn mac(&self, purpose: &str, text: &[u8]) -> Option<Hmac<Sha256>> {
        // HMAC takes a key of any length, so this never is `None`.
        let mut mac = Hmac::<Sha256>::new_from_slice(self.bytes()).ok()?;
        mac.update(purpose.as_bytes());
        mac.update(b":");
        mac.update(text);
        Some(mac)
    }

    /// For signing. Never log or store it.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.0.expose_secret().as_bytes()
    }
}

/// Writes a temporary file and moves it into place unless the name is taken. The name therefore appears with its whole
/// content, and never replaces another key.
fn make(path: &Path, secret: &str) -> io::Result<()> {
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
    fn a_key_is_made_once_and_only_its_owner_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data/signing.key");
        let first = SigningKey::kept_at(&path, &Random::seeded(1)).unwrap();
        let second = SigningKey::kept_at(&path, &Random::seeded(2)).unwrap();
        assert_eq!(first.bytes(), second.bytes());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn a_signature_is_good_for_its_key_purpose_and_text_alone() {
        let key = |letter: &str| SigningKey::new(letter.repeat(40).into()).unwrap();
        let signature = key("a").sign("clip", b"text");
        assert!(key("a").signed("clip", b"text", &signature));
        assert!(!key("b").signed("clip", b"text", &signature));
        assert!(!key("a").signed("guest", b"text", &signature));
        for rubbish in ["", "x", "%", &signature[1..]] {
            assert!(!key("a").signed("clip", b"text", rubbish), "{rubbish}");
        }
    }

    #[test]
    fn a_short_key_is_refused() {
        assert!(matches!(SigningKey::new("secret".to_owned().into()), Err(KeyError::Short)));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signing.key");
        fs::write(&path, "").unwrap();
        assert!(matches!(SigningKey::kept_at(&path, &Random::seeded(1)), Err(KeyError::Short)));
    }
}
