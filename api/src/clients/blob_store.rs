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

/// Returns the name for these bytes: their SHA-256 in 64 hex digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Whether a text has the format of a file name of this store.
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a file of this size exists.
pub async fn exists_with_size(path: &Path, size: u64) -> bool {
    fs::metadata(path).await.is_ok_and(|metadata| metadata.len() == size)
}

/// A file that is being written. Dropping it before `keep` deletes it. A job deletes leftovers of
/// a crash.
#[derive(Debug)]
pub struct Incoming {
    temp_path: PathBuf,
    file: File,
    digest: Sha256,
    size: u64,
    is_kept: bool,
}

impl Incoming {
    /// Creates a temporary file in this folder. `unique` names it, so concurrent writers do not
    /// collide.
    pub async fn begin(folder: &Path, unique: Uuid) -> io::Result<Self> {
        fs::create_dir_all(folder).await?;
        let temp_path = folder.join(format!("{TEMP_PREFIX}{unique}"));
        let file = File::create(&temp_path).await?;
        Ok(Self { temp_path, file, digest: Sha256::new(), size: 0, is_kept: false })
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
        fs::rename(&self.temp_path, place).await?;
        self.is_kept = true;
        Ok(())
    }
}

impl Drop for Incoming {
    fn drop(&mut self) {
        if !self.is_kept {
            // An error is ignored: nothing refers to the file, and it only takes disk space.
            let _ = std::fs::remove_file(&self.temp_path);
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
        let mut dropped = Incoming::begin(folder.path(), Uuid::from_u128(1)).await.unwrap();
        dropped.write(b"half").await.unwrap();
        drop(dropped);
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
