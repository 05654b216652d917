//! The place of backups: a directory, or a bucket of an S3-compatible service.
//!
//! `backups/ID/` contains the objects of one backup. `files/` contains the files of all backups, each
//! under the hash of its content.

use super::manifest::{FORMAT, Manifest, Part};
use crate::{
    base::config::S3Config,
    clients::file_store::{Patience, hash, is_hash, open_bucket},
};
use anyhow::{Context, bail, ensure};
use bytes::Bytes;
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use futures::TryStreamExt;
use object_store::{ObjectStore, ObjectStoreExt, local::LocalFileSystem, path::Path as ObjectPath};
use std::{
    collections::{BTreeSet, HashMap},
    fs,
    io::{self, ErrorKind, Read, Write},
    path::Path,
    sync::Arc,
};

/// The name of the manifest.
const MANIFEST: &str = "manifest.json";
/// The limit of a part's size after decompression. The parts that a backup writes are smaller, unless
/// one row is larger.
const MAX_PART_BYTES: u64 = 4 << 30;

/// Why a file can't be read from a place of backups.
#[derive(Debug, thiserror::Error)]
pub enum StoredFileError {
    /// The file is missing, damaged or unreadable. Other files may be whole.
    #[error("{0}")]
    File(String),
    /// The place can't be read.
    #[error(transparent)]
    Place(anyhow::Error),
}

/// The place of the backups of one portal.
#[derive(Debug, Clone)]
pub struct BackupStore {
    objects: Arc<dyn ObjectStore>,
    /// The path of the directory, or `s3://BUCKET/PREFIX`.
    place: String,
}

impl BackupStore {
    /// Opens a place: the path of a directory, or `s3://BUCKET/PREFIX`. A directory is created if
    /// `create` is set.
    ///
    /// # Errors
    /// Fails if the place is malformed, or if the directory does not exist or can't be created.
    pub fn open(place: &str, create: bool, s3: &S3Config) -> anyhow::Result<Self> {
        if let Some(rest) = place.strip_prefix("s3://") {
            return Ok(Self { objects: open_bucket(rest, s3, Patience::Long)?, place: place.to_owned() });
        }
        ensure!(
            !place.contains("://"),
            "{place} is not a place for backups; give a directory or s3://BUCKET/PREFIX"
        );
        if create {
            std::fs::create_dir_all(place).with_context(|| format!("creating the directory {place}"))?;
        }
        let metadata = std::fs::metadata(place).with_context(|| format!("opening the directory {place}"))?;
        ensure!(metadata.is_dir(), "{place} is not a directory");
        let objects = LocalFileSystem::new_with_prefix(place)
            .with_context(|| format!("opening the directory {place}"))?
            .with_fsync(true);
        Ok(Self { objects: Arc::new(objects), place: place.to_owned() })
    }

    /// The directory. `None`: the place is a bucket.
    fn directory(&self) -> Option<&Path> {
        (!self.place.starts_with("s3://")).then(|| Path::new(&self.place))
    }

    /// The context of errors of the first request to the place.
    fn listing(&self) -> String {
        let hint = match self.directory() {
            None => "; check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT",
            Some(_) => "",
        };
        format!("listing the backups in {}{hint}", self.place)
    }

    /// Stores an object of a backup.
    pub async fn put(&self, id: &str, name: &str, entries: u64, bytes: Vec<u8>) -> anyhow::Result<Part> {
        let part = Part { name: name.to_owned(), sha256: hash(&bytes), entries };
        self.write(&object_path(id, name), bytes).await?;
        Ok(part)
    }

    /// Stores the manifest, which completes the backup.
    pub async fn put_manifest(&self, manifest: &Manifest) -> anyhow::Result<()> {
        self.write(&object_path(&manifest.id, MANIFEST), serde_json::to_vec_pretty(manifest)?).await
    }

    async fn write(&self, path: &ObjectPath, bytes: impl Into<Bytes>) -> anyhow::Result<()> {
        self.objects
            .put(path, bytes.into().into())
            .await
            .with_context(|| format!("writing {path} in {}", self.place))?;
        Ok(())
    }

    async fn read(&self, path: &ObjectPath) -> anyhow::Result<Bytes> {
        let reading = || format!("reading {path} in {}", self.place);
        let result = self.objects.get(path).await.with_context(reading)?;
        result.bytes().await.with_context(reading)
    }

