//! Settings of the signing keys.

use crate::base::{
    random::Random,
    signing_key::{self, SigningKey, SigningKeyError},
};
use clap::Args;
use secrecy::{ExposeSecret, SecretString};
use settings::Findings;
use std::path::Path;

/// The signing keys. Without these settings, they are in a file of the data folder.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Server")]
pub struct KeysConfig {
    /// The key that signs access tokens and links, at least 32 bytes [default: generated once and
    /// kept in the data folder]
    #[arg(long, env = "SIGNING_KEY", hide_env_values = true, value_name = "KEY")]
    pub signing_key: Option<SecretString>,
    /// Earlier signing keys, separated by commas. Their signatures, such as those of unsubscribe
    /// links in mails already sent, remain valid
    #[arg(
        long,
        env = "EARLIER_SIGNING_KEYS",
        hide_env_values = true,
        value_delimiter = ',',
        value_name = "KEYS"
    )]
    pub earlier_signing_keys: Vec<SecretString>,
}

impl KeysConfig {
    /// Refuses short keys.
    pub fn check(&self, found: &mut Findings) {
        let is_short = |key: &SecretString| key.expose_secret().trim().len() < signing_key::MIN_LENGTH;
        let what = format!("a key has fewer than {} bytes", signing_key::MIN_LENGTH);
        if self.signing_key.as_ref().is_some_and(is_short) {
            let remedy =
                "write the output of `openssl rand -base64 32`, or omit SIGNING_KEY to have one generated";
            found.refuse("SIGNING_KEY", &what, remedy);
        }
        if self.earlier_signing_keys.iter().any(is_short) {
            found.refuse("EARLIER_SIGNING_KEYS", &what, "write the whole keys, separated by commas");
        }
    }

    /// Returns the keys of the settings, or those in this file. `None`: there is no key.
    ///
    /// # Errors
    /// Fails if a key is too short, or if the file can't be read.
    pub fn load(&self, file: &Path) -> Result<Option<SigningKey>, SigningKeyError> {
        let current = match &self.signing_key {
            Some(key) => Some(SigningKey::new(key.clone())?),
            None => SigningKey::load(file)?,
        };
        current.map(|key| self.with_earlier(key)).transpose()
    }

    /// Like [`Self::load`], but generates a missing key and stores it in the file.
    ///
    /// # Errors
    /// Fails if a key is too short, or if the file can't be read or written.
    pub fn load_or_create(&self, file: &Path, random: &Random) -> Result<SigningKey, SigningKeyError> {
        match &self.signing_key {
            Some(key) => self.with_earlier(SigningKey::new(key.clone())?),
            None => self.with_earlier(SigningKey::load_or_create(file, random)?),
        }
    }

    fn with_earlier(&self, key: SigningKey) -> Result<SigningKey, SigningKeyError> {
        key.with_earlier(self.earlier_signing_keys.iter().cloned())
    }
}
