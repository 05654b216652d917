//! Files that are being received. They are written under a temporary name in a local folder.

use super::{error::FileErrorCause, stored::is_old};
use bytes::BytesMut;
use object_store::{ObjectStore, ObjectStoreExt, WriteMultipart, path::Path as ObjectPath};
use sha2::{Digest, Sha256};
use std::{fs::Permissions, io, os::unix::fs::PermissionsExt, path::Path, sync::Arc, time::Duration};
use tempfile::TempPath;
use tokio::{
    fs::{self, File},
    io::{AsyncReadExt, AsyncWriteExt},
    task::spawn_blocking,
};

/// The name prefix of files that are still being written.
const TEMP_PREFIX: &str = ".";
/// The size of a part that is sent to a bucket. A larger file is sent in several parts.
const PART_BYTES: usize = 8 << 20;
/// The number of parts that are sent at the same time.
const PARTS_AT_ONCE: usize = 2;
/// The number of bytes that are read at once.
const READ_BYTES: usize = 1 << 20;

/// A file that is being written. Dropping this value before it is kept deletes the file. A file that a
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
    pub(super) async fn begin(folder: &Path) -> io::Result<Self> {
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
    ///
    /// # Errors
    /// Fails if the disk can't be written.
    pub async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.update(bytes);
        self.size += bytes.len() as u64;
        self.file.write_all(bytes).await
    }

    /// Reads what was written so far.
    ///
    /// # Errors
    /// Fails if the disk can't be read.
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

    /// Syncs the file and renames it to `path`. An existing file with the same content is replaced, so
    /// that its age counts from now.
    pub(super) async fn keep(self, path: &Path) -> io::Result<()> {
        self.file.sync_all().await?;
        let (temporary, path) = (self.path, path.to_owned());
        spawn_blocking(move || temporary.persist(path)).await??;
        Ok(())
    }

    /// Sends the file to a bucket, and deletes it here. The bucket has the whole file or nothing.
    pub(super) async fn send(
        mut self,
        objects: &Arc<dyn ObjectStore>,
        name: &ObjectPath,
    ) -> Result<(), FileErrorCause> {
        self.file.flush().await?;
        if self.size <= PART_BYTES as u64 {
            let bytes = fs::read(&self.path).await?;
            objects.put(name, bytes.into()).await?;
            return Ok(());
        }
        let mut file = File::open(&self.path).await?;
        let upload = objects.put_multipart(name).await?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PART_BYTES);
        match send_parts(&mut file, &mut upload).await {
            Ok(()) => {
                upload.finish().await?;
                Ok(())
            }
            Err(error) => {
                // The bucket would keep the parts for ever.
                drop(upload.abort().await);
                Err(error)
            }
        }
    }
}

/// Sends a file as parts of an upload, of which few are in memory.
async fn send_parts(file: &mut File, upload: &mut WriteMultipart) -> Result<(), FileErrorCause> {
    loop {
        let mut bytes = BytesMut::with_capacity(READ_BYTES);
        if file.read_buf(&mut bytes).await? == 0 {
            return Ok(());
        }
        upload.wait_for_capacity(PARTS_AT_ONCE).await?;
        upload.put(bytes.freeze());
    }
}

/// Deletes the files in a folder that a crash left behind at least `min_age` ago. Returns their number.
pub(super) fn delete_unfinished(folder: &Path, min_age: Duration) -> io::Result<usize> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut deleted = 0;
    for entry in entries {
        let entry = entry?;
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(TEMP_PREFIX);
        // The file may have been renamed since the listing.
        let written_at = entry.metadata().and_then(|metadata| metadata.modified());
        if is_unfinished && written_at.is_ok_and(|at| is_old(at, min_age)) {
            deleted += usize::from(std::fs::remove_file(entry.path()).is_ok());
        }
    }
    Ok(deleted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::file_store::name::hash;

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

    #[tokio::test]
    async fn only_old_unfinished_files_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let unfinished = IncomingFile::begin(folder.path()).await.unwrap();
        std::fs::write(folder.path().join(hash(b"x")), b"x").unwrap();
        let delete = |age| delete_unfinished(folder.path(), age).unwrap();
        assert_eq!(delete(Duration::from_hours(1)), 0);
        assert_eq!(delete(Duration::ZERO), 1);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        drop(unfinished);
        assert_eq!(delete_unfinished(&folder.path().join("nowhere"), Duration::ZERO).unwrap(), 0);
    }
}