    /// Reads an object of a backup, and checks its bytes.
    pub async fn get(&self, id: &str, part: &Part) -> anyhow::Result<Bytes> {
        let path = object_path(id, &part.name);
        let bytes = self.read(&path).await?;
        ensure!(hash(&bytes) == part.sha256, "{path} is damaged: its checksum is not that of the manifest");
        Ok(bytes)
    }

    /// Reads and decompresses an object of a backup.
    pub async fn get_compressed(&self, id: &str, part: &Part) -> anyhow::Result<Vec<u8>> {
        let bytes = self.get(id, part).await?;
        tokio::task::spawn_blocking(move || {
            let mut plain = Vec::new();
            GzDecoder::new(&bytes[..]).take(MAX_PART_BYTES).read_to_end(&mut plain)?;
            Ok(plain)
        })
        .await?
    }

    /// Reads the manifest of a backup.
    pub async fn manifest(&self, id: &str) -> anyhow::Result<Manifest> {
        let path = object_path(id, MANIFEST);
        let bytes = self.read(&path).await.with_context(|| format!("opening the backup {id}"))?;
        let manifest: Manifest =
            serde_json::from_slice(&bytes).with_context(|| format!("the manifest {path} is damaged"))?;
        if manifest.format != FORMAT {
            bail!(
                "the backup {id} has format {}, but this version of api reads format {FORMAT}",
                manifest.format
            );
        }
        Ok(manifest)
    }

    /// The ids of the complete backups, oldest first, and those of the incomplete ones.
    pub async fn ids(&self) -> anyhow::Result<(Vec<String>, Vec<String>)> {
        let (mut complete, mut all) = (BTreeSet::new(), BTreeSet::new());
        let mut objects = self.objects.list(Some(&ObjectPath::from("backups")));
        while let Some(object) = objects.try_next().await.with_context(|| self.listing())? {
            let parts: Vec<String> = object.location.parts().map(|part| part.as_ref().to_owned()).collect();
            let [_, id, name] = parts.as_slice() else { continue };
            all.insert(id.clone());
            if name == MANIFEST {
                complete.insert(id.clone());
            }
        }
        let incomplete = all.difference(&complete).cloned().collect();
        Ok((complete.into_iter().collect(), incomplete))
    }

    /// The id of this backup, or of the newest complete one.
    pub async fn find(&self, id: Option<&str>) -> anyhow::Result<String> {
        let (complete, _) = self.ids().await?;
        match id {
            Some(id) if complete.iter().any(|one| one == id) => Ok(id.to_owned()),
            Some(id) => bail!("there is no complete backup {id}; `api backup list` lists the backups"),
            None => complete
                .last()
                .cloned()
                .with_context(|| format!("there is no complete backup in {}", self.place)),
        }
    }

    /// Deletes a backup without its files. The manifest is deleted first, so that an interrupted
    /// deletion leaves no backup that seems complete.
    pub async fn delete(&self, id: &str) -> anyhow::Result<()> {
        self.delete_object(&object_path(id, MANIFEST)).await?;
        let objects = self.objects.list(Some(&ObjectPath::from(format!("backups/{id}"))));
        let paths: Vec<_> = objects.map_ok(|object| object.location).try_collect().await?;
        for path in paths {
            self.delete_object(&path).await?;
        }
        Ok(())
    }

    async fn delete_object(&self, path: &ObjectPath) -> anyhow::Result<()> {
        match self.objects.delete(path).await {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(error).with_context(|| format!("deleting {path} in {}", self.place)),
        }
    }

    /// The stored files with their sizes.
    pub async fn files(&self) -> anyhow::Result<HashMap<String, u64>> {
        let mut files = HashMap::new();
        let mut objects = self.objects.list(Some(&ObjectPath::from("files")));
        while let Some(object) = objects.try_next().await.with_context(|| self.listing())? {
            if let Some(name) = object.location.filename().filter(|name| is_hash(name)) {
                files.insert(name.to_owned(), object.size);
            }
        }
        Ok(files)
    }

    /// Stores a file under its hash.
    pub async fn put_file(&self, hash: &str, bytes: Bytes) -> anyhow::Result<()> {
        self.write(&file_path(hash), bytes).await
    }

    /// Reads a file, and checks its content.
    pub async fn get_file(&self, name: &str) -> Result<Bytes, StoredFileError> {
        let path = file_path(name);
        match self.read(&path).await {
            Ok(bytes) if hash(&bytes) == name => Ok(bytes),
            Ok(_) => Err(StoredFileError::File(format!("{path} is damaged: its content has another hash"))),
            Err(error) => {
                let is_of_file = match self.directory() {
                    // A bad sector makes one file unreadable. An unmounted disk takes all folders away.
                    Some(directory) => directory.join("backups").is_dir(),
                    None => is_missing(&error),
                };
                Err(if is_of_file {
                    StoredFileError::File(format!("{error:#}"))
                } else {
                    StoredFileError::Place(error)
                })
            }
        }
    }

