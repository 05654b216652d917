//! Files in the data folder, named by the hash of their content. A temporary file is moved into
//! place, so that a file is complete and immutable.

use sha2::{Digest, Sha256};
use std::{
    io,
    path::{Path, PathBuf},
};
use tokio::{
    fs::{self, File},
    io::AsyncWriteExt,
};
use uuid::Uuid;

/// The name prefix of files that are still being written.
const TEMP_PREFIX: &str = ".";

/// The name of these bytes: SHA-256 in 64 hex digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Whether a text could be such a name.
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a file of this size exists.
pub async fn is_there(path: &Path, size: u64) -> bool {
    fs::metadata(path).await.is_ok_and(|there| there.len() == size)
}

/// A file that is being written. Dropping it before `keep` deletes it; a leftover after a crash is
/// deleted by the sweep job.
#[derive(Debug)]
pub struct Incoming {
    beside: PathBuf,
    file: File,
    digest: Sha256,
    size: u64,
    is_kept: bool,
}

impl Incoming {
    /// Creates a temporary file in this folder. `unique` separates concurrent writers.
    pub async fn begin(folder: &Path, unique: Uuid) -> io::Result<Self> {
        fs::create_dir_all(folder).await?;
        let beside = folder.join(format!("{TEMP_PREFIX}{unique}"));
        let file = File::create(&beside).await?;
        Ok(Self { beside, file, digest: Sha256::new(), size: 0, is_kept: false })
    }

    /// Appends bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).await
    }

    /// The number of bytes written.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The name for the bytes written.
    #[must_use]
    pub fn hash(&self) -> String {
        hex::encode(self.digest.clone().finalize())
    }

    /// Syncs the file and moves it into place. If it already exists, only its age is renewed.
    pub async fn keep(mut self, place: &Path) -> io::Result<()> {
        self.file.sync_all().await?;
        fs::rename(&self.beside, place).await?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nothing refers to a leftover; it only takes disk space.
            let _ = std::fs::remove_file(&self.beside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_hashes_are_valid_names() {
        assert!(is_hash(&hash(b"x")));
        for rubbish in ["", "../../etc/passwd", &hash(b"x").to_uppercase(), &"a".repeat(63)] {
            assert!(!is_hash(rubbish), "{rubbish}");
        }
    }

    #[tokio::test]
    async fn dropped_file_is_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let mut given_up = Incoming::begin(folder.path(), Uuid::from_u128(1)).await.unwrap();
        given_up.write(b"half").await.unwrap();
        drop(given_up);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut kept = Incoming::begin(folder.path(), Uuid::from_u128(2)).await.unwrap();
        kept.write(b"who").await.unwrap();
        kept.write(b"le").await.unwrap();
        assert_eq!((kept.size(), kept.hash()), (5, hash(b"whole")));
        let place = folder.path().join(kept.hash());
        kept.keep(&place).await.unwrap();
        assert_eq!(std::fs::read(place).unwrap(), b"whole");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
