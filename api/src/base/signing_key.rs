//! The keys that sign access tokens and links. They come from settings, or the first one is generated
//! and kept in the data folder. The newest key signs. Signatures of earlier keys remain valid.

use crate::base::random::Random;
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use std::{
    fmt, fs, io,
    io::Write,
    path::{Path, PathBuf},
};
use tempfile::NamedTempFile;

/// The minimum length of a key, in bytes.
pub const MIN_LENGTH: usize = 32;

/// Signs access tokens and links with the current key. Signatures of the earlier keys remain valid
/// until these keys are removed.
#[derive(Debug, Clone)]
pub struct SigningKey {
    current: SecretString,
    earlier: Vec<SecretString>,
}

/// Names a key without revealing it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct KeyId([u8; KeyId::LENGTH]);

impl KeyId {
    /// The length of an id in bytes.
    pub const LENGTH: usize = 8;

    /// The id with these bytes.
    #[must_use]
    pub const fn new(bytes: [u8; Self::LENGTH]) -> Self {
        Self(bytes)
    }

    /// The bytes of the id.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; Self::LENGTH] {
        &self.0
    }

    /// The id of a key: the first bytes of a hash that no signature uses.
    fn of(key: &SecretString) -> Self {
        let hash = Sha256::digest([b"serendib-tenders key id:", key.expose_secret().as_bytes()].concat());
        Self(*hash.first_chunk().unwrap_or(&[0; Self::LENGTH]))
    }
}

impl fmt::Display for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for KeyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyId({self})")
    }
}

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
        Self::of(vec![key])
    }

    /// Creates a key from the current key, followed by the earlier keys.
    pub fn of(keys: Vec<SecretString>) -> Result<Self, SigningKeyError> {
        let mut keys = keys.into_iter();
        let current = keys.next().ok_or(SigningKeyError::Short)?;
        let earlier: Vec<SecretString> = keys.collect();
        let is_short = |key: &SecretString| key.expose_secret().trim().len() < MIN_LENGTH;
        if is_short(&current) || earlier.iter().any(is_short) {
            return Err(SigningKeyError::Short);
        }
        Ok(Self { current, earlier })
    }

    /// The same key, with more earlier keys.
    pub fn with_earlier(self, keys: impl IntoIterator<Item = SecretString>) -> Result<Self, SigningKeyError> {
        Self::of(std::iter::once(self.current).chain(self.earlier).chain(keys).collect())
    }

    /// Reads the keys from this file: the current key in the first line, and earlier keys in the
    /// further lines. If the file is missing, generates a key and stores it there. Processes that
    /// start at the same time use the same key.
    pub fn load_or_create(path: &Path, random: &Random) -> Result<Self, SigningKeyError> {
        match Self::load(path)? {
            Some(key) => Ok(key),
            None => {
                create_key_file(path, &random.secret()).map_err(|source| file_error(path, source))?;
                Self::load(path)?.ok_or_else(|| file_error(path, io::ErrorKind::NotFound.into()))
            }
        }
    }

    /// Reads the keys from this file. `None`: the file does not exist.
    pub fn load(path: &Path) -> Result<Option<Self>, SigningKeyError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => SecretString::from(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(file_error(path, source)),
        };
        let lines = text.expose_secret().lines().map(str::trim).filter(|line| !line.is_empty());
        let keys = lines.map(|line| SecretString::from(line.to_owned())).collect();
        Self::of(keys).map(Some).map_err(|_| SigningKeyError::ShortFile { path: path.to_owned() })
    }

    /// Replaces the file by one with a new current key. The present keys become earlier ones. The file
    /// is complete at any time. Returns the keys of the new file.
    pub fn rotate(path: &Path, random: &Random) -> Result<Self, SigningKeyError> {
        let old = Self::load_or_create(path, random)?;
        let new = Self::new(random.secret().into())?
            .with_earlier(std::iter::once(old.current).chain(old.earlier))?;
        new.store(path)?;
        Ok(new)
    }

    /// Removes an earlier key from the file. Returns `false` if no earlier key has this id.
    pub fn remove_earlier(path: &Path, id: KeyId) -> Result<bool, SigningKeyError> {
        let Some(mut keys) = Self::load(path)? else { return Ok(false) };
        let before = keys.earlier.len();
        keys.earlier.retain(|key| KeyId::of(key) != id);
        if keys.earlier.len() == before {
            return Ok(false);
        }
        keys.store(path)?;
        Ok(true)
    }

    fn store(&self, path: &Path) -> Result<(), SigningKeyError> {
        let lines: Vec<&str> = self.keys().map(ExposeSecret::expose_secret).collect();
        replace_key_file(path, &lines.join("\n")).map_err(|source| file_error(path, source))
    }

    /// The current key, followed by the earlier keys.
    fn keys(&self) -> impl Iterator<Item = &SecretString> {
        std::iter::once(&self.current).chain(&self.earlier)
    }

    /// The id of the current key.
    #[must_use]
    pub fn id(&self) -> KeyId {
        KeyId::of(&self.current)
    }

    /// The ids of the earlier keys.
    #[must_use]
    pub fn earlier_ids(&self) -> Vec<KeyId> {
        self.earlier.iter().map(KeyId::of).collect()
    }

    /// The bytes of the key with this id. Never log or store them.
    #[must_use]
    pub fn bytes_of(&self, id: KeyId) -> Option<&[u8]> {
        self.keys().find(|key| KeyId::of(key) == id).map(|key| key.expose_secret().as_bytes())
    }

    /// Signs a text for one purpose. The signature is URL-safe.
    #[must_use]
    pub fn sign(&self, purpose: &str, text: &[u8]) -> String {
        let signature = mac(self.bytes(), purpose, text).map(|mac| mac.finalize().into_bytes());
        signature.map(|bytes| BASE64_URL_SAFE_NO_PAD.encode(bytes)).unwrap_or_default()
    }

    /// Whether the signature was made with the current key or an earlier one, for this purpose and
    /// text.
    #[must_use]
    pub fn verify(&self, purpose: &str, text: &[u8], signature: &str) -> bool {
        let Ok(signature) = BASE64_URL_SAFE_NO_PAD.decode(signature) else { return false };
        let is_of = |key| mac(key, purpose, text).is_some_and(|mac| mac.verify_slice(&signature).is_ok());
        self.all_bytes().any(is_of)
    }

    /// The bytes of the current key, for signing. Never log or store them.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.current.expose_secret().as_bytes()
    }

    /// The bytes of the current key and of the earlier keys, for checking signatures.
    pub fn all_bytes(&self) -> impl Iterator<Item = &[u8]> {
        self.keys().map(|key| key.expose_secret().as_bytes())
    }
}