    /// Whether the place has a whole copy of a file.
    pub async fn has_whole_file(&self, name: &str) -> anyhow::Result<bool> {
        match self.get_file(name).await {
            Ok(_) => Ok(true),
            Err(StoredFileError::File(_)) => Ok(false),
            Err(StoredFileError::Place(error)) => Err(error),
        }
    }

    /// Deletes a file.
    pub async fn delete_file(&self, hash: &str) -> anyhow::Result<()> {
        self.delete_object(&file_path(hash)).await
    }

    /// Deletes what interrupted writes leave in a directory: temporary files and empty folders. A bucket
    /// contains neither. Returns the number of files.
    pub async fn delete_leftovers(&self) -> anyhow::Result<usize> {
        let Some(directory) = self.directory().map(Path::to_owned) else { return Ok(0) };
        tokio::task::spawn_blocking(move || {
            let mut deleted = 0;
            for name in ["backups", "files"] {
                let folder = directory.join(name);
                deleted +=
                    delete_leftovers_in(&folder).with_context(|| format!("cleaning {}", folder.display()))?;
            }
            Ok(deleted)
        })
        .await?
    }
}

/// Deletes the temporary files in the folders of this folder, and the folders that are empty then.
fn delete_leftovers_in(parent: &Path) -> io::Result<usize> {
    let entries = match fs::read_dir(parent) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        entries => entries?,
    };
    let mut deleted = 0;
    for folder in entries {
        let folder = folder?;
        if !folder.file_type()?.is_dir() {
            continue;
        }
        for file in fs::read_dir(folder.path())? {
            let file = file?;
            if is_temporary(&file.file_name().to_string_lossy()) {
                fs::remove_file(file.path())?;
                deleted += 1;
            }
        }
        match fs::remove_dir(folder.path()) {
            Err(error) if error.kind() != ErrorKind::DirectoryNotEmpty => return Err(error),
            _ => {}
        }
    }
    Ok(deleted)
}

/// Whether `object_store` gives this name to a file that it is writing: `NAME#1`. Listings omit such files.
fn is_temporary(name: &str) -> bool {
    name.rsplit_once('#').is_some_and(|(name, number)| {
        !name.is_empty() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// Whether an error means that the object does not exist.
fn is_missing(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(object_store::Error::NotFound { .. }))
}

/// Compresses the bytes of an object.
pub async fn compress(plain: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    tokio::task::spawn_blocking(move || {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&plain)?;
        Ok(encoder.finish()?)
    })
    .await?
}

fn object_path(id: &str, name: &str) -> ObjectPath {
    ObjectPath::from(format!("backups/{id}/{name}"))
}

fn file_path(hash: &str) -> ObjectPath {
    ObjectPath::from(format!("files/{}/{hash}", hash.get(..2).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn folder_that_cannot_be_read_is_named_with_the_cause() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().to_str().unwrap();
        // A link to itself cannot be read by any user, not even by root.
        std::os::unix::fs::symlink("backups", folder.path().join("backups")).unwrap();
        let store = BackupStore::open(place, false, &S3Config::default()).unwrap();
        let error = format!("{:#}", store.find(None).await.unwrap_err());
        assert!(error.starts_with(&format!("listing the backups in {place}: ")), "{error}");
        assert!(error.contains("symbolic links") && !error.contains("AWS"), "{error}");

        let missing = folder.path().join("nowhere");
        let error = BackupStore::open(missing.to_str().unwrap(), false, &S3Config::default()).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("nowhere: ") && error.contains("No such file"), "{error}");
    }

    #[test]
    fn bucket_without_credentials_is_refused_unless_the_machine_has_a_role() {
        let open = |s3: &S3Config| BackupStore::open("s3://bucket/portal", false, s3).map(drop);
        let error = open(&S3Config::default()).unwrap_err().to_string();
        for setting in ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_INSTANCE_CREDENTIALS=true"] {
            assert!(error.contains(setting), "{error}");
        }
        open(&S3Config { aws_instance_credentials: true, ..S3Config::default() }).unwrap();
        let key = S3Config {
            aws_access_key_id: Some("id".to_owned()),
            aws_secret_access_key: Some("secret".into()),
            ..S3Config::default()
        };
        open(&key).unwrap();
    }
}
