//! Files in the data folder, named by the hash of their content. A file is written under a
//! temporary name and then renamed, so that it is always complete. Its content never changes.

use sha2::{Digest, Sha256};
use std::{fs::Permissions, io, os::unix::fs::PermissionsExt, path::Path};
use tempfile::TempPath;
use tokio::{
    fs::{self, File},
    io::AsyncWriteExt,
    task::spawn_blocking,
};

/// The name prefix of files that are still being written.
const TEMP_PREFIX: &str = ".";

/// Returns the hash of these bytes: their SHA-256 in 64 hex digits.
#[must_use]
pub fn hash(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Whether a text has the format of [`hash`].
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// Whether a file name is that of a file that is being written or that a crash has left behind.
#[must_use]
pub fn is_unfinished(name: &str) -> bool {
    name.starts_with(TEMP_PREFIX)
}

/// Whether a file of this size exists.
pub async fn exists_with_size(path: &Path, size: u64) -> bool {
    fs::metadata(path).await.is_ok_and(|metadata| metadata.len() == size)
}

/// A file that is being written. Dropping this value before `keep` deletes the file. A file that a
/// crash leaves behind has a name with [`TEMP_PREFIX`]. The job `delete_orphaned_files` deletes it later.
#[derive(Debug)]
pub struct IncomingFile {
    file: File,
    path: TempPath,
    digest: Sha256,
    size: u64,
}

impl IncomingFile {
    /// Creates a temporary file in this folder.
    pub async fn begin(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder).await?;
        let folder = folder.to_owned();
        let create = move || {
            let mut file = tempfile::Builder::new();
            // The process's umask reduces these permissions, as for any new file.
            file.prefix(TEMP_PREFIX).permissions(Permissions::from_mode(0o666)).tempfile_in(folder)
        };
        let (file, path) = spawn_blocking(create).await??.into_parts();
        Ok(Self { file: File::from_std(file), path, digest: Sha256::new(), size: 0 })
    }

    /// Appends bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).await
    }

    /// Reads what was written so far.
    pub async fn contents(&mut self) -> io::Result<Vec<u8>> {
        self.file.flush().await?;
        fs::read(&self.path).await
    }

    /// The number of bytes written so far.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// The hash of the bytes written so far.
    #[must_use]
    pub fn hash(&self) -> String {
        hex::encode(self.digest.clone().finalize())
    }

    /// Syncs the file and renames it to `path`. An existing file with the same content is
    /// replaced, so that `delete_orphaned_files` counts its age from now.
    pub async fn keep(self, path: &Path) -> io::Result<()> {
        self.file.sync_all().await?;
        let (temporary, path) = (self.path, path.to_owned());
        spawn_blocking(move || temporary.persist(path)).await??;
        Ok(())
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
    async fn dropped_file_is_deleted_and_kept_file_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let mut dropped = IncomingFile::begin(folder.path()).await.unwrap();
        dropped.write(b"half").await.unwrap();
        drop(dropped);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let mut kept = IncomingFile::begin(folder.path()).await.unwrap();
        kept.write(b"who").await.unwrap();
        kept.write(b"le").await.unwrap();
        assert_eq!((kept.size(), kept.hash()), (5, hash(b"whole")));
        let place = folder.path().join(kept.hash());
        kept.keep(&place).await.unwrap();
        assert_eq!(std::fs::read(&place).unwrap(), b"whole");
        let other = folder.path().join("other");
        std::fs::write(&other, b"").unwrap();
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&place), mode(&other), "a kept file has the permissions of any new file");
        std::fs::remove_file(other).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