fn mac(key: &[u8], purpose: &str, text: &[u8]) -> Option<Hmac<Sha256>> {
    // HMAC accepts keys of any length, so this is never `None`.
    let mut mac = Hmac::<Sha256>::new_from_slice(key).ok()?;
    mac.update(purpose.as_bytes());
    mac.update(b":");
    mac.update(text);
    Some(mac)
}

fn file_error(path: &Path, source: io::Error) -> SigningKeyError {
    SigningKeyError::File { path: path.to_owned(), source }
}

/// Writes the secret to a temporary file and moves it to `path`, unless `path` exists. A key file
/// is therefore always complete, and an existing key is never replaced.
fn create_key_file(path: &Path, secret: &str) -> io::Result<()> {
    match write_temporary(path, secret)?.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(taken) if taken.error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(failed) => Err(failed.error),
    }
}

/// Replaces a key file by a complete one.
pub fn replace_key_file(path: &Path, text: &str) -> io::Result<()> {
    write_temporary(path, text)?.persist(path)?;
    Ok(())
}

/// Writes a file that only its owner can read, in the folder of `path`.
fn write_temporary(path: &Path, text: &str) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut file = NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    Ok(file)
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
    fn signature_of_an_earlier_key_is_valid_until_its_removal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("signing.key");
        let first = SigningKey::load_or_create(&path, &Random::seeded(1)).unwrap();
        let signature = first.sign("clip", b"text");
        let second = SigningKey::rotate(&path, &Random::seeded(2)).unwrap();
        assert_eq!(second.earlier_ids(), [first.id()]);
        assert_ne!(second.sign("clip", b"text"), signature);
        let loaded = SigningKey::load(&path).unwrap().unwrap();
        assert_eq!(loaded.id(), second.id());
        assert!(loaded.verify("clip", b"text", &signature));
        assert!(!SigningKey::remove_earlier(&path, second.id()).unwrap(), "the current key stays");
        assert!(SigningKey::remove_earlier(&path, first.id()).unwrap());
        let loaded = SigningKey::load(&path).unwrap().unwrap();
        assert!(!loaded.verify("clip", b"text", &signature));
        assert!(loaded.verify("clip", b"text", &second.sign("clip", b"text")));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
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
