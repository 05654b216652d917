//! Files in the data folder that are named by their content's hash: written beside their place and then moved there, so that one
//! is whole or absent, and never changed.

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

/// What the name of a file that is still being written begins with.
const BESIDE: &str = ".";

/// The name of these bytes: SHA-256 in 64 hex digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Whether this could be the name of some bytes.
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a file of this size lies there.
pub async fn is_there(path: &Path, size: u64) -> bool {
    fs::metadata(path).await.is_ok_and(|there| there.len() == size)
}

/// A file that is being written. Dropped before it is kept, it leaves nothing; what a process that dies leaves, [`sweep`] takes.
#[derive(Debug)]
pub struct Incoming {
    beside: PathBuf,
    file: File,
    digest: Sha256,
    size: u64,
    is_kept: bool,
}

impl Incoming {
    /// Begins one in this folder. `unique` keeps two writers apart.
    ///
    /// # Errors
    /// When the folder can't be written.
    pub async fn begin(folder: &Path, unique: Uuid) -> io::Result<Self> {
        fs::create_dir_all(folder).await?;
        let beside = folder.join(format!("{BESIDE}{unique}"));
        let file = File::create(&beside).await?;
        Ok(Self { beside, file, digest: Sha256::new(), size: 0, is_kept: false })
    }

    /// Appends bytes.
    ///
    /// # Errors
    /// When they can't be written.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).await
    }

    /// How many bytes were written.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The name of the bytes written.
    #[must_use]
    pub fn hash(&self) -> String {
        hex::encode(self.digest.clone().finalize())
    }

    /// Puts it in its place, on the disk. One that lies there already is as good, and new again.
    ///
    /// # Errors
    /// When it can't be written.
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
            // Nothing refers to it; a leftover costs only its bytes.
            let _ = std::fs::remove_file(&self.beside);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_hash_is_a_name() {
        assert!(is_hash(&hash(b"x")));
        for rubbish in ["", "../../etc/passwd", &hash(b"x").to_uppercase(), &"a".repeat(63)] {
            assert!(!is_hash(rubbish), "{rubbish}");
        }
    }

    #[tokio::test]
    async fn what_is_not_kept_leaves_nothing() {
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
